import { deriveKey } from "#app/derive-key.server.ts";
import { env } from "#app/env.server.ts";

/** The keys of one purpose, of all session secrets, newest first: the first signs, and each verifies. */
export function signingKeys(purpose: string): [string, ...string[]] {
  const [newest, ...previous] = env().sessionSecrets.map((secret) => deriveKey(secret, purpose).toString("base64url"));
  if (!newest) throw new Error("The environment holds no session secret");
  return [newest, ...previous];
}
