import { createHash, randomBytes } from "node:crypto";

/** 256 random bits as text. Only its hash is ever stored. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether a text from outside can be one of `newSecret`. */
export function looksLikeSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** SHA-256, hex. A secret of 256 random bits needs no salt. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
