import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { instanceKey, instanceKeys } from "#app/instance-key.server.ts";

const purpose = "audit blocks";
const keyIdBytes = 4;

/** Signs a block's hash with the newest key, so that access to the database alone does not allow to forge a chain. */
export function signBlock(hash: Buffer): Buffer {
  const { id, key } = withId(instanceKey(purpose));
  return Buffer.concat([id, mac(key, hash)]);
}

/** Returns whether the newest key made the signature, so that earlier keys are not needed to verify it. */
export function isNewestSignature(signature: Buffer): boolean {
  return keys()[0]?.id.equals(signature.subarray(0, keyIdBytes)) ?? false;
}

type SignatureState = "valid" | "invalid" | "unknown_key";

/** `unknown_key`: no secret of this server made the signature, or its key ID was changed. */
export function checkSignature({ hash, signature }: { hash: Buffer; signature: Buffer }): SignatureState {
  const signer = keys().find(({ id }) => id.equals(signature.subarray(0, keyIdBytes)));
  if (!signer) return "unknown_key";
  const expected = mac(signer.key, hash);
  const actual = signature.subarray(keyIdBytes);
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? "valid" : "invalid";
}

function mac(key: Buffer, hash: Buffer): Buffer {
  return createHmac("sha256", key).update(hash).digest();
}

type SigningKey = { id: Buffer; key: Buffer };

/** The signing keys, newest first. */
function keys(): SigningKey[] {
  return instanceKeys(purpose).map(withId);
}

/** The key ID identifies a key without revealing it. */
function withId(key: Buffer): SigningKey {
  return { id: createHash("sha256").update(key).digest().subarray(0, keyIdBytes), key };
}
