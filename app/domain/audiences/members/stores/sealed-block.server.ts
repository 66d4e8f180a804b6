import { decryptBytes, encryptBytes } from "#app/encryption.server.ts";
import type { AudienceObjectId } from "../../../ids.ts";
import { type Block, hashBytes } from "../block.ts";
import { packAddresses, unpackAddresses } from "../block-addresses.server.ts";
import type { Generation } from "../generation.ts";

/** The place of a block: its number in its object. A block that is copied to another place does not decrypt. */
export type BlockPlace = { generation: Generation; objectId: AudienceObjectId; number: number };

/** The number of hashes (2 bytes), and that of variants (2). */
const headBytes = 4;

/**
 * Encrypts a block by itself, as credentials are encrypted, so that it can be read without the others of its object.
 */
export function sealBlock(block: Block, place: BlockPlace): Buffer {
  const { hashes, flags, canonicalHashes } = block;
  const head = Buffer.alloc(headBytes);
  head.writeUInt16BE(flags.length, 0);
  head.writeUInt16BE(canonicalHashes.length / hashBytes, 2);
  const bytes = Buffer.concat([head, hashes, flags, canonicalHashes, packAddresses(block)]);
  return encryptBytes(bytes, contextOf(place));
}

/** Decrypts a block. Throws a DecryptionError when it was changed, is another one, or its key is missing. */
export function openBlock(sealed: Uint8Array, place: BlockPlace, withAddresses: boolean): Block {
  const bytes = decryptBytes(sealed, contextOf(place));
  const count = bytes.readUInt16BE(0);
  const flagsAt = headBytes + count * hashBytes;
  const canonicalAt = flagsAt + count;
  const addressesAt = canonicalAt + bytes.readUInt16BE(2) * hashBytes;
  const hashes = bytes.subarray(headBytes, flagsAt);
  return {
    hashes,
    flags: bytes.subarray(flagsAt, canonicalAt),
    canonicalHashes: bytes.subarray(canonicalAt, addressesAt),
    addresses: withAddresses ? unpackAddresses(hashes, bytes.subarray(addressesAt)) : undefined,
  };
}

function contextOf({ generation: { audienceId, generation }, objectId, number }: BlockPlace): string {
  return `audience_objects/${audienceId}/${generation}/${objectId}/${number}`;
}
