import { createHash } from "node:crypto";
import { type Block, hashAt, hashBytes } from "./block.ts";

/** The number and a hash of all members of an audience, however they are cut into blocks. */
export class MembersDigest {
  private count = 0;
  private readonly hashes = createHash("sha256");
  private readonly flags = createHash("sha256");
  private readonly canonicalHashes = createHash("sha256");
  private readonly addresses = createHash("sha256");

  /** Yields the blocks, and adds each. */
  async *passing(blocks: AsyncIterable<Block>): AsyncGenerator<Block> {
    for await (const block of blocks) {
      this.add(block);
      yield block;
    }
  }

  /** Call it when all blocks have passed. */
  toString(): string {
    const parts = [this.hashes, this.flags, this.canonicalHashes, this.addresses];
    return [this.count, ...parts.map((part) => part.copy().digest("hex"))].join(" ");
  }

  private add({ hashes, flags, canonicalHashes, addresses }: Block): void {
    this.count += flags.length;
    this.hashes.update(hashes);
    this.flags.update(flags);
    this.canonicalHashes.update(canonicalHashes);
    for (let index = 0; addresses && index < flags.length; index += 1) {
      const hash = hashAt(hashes, index * hashBytes);
      const address = addresses.get(hash);
      if (address !== undefined) this.addresses.update(`${hash}${address.length} ${address}`, "latin1");
    }
  }
}
