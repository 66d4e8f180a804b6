import { createHash, randomBytes } from "node:crypto";

/** Returns 256 random bits as text. Only the hash of a secret is stored. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns whether a text has the format of `newSecret`. */
export function looksLikeSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** SHA-256 as hexadecimal text. A secret of 256 random bits needs no salt. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
