import { createHmac } from "node:crypto";
import { instanceKey, instanceKeys } from "#app/instance-key.server.ts";

const purpose = "idempotency keys";

/**
 * Returns what is stored of the SHA-256 hash of a request or of its files: an HMAC with a key that is not in the
 * database, because a body may be one email address, which whoever has the plain hash finds by guessing.
 */
export function protectHash(hash: string): string {
  return hmac(hash, instanceKey(purpose));
}

/**
 * Whether a stored value is that of the hash, with the key of any secret. The versions before stored the hash itself,
 * and what moved money is stored forever.
 */
export function isHashOf(stored: string, hash: string): boolean {
  return stored === hash || instanceKeys(purpose).some((key) => stored === hmac(hash, key));
}

function hmac(hash: string, key: Buffer): string {
  return createHmac("sha256", key).update(hash).digest("hex");
}
