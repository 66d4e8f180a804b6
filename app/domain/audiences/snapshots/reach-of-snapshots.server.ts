import type { audienceSnapshots } from "#db/schema/index.ts";
import { noiseFor, noisePeople } from "./noise.server.ts";
import { noisySize, type PeopleRange, publishedSize, snapshotLabel } from "./published-size.server.ts";
import { type ReachPart, reachRange } from "./reach-range.ts";

export type Snapshot = typeof audienceSnapshots.$inferSelect;

/**
 * Estimates how many distinct people several snapshots have together, as a range. The noise depends only on the
 * snapshots, so it is constant.
 */
export function reachOfSnapshots(snapshots: readonly Snapshot[], noise: number = noisePeople): PeopleRange {
  const choice = snapshots.map(snapshotLabel).sort().join();
  const parts = snapshots.map((snapshot): ReachPart & { label: string } => ({
    label: snapshotLabel(snapshot),
    size: noisySize(snapshot),
    published: publishedSize(snapshot),
    level: snapshot.level,
    people: snapshot.people,
    noise: noiseFor(`overlap ${snapshotLabel(snapshot)} in ${choice}`),
  }));
  // Sorted only by published data: the order must not reveal which of two audiences with the same published size is
  // larger.
  parts.sort((a, b) => b.published.from - a.published.from || (a.label < b.label ? -1 : 1));
  return reachRange(parts, noise);
}
