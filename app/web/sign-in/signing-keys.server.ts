import { deriveKey } from "#app/derive-key.server.ts";
import { env } from "#app/env.server.ts";

/** Returns the keys of one purpose, derived from all session secrets, newest first: the first signs, and all verify. */
export function signingKeys(purpose: string): [string, ...string[]] {
  const [newest, ...previous] = env().sessionSecrets.map((secret) => deriveKey(secret, purpose).toString("base64url"));
  if (!newest) throw new Error("The environment holds no session secret");
  return [newest, ...previous];
}
