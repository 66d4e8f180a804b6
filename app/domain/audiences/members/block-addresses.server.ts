import { DecryptionError, decryptBytes, encryptBytes } from "#app/encryption.server.ts";
import type { AudienceId } from "../../ids.ts";
import { type Addresses, type Block, hashAt, hashBytes } from "./block.ts";
import { maxAddressLength } from "./postal-address.ts";

/** The place of a block. Addresses that are copied to another block do not decrypt. */
type BlockPlace = { audienceId: AudienceId; firstHash: Uint8Array };

/** The encryption context of a block's addresses. */
export function addressesContext({ audienceId, firstHash }: BlockPlace): string {
  return `audience_blocks/${audienceId}/${Buffer.from(firstHash).toString("hex")}`;
}

/** An entry has the position of the hash in the block (2 bytes), the length of the address (1), and the address. */
const headBytes = 3;

/** Encrypts the addresses of the people in a block for storage; nothing where there are none. */
export function encryptAddresses(block: Block, audienceId: AudienceId): Uint8Array {
  const packed = packAddresses(block);
  if (packed.length === 0) return packed;
  const firstHash = block.hashes.subarray(0, hashBytes);
  return encryptBytes(packed, addressesContext({ audienceId, firstHash }));
}

/** Returns the addresses of the people in a block as bytes; nothing where there are none. */
export function packAddresses({ hashes, flags, addresses }: Block): Uint8Array {
  if (!addresses || addresses.size === 0) return new Uint8Array(0);
  const bytes = Buffer.allocUnsafe(flags.length * (headBytes + maxAddressLength));
  let length = 0;
  for (let index = 0; index < flags.length; index += 1) {
    const address = addresses.get(hashAt(hashes, index * hashBytes));
    if (address === undefined) continue;
    bytes.writeUInt16BE(index, length);
    bytes[length + 2] = address.length;
    bytes.write(address, length + headBytes, "latin1");
    length += headBytes + address.length;
  }
  return bytes.subarray(0, length);
}

/**
 * Decrypts the addresses of a stored block. Returns undefined where there are none, and where they were encrypted with
 * a key that this server no longer has: people are then matched by their identifiers only. Throws a DecryptionError for
 * damaged ones.
 */
export function decryptAddresses(
  stored: { hashes: Uint8Array; addresses: Uint8Array | null },
  audienceId: AudienceId,
  /** Where `hashes` is a part of the block: the block's first hash, and the position of the part's first hash. */
  part = { firstHash: stored.hashes.subarray(0, hashBytes), from: 0 },
): Addresses | undefined {
  const { hashes, addresses } = stored;
  if (addresses === null) return undefined;
  const bytes = tryDecrypt(addresses, addressesContext({ audienceId, firstHash: part.firstHash }));
  return bytes && unpackAddresses(hashes, bytes, part.from);
}

/**
 * Returns the addresses of a block's people that `packAddresses` packed; undefined where there are none. `hashes` are
 * those of the block from a position on.
 */
export function unpackAddresses(hashes: Uint8Array, bytes: Buffer, from = 0): Addresses | undefined {
  const found = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const end = at + headBytes + (bytes[at + 2] ?? 0);
    const offset = (bytes.readUInt16BE(at) - from) * hashBytes;
    if (offset >= 0 && offset < hashes.length)
      found.set(hashAt(hashes, offset), bytes.toString("latin1", at + headBytes, end));
    at = end;
  }
  return found.size > 0 ? found : undefined;
}

function tryDecrypt(addresses: Uint8Array, context: string): Buffer | undefined {
  try {
    return decryptBytes(addresses, context);
  } catch (error) {
    if (error instanceof DecryptionError && error.problem === "other_key") return undefined;
    throw error;
  }
}
