import { hkdfSync } from "node:crypto";

const derived = new Map<string, Buffer>();

/**
 * Derives a 256-bit key for one purpose (HKDF, RFC 5869), so that signatures and ciphertexts of one purpose are invalid
 * for any other.
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  const name = `${purpose}\0${secret}`;
  const known = derived.get(name);
  if (known) return known;
  const key = Buffer.from(hkdfSync("sha256", secret, "", `endcap ${purpose}`, 32));
  derived.set(name, key);
  return key;
}
