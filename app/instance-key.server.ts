import { deriveKey } from "./derive-key.server.ts";
import { env } from "./env.server.ts";

/**
 * Derives a key for one purpose that is unique to this installation and the same on all its servers. It changes when
 * the secrets are rotated.
 */
export function instanceKey(purpose: string): Buffer {
  const [newest] = instanceKeys(purpose);
  if (!newest) throw new Error("The environment holds no encryption secret");
  return newest;
}

/** The keys of all secrets, newest first. */
export function instanceKeys(purpose: string): Buffer[] {
  return env().encryptionSecrets.map((secret) => deriveKey(secret, purpose));
}
