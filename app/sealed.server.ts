import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { deriveKey } from "./derive-key.server.ts";
import { env } from "./env.server.ts";

const format = 1;
const [keyIdBytes, nonceBytes, tagBytes] = [4, 12, 16];
const headerBytes = 1 + keyIdBytes + nonceBytes;

/** What was sealed cannot be opened: with another key, for another place, or changed. */
export class SealError extends Error {
  readonly problem: "other_key" | "damaged";

  constructor(problem: SealError["problem"]) {
    super(problem === "other_key" ? "Sealed with another key than this server has" : "What was sealed was changed");
    this.name = "SealError";
    this.problem = problem;
  }
}

/**
 * A credential as it may be stored: AES-256-GCM under a key that is not in the database. `place` is where it belongs, table,
 * account and row; a copy in another place cannot be opened. The key is derived from ENCRYPTION_KEY, else from SESSION_SECRET;
 * what an earlier one encrypted still opens.
 */
export function seal(text: string, place: string): Buffer {
  const { key, keyId } = newestKey();
  const nonce = randomBytes(nonceBytes);
  const header = Buffer.concat([Buffer.of(format), keyId, nonce]);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(associated(header, place));
  return Buffer.concat([header, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** What `seal` was given for this place. Throws a SealError. */
export function unseal(sealed: Uint8Array, place: string): string {
  const bytes = Buffer.from(sealed);
  if (bytes.length < headerBytes + tagBytes || bytes[0] !== format) throw new SealError("damaged");
  const known = keys().find(({ keyId }) => keyId.equals(bytes.subarray(1, 1 + keyIdBytes)));
  if (!known) throw new SealError("other_key");
  const header = bytes.subarray(0, headerBytes);
  const decipher = createDecipheriv("aes-256-gcm", known.key, header.subarray(1 + keyIdBytes));
  decipher.setAAD(associated(header, place));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return decipher.update(bytes.subarray(headerBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8");
  } catch {
    throw new SealError("damaged");
  }
}

function associated(header: Buffer, place: string): Buffer {
  return Buffer.concat([header, Buffer.from(place, "utf8")]);
}

/** How everything begins that the newest key encrypted: tells it from what `seal` should encrypt again. */
export function newestSealPrefix(): Buffer {
  return Buffer.concat([Buffer.of(format), newestKey().keyId]);
}

type EncryptionKey = { key: Buffer; keyId: Buffer };

function newestKey(): EncryptionKey {
  const [newest] = keys();
  if (!newest) throw new Error("The environment holds no encryption secret");
  return newest;
}

/** Newest first. An id says which key it was, not what it is: the start of a hash over a key of 256 bits. */
function keys(): EncryptionKey[] {
  return env().encryptionSecrets.map((secret) => {
    const key = deriveKey(secret, "sealed credentials");
    return { key, keyId: createHash("sha256").update(key).digest().subarray(0, keyIdBytes) };
  });
}
