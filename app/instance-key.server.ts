import { deriveKey } from "./derive-key.server.ts";
import { env } from "./env.server.ts";

/** A key for one purpose that only this installation has, the same on all its servers. It changes when the secrets are rotated. */
export function instanceKey(purpose: string): Buffer {
  const [newest] = instanceKeys(purpose);
  if (!newest) throw new Error("The environment holds no encryption secret");
  return newest;
}

/** The same of each secret, newest first. */
export function instanceKeys(purpose: string): Buffer[] {
  return env().encryptionSecrets.map((secret) => deriveKey(secret, purpose));
}
