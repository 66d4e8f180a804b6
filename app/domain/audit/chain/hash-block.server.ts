import { createHash, hash } from "node:crypto";
import type { auditBlocks } from "#db/schema/index.ts";
import { canonicalEntry, type SealedEntry } from "./audit-chain.ts";

export const hashBytes = 32;
/** The previous hash of the first block. */
export const noHash = Buffer.alloc(hashBytes);

type HashedBlock = Omit<typeof auditBlocks.$inferSelect, "hash" | "signature">;

export function hashEntry(entry: SealedEntry): Buffer {
  return hash("sha256", canonicalEntry(entry), "buffer");
}

/**
 * Hashes a block. Every part has a fixed length except the list of entries, which is preceded by its length, so that
 * two different blocks never hash the same bytes.
 */
export function hashBlock(block: HashedBlock): Buffer {
  const digest = createHash("sha256").update("audit block 1\n").update(block.previousHash);
  for (const number of [block.number, block.sealedAt.getTime(), block.entryIds.length]) {
    digest.update(uint64Bytes(number));
  }
  for (const id of [block.sealedThrough, ...block.entryIds]) digest.update(id.replaceAll("-", ""), "hex");
  return digest.update(block.entryHashes).digest();
}

function uint64Bytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
