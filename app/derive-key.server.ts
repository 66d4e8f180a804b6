import { hkdfSync } from "node:crypto";

const derived = new Map<string, Buffer>();

/** A key of 256 bits for one purpose, so that what one purpose signs or encrypts means nothing to another (HKDF, RFC 5869). */
export function deriveKey(secret: string, purpose: string): Buffer {
  const name = `${purpose}\0${secret}`;
  const known = derived.get(name);
  if (known) return known;
  const key = Buffer.from(hkdfSync("sha256", secret, "", `endcap ${purpose}`, 32));
  derived.set(name, key);
  return key;
}
