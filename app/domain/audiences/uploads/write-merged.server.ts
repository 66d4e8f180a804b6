import type { UploadMode } from "#app/domain/audiences/audience.ts";
import { newGeneration, openBlockWriter } from "#app/domain/audiences/members/audience-blocks.server.ts";
import { countBaseHashes, writeDelta, writesDeltas } from "#app/domain/audiences/members/audience-deltas.server.ts";
import { type OpenMembers, readMembers } from "#app/domain/audiences/members/audience-members.server.ts";
import type { Block } from "#app/domain/audiences/members/block.ts";
import { deltaHashes, maxDeltaHashes } from "#app/domain/audiences/members/delta-policy.ts";
import type { Generations } from "#app/domain/audiences/members/deltas.ts";
import { type MergeCounts, mergeMembers } from "#app/domain/audiences/members/merge-members.ts";
import { joinBlocks } from "#app/domain/audiences/members/overlay.ts";
import { RemovalSet } from "#app/domain/audiences/members/removal-set.ts";
import type { Database } from "#db/client.server.ts";

type Upload = {
  old: OpenMembers;
  mode: UploadMode;
  /** The uploaded blocks, ascending; each call starts from the beginning. */
  uploaded: () => AsyncIterable<Block>;
  now: Date;
};

/** What a merge changed, and where the audience's members are once its row says so. */
export type Merged = { counts: MergeCounts; next: Generations };

/**
 * Merges an upload into an audience: writes the changes as a delta where they are few, and otherwise all members as a
 * new base.
 */
export async function writeMerged(db: Database, { old, mode, uploaded, now }: Upload): Promise<Merged> {
  const removed = mode === "remove" ? await RemovalSet.collect(uploaded(), readMembers(db, old)) : undefined;
  const input = () => ({
    replace: mode === "replace",
    base: readMembers(db, old, { withAddresses: true }),
    uploaded: mode === "remove" ? [] : uploaded(),
    removed,
  });
  const changes = await collectChanges(input, await countRoom(db, old));
  if (changes) {
    const { counts, delta } = changes;
    return { counts, next: counts.changed ? await writeDelta(db, { place: old, changes: delta, now }) : old };
  }
  const next = { ...(await newGeneration(db, old.audienceId)), deltas: null };
  const writer = openBlockWriter(db, next);
  const counts = await mergeMembers({ ...input(), write: (blocks) => writer.put(blocks) });
  await writer.end();
  return { counts, next };
}

/**
 * Returns how many hashes the next delta of an audience may have. The job that merges deltas leaves it as much again.
 */
async function countRoom(db: Database, old: OpenMembers): Promise<number> {
  if (!(await writesDeltas(db, old, old.size))) return 0;
  const max = maxDeltaHashes(await countBaseHashes(db, old));
  return Math.min(max, 2 * max - deltaHashes(old.deltas ?? { list: [] }));
}

class TooManyChanges extends Error {}

/** Merges without writing; returns undefined when more than `max` hashes change. */
async function collectChanges(
  input: () => Omit<Parameters<typeof mergeMembers>[0], "write">,
  max: number,
): Promise<{ counts: MergeCounts; delta: Block } | undefined> {
  if (max <= 0) return undefined;
  const changes: Block[] = [];
  let hashes = 0;
  try {
    const counts = await mergeMembers({
      ...input(),
      changesOnly: true,
      write: async (blocks) => {
        for (const { flags } of blocks) hashes += flags.length;
        if (hashes > max) throw new TooManyChanges();
        changes.push(...blocks);
      },
    });
    return { counts, delta: joinBlocks(changes) };
  } catch (error) {
    if (error instanceof TooManyChanges) return undefined;
    throw error;
  }
}
