import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Returns a function that tells whether an `Authorization` header has this bearer token, in the same time whatever it
 * has.
 */
export function acceptsBearer(token: string): (authorization: string | undefined) => boolean {
  const expected = hash(`Bearer ${token}`);
  return (authorization = "") => timingSafeEqual(hash(authorization), expected);
}

/** Hashes have the same length, which the comparison needs. */
function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
