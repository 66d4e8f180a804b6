import { dropReplaced, writeDelta } from "./audience-deltas.server.ts";
import type { Block } from "./block.ts";
import { cutBlock } from "./block-builder.ts";
import type { Change } from "./block-editor.server.ts";
import { type Generations, isRemoved } from "./deltas.ts";
import { findIn, MemberLookUp, type StoredHash, variantsIn } from "./member-look-up.server.ts";
import { type MergeCounts, mergeMembers } from "./merge-members.ts";
import { joinBlocks, stackDeltas } from "./overlay.ts";

/**
 * Collects changes of a few hashes of an audience, and writes them as its next delta. Use only inside a transaction
 * that holds the audience's lock.
 */
export class DeltaEditor extends MemberLookUp {
  /** The changes so far, ascending. */
  private changes: readonly Block[] = [];

  override find(hash: string): StoredHash | undefined {
    const changed = findIn(this.changes, hash);
    if (!changed) return super.find(hash);
    return isRemoved(changed.tag) ? undefined : changed;
  }

  /** Adds hashes and removes others. */
  async change({ added, removed }: Change): Promise<MergeCounts> {
    const changes: Block[] = [];
    const counts = await mergeMembers({
      base: [this.loadedMembers()],
      uploaded: added,
      removed,
      changesOnly: true,
      write: async (blocks) => void changes.push(...blocks),
    });
    this.changes = cutBlock(stackDeltas(joinBlocks(this.changes), joinBlocks(changes)));
    return counts;
  }

  override async findVariants(canonicalHashes: ReadonlySet<string>): Promise<string[]> {
    const stored = await super.findVariants(canonicalHashes);
    return [...new Set([...stored, ...variantsIn(this.changes, canonicalHashes)])];
  }

  /** Writes the changes and returns where the audience's members are then, for its next version. */
  async save({ now }: { now: Date }): Promise<Generations> {
    const { changes, place } = this;
    if (changes.length === 0) return place;
    const next = await writeDelta(this.db, { place, changes: joinBlocks(changes), now });
    await dropReplaced(this.db, { dropped: place, kept: next });
    return next;
  }

  /** The loaded hashes that the audience has, as a block. */
  private loadedMembers(): Block {
    const found = [...new Set(this.loaded)].sort().flatMap((hash) => {
      const stored = this.find(hash);
      return stored ? [{ hash, ...stored }] : [];
    });
    const hashes = Buffer.from(found.map(({ hash }) => hash).join(""), "latin1");
    const canonical = found.flatMap(({ canonicalHash }) => canonicalHash ?? []);
    const addresses = new Map(
      found.flatMap(({ hash, address }) => (address === undefined ? [] : [[hash, address] as const])),
    );
    return {
      hashes,
      flags: Uint8Array.from(found, ({ tag }) => tag),
      canonicalHashes: Buffer.from(canonical.join(""), "latin1"),
      addresses: addresses.size > 0 ? addresses : undefined,
    };
  }
}
