import type { InvalidReason } from "../audience.ts";

const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const hexadecimal = /^[0-9a-f]+$/i;
const base64 = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Parses an uploaded hash: 64 hexadecimal digits or 44 characters of base64, returned as 32 bytes in a `latin1` string.
 * Returns undefined when the value does not look like a hash, and a reason when it is a hash that no destination
 * accepts.
 */
export function parseHash(value: string): { bytes: string } | { reason: InvalidReason } | undefined {
  if (base64.test(value)) return rejectEmptyHash(Buffer.from(value, "base64"));
  if (/^0x[0-9a-f]{24,}$/i.test(value)) return { reason: "hash_prefix" };
  if (value.length < 24 || !hexadecimal.test(value)) return undefined;
  if (value.length === 32) return { reason: "md5" };
  if (value.length === 40) return { reason: "sha1" };
  if (value.length !== 64) return { reason: "hash_length" };
  return rejectEmptyHash(Buffer.from(value, "hex"));
}

function rejectEmptyHash(bytes: Buffer): { bytes: string } | { reason: InvalidReason } {
  if (bytes.toString("hex") === emptyHash) return { reason: "hash_of_nothing" };
  return { bytes: bytes.toString("latin1") };
}
