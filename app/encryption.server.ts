import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { deriveKey } from "./derive-key.server.ts";
import { env } from "./env.server.ts";

const format = 1;
const [keyIdBytes, nonceBytes, tagBytes] = [4, 12, 16];
const headerBytes = 1 + keyIdBytes + nonceBytes;

/** A ciphertext cannot be decrypted: it was encrypted with another key or for another context, or it was modified. */
export class DecryptionError extends Error {
  readonly problem: "other_key" | "damaged";

  constructor(problem: DecryptionError["problem"]) {
    super(problem === "other_key" ? "Encrypted with a different key" : "Encrypted data was modified");
    this.name = "DecryptionError";
    this.problem = problem;
  }
}

/**
 * Encrypts a credential for storage: AES-256-GCM with a key that is not in the database. `place` is the encryption
 * context: table, account and row; ciphertext copied to another context does not decrypt. The key is derived from
 * ENCRYPTION_KEY, otherwise from SESSION_SECRET; earlier keys still decrypt.
 */
export function encrypt(text: string, place: string): Buffer {
  return encryptBytes(Buffer.from(text, "utf8"), place);
}

/** Encrypts bytes as `encrypt` does text. */
export function encryptBytes(bytes: Uint8Array, place: string): Buffer {
  const { key, keyId } = newestKey();
  const nonce = randomBytes(nonceBytes);
  const header = Buffer.concat([Buffer.of(format), keyId, nonce]);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(associated(header, place));
  return Buffer.concat([header, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts a ciphertext of this context. Throws a DecryptionError. */
export function decrypt(sealed: Uint8Array, place: string): string {
  return decryptBytes(sealed, place).toString("utf8");
}

/** Decrypts what `encryptBytes` has encrypted for this context. Throws a DecryptionError. */
export function decryptBytes(sealed: Uint8Array, place: string): Buffer {
  const bytes = Buffer.from(sealed);
  if (bytes.length < headerBytes + tagBytes || bytes[0] !== format) throw new DecryptionError("damaged");
  const known = keys().find(({ keyId }) => keyId.equals(bytes.subarray(1, 1 + keyIdBytes)));
  if (!known) throw new DecryptionError("other_key");
  const header = bytes.subarray(0, headerBytes);
  const decipher = createDecipheriv("aes-256-gcm", known.key, header.subarray(1 + keyIdBytes));
  decipher.setAAD(associated(header, place));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(headerBytes, -tagBytes)), decipher.final()]);
  } catch {
    throw new DecryptionError("damaged");
  }
}

function associated(header: Buffer, place: string): Buffer {
  return Buffer.concat([header, Buffer.from(place, "utf8")]);
}

/** The prefix of everything encrypted with the newest key; anything else should be encrypted again. */
export function newestSealPrefix(): Buffer {
  return Buffer.concat([Buffer.of(format), newestKey().keyId]);
}

type EncryptionKey = { key: Buffer; keyId: Buffer };

function newestKey(): EncryptionKey {
  const [newest] = keys();
  if (!newest) throw new Error("The environment holds no encryption secret");
  return newest;
}

/** Newest first. A key's id is the start of a hash of the 256-bit key and does not reveal it. */
function keys(): EncryptionKey[] {
  return env().encryptionSecrets.map((secret) => {
    const key = deriveKey(secret, "sealed credentials");
    return { key, keyId: createHash("sha256").update(key).digest().subarray(0, keyIdBytes) };
  });
}
