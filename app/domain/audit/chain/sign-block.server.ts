import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { instanceKeys } from "#app/instance-key.server.ts";

const keyIdBytes = 4;

/** Signs a block's hash with the newest key, so that whoever has the database alone cannot make a chain of its own. */
export function signBlock(hash: Buffer): Buffer {
  const [newest] = keys();
  if (!newest) throw new Error("The environment holds no encryption secret");
  return Buffer.concat([newest.id, mac(newest.key, hash)]);
}

/** Whether the newest key made a signature, so that the earlier ones are not needed for it. */
export function isNewestSignature(signature: Buffer): boolean {
  return keys()[0]?.id.equals(signature.subarray(0, keyIdBytes)) ?? false;
}

type SignatureState = "valid" | "invalid" | "unknown_key";

/** `unknown_key`: none of this server's secrets signed it, or what says which did was changed. */
export function checkSignature({ hash, signature }: { hash: Buffer; signature: Buffer }): SignatureState {
  const signer = keys().find(({ id }) => id.equals(signature.subarray(0, keyIdBytes)));
  if (!signer) return "unknown_key";
  const expected = mac(signer.key, hash);
  const given = signature.subarray(keyIdBytes);
  return given.length === expected.length && timingSafeEqual(given, expected) ? "valid" : "invalid";
}

function mac(key: Buffer, hash: Buffer): Buffer {
  return createHmac("sha256", key).update(hash).digest();
}

/** Newest first. An id says which key it was, not what it is. */
function keys(): { id: Buffer; key: Buffer }[] {
  return instanceKeys("audit blocks").map((key) => ({
    id: createHash("sha256").update(key).digest().subarray(0, keyIdBytes),
    key,
  }));
}
