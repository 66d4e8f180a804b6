import { randomFillSync } from "node:crypto";

const pool = Buffer.alloc(8_192);
let next = pool.length;

/**
 * Returns random bytes as text, for nonces and request ids. They are drawn for many requests at once, because a draw
 * costs as much as a dozen headers; each byte is used once and erased.
 */
export function randomText(bytes: number, encoding: "base64" | "base64url"): string {
  if (next + bytes > pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  const end = next + bytes;
  const text = pool.toString(encoding, next, end);
  pool.fill(0, next, end);
  next = end;
  return text;
}
