import { replaceBlocks } from "./audience-blocks.server.ts";
import type { Block } from "./block.ts";
import { BlockSlices } from "./block-slices.ts";
import type { Generations } from "./deltas.ts";
import { type Layer, MemberLookUp } from "./member-look-up.server.ts";
import { type MergeCounts, mergeMembers } from "./merge-members.ts";
import type { RemovalSet } from "./removal-set.ts";
import type { LoadedBlock } from "./stores/block-store.ts";

/** A block with more hashes is split in two. */
const maxHashesPerBlock = 2_048;

/** `added` in ascending order. All of the hashes have to be loaded. */
export type Change = { added: readonly Block[]; removed?: RemovalSet | undefined };

/**
 * Edits the blocks of an audience without deltas that contain a few given hashes in place. Use only inside a
 * transaction that holds the audience's lock. Hashes are 32 bytes in a `latin1` string.
 */
export class BlockEditor extends MemberLookUp {
  protected override readonly loadsParts = false;

  /** Adds hashes to the loaded blocks and removes others. */
  async change({ added, removed }: Change): Promise<MergeCounts> {
    const [base, ...deltas] = this.layers;
    if (!base || deltas.length > 0)
      throw new Error(`audience has deltas, so its base is fixed: ${this.place.audienceId}`);
    return await this.changeIn(base, { added, removed });
  }

  /** Returns where the audience's members are after the changes. */
  async save(_: { now: Date }): Promise<Generations> {
    return this.place;
  }

  protected async changeIn({ place, blocks }: Layer, { added, removed }: Change): Promise<MergeCounts> {
    const total: MergeCounts = { before: 0, size: 0, added: 0, removed: 0, changed: false };
    const [replaced, replacements]: [LoadedBlock[], Block[]] = [[], []];
    const targets = blocks.length === 0 ? [undefined] : blocks;
    for (const [index, stored] of targets.entries()) {
      const next = blocks[index + 1]?.first;
      const newBlocks: Block[] = [];
      const counts = await mergeMembers({
        base: stored ? [stored] : [],
        uploaded: added.flatMap((block) => sliceBlock(block, index === 0 ? undefined : stored?.first, next)),
        removed,
        perBlock: 2 * maxHashesPerBlock,
        write: async (blocks) => void newBlocks.push(...blocks),
      });
      for (const key of ["before", "size", "added", "removed"] as const) total[key] += counts[key];
      if (!counts.changed) continue;
      total.changed = true;
      if (stored) replaced.push(stored);
      replacements.push(...newBlocks.flatMap(splitInHalf));
    }
    if (total.changed) await replaceBlocks(this.db, place, { removed: replaced, added: replacements });
    return total;
  }
}

/** Returns the hashes of a block from `from` on and below `to`. */
function sliceBlock(block: Block, from: Uint8Array | undefined, to: Uint8Array | undefined): Block[] {
  const slices = new BlockSlices(block);
  if (from) slices.sliceBelow(from);
  const slice = slices.sliceBelow(to);
  return slice.flags.length === 0 ? [] : [slice];
}

function splitInHalf(block: Block): Block[] {
  const { length } = block.flags;
  if (length <= maxHashesPerBlock) return [block];
  const slices = new BlockSlices(block);
  return [slices.sliceTo(Math.ceil(length / 2)), slices.sliceTo(length)];
}
