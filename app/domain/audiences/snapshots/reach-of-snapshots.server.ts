import type { audienceSnapshots } from "#db/schema/index.ts";
import { noiseFor, noisePeople } from "./noise.server.ts";
import { labelOf, noisySize, type PeopleRange, publishedSize } from "./published-size.server.ts";
import { type ReachPart, reachRange } from "./reach-range.ts";

export type Snapshot = typeof audienceSnapshots.$inferSelect;

/** Between how many people several snapshots have together. The noise hangs on which snapshots they are, so it is always the same. */
export function reachOfSnapshots(snapshots: readonly Snapshot[], noise: number = noisePeople): PeopleRange {
  const choice = snapshots.map(labelOf).sort().join();
  const parts = snapshots.map((snapshot): ReachPart & { label: string } => ({
    label: labelOf(snapshot),
    size: noisySize(snapshot),
    published: publishedSize(snapshot),
    level: snapshot.level,
    people: snapshot.people,
    noise: noiseFor(`overlap ${labelOf(snapshot)} in ${choice}`),
  }));
  // By what is published alone: not even the order tells which of two audiences of a step is larger.
  parts.sort((a, b) => b.published.from - a.published.from || (a.label < b.label ? -1 : 1));
  return reachRange(parts, noise);
}
