import type { PeopleRange } from "#app/domain/audiences/snapshots/published-size.server.ts";
import { reachOfSnapshots, type Snapshot } from "#app/domain/audiences/snapshots/reach-of-snapshots.server.ts";
import { parseCalendarDate } from "#app/domain/calendar-date.ts";
import { seededRandom } from "#app/domain/delivery/channels/sandbox/seeded-random.ts";
import { type AudienceId, parseId } from "#app/domain/ids.ts";
import { hashOf, invented, targetsOf } from "./reach-attack.ts";

const snapshotDate = parseCalendarDate("2026-11-20");

/** Returns the audience id with this number; within a step of sizes, ids are in the order of their numbers. */
export function numberedId(number: number): AudienceId {
  const id = parseId<AudienceId>(`01900000-0000-7000-8000-${String(number).padStart(12, "0")}`);
  if (!id) throw new Error("no id");
  return id;
}

/** Returns the snapshot that the product would take of at most 32,768 people. */
export function snapshotOf(number: number, hashes: readonly Buffer[]): Snapshot {
  if (!snapshotDate) throw new Error("no day");
  const people = Buffer.concat(hashes.map((hash) => hash.subarray(0, 8)).toSorted(Buffer.compare));
  return {
    audienceId: numberedId(number),
    takenOn: snapshotDate,
    version: 1,
    erasures: 0,
    size: hashes.length,
    level: 0,
    people,
  };
}

type AskReach = (snapshots: readonly Snapshot[]) => PeopleRange;
const askProduct: AskReach = (snapshots) => reachOfSnapshots(snapshots);
export const askWithoutNoise: AskReach = (snapshots) => reachOfSnapshots(snapshots, 0);

/**
 * Guesses from three days of answers to the most revealing choices: own audiences overlap by almost the minimum, so
 * that the targets in the victim's audience decide on which side of it the overlap is. Each audience contains a random
 * half of the targets, and each target is judged by the answers with it against those without.
 */
export function guessByRegression(seed: string, answers: number, ask: AskReach = askProduct) {
  const targets = targetsOf(seed);
  const chance = seededRandom(`halves ${seed}`);
  const members = targets.filter(({ isIn }) => isIn).map(({ hash }) => hash);
  const victim = snapshotOf(1, [...invented(1_217, `${seed} victim`), ...members]);
  const known = invented(950, `${seed} common`);
  const common = snapshotOf(2, [...known, ...invented(150, `${seed} else`)]);
  const filling = invented(150, `${seed} filling`);
  const scores = new Float64Array(targets.length);
  const ranges = Array.from({ length: answers }, (_, index) => {
    const half = targets.map(() => chance() < 0.5);
    const some = targets.filter((_target, at) => half[at]).map(({ hash }) => hash);
    const own = snapshotOf(index + 3, [...known, ...some, ...filling]);
    return { half, value: ask([victim, common, own]).to };
  });
  const mean = ranges.reduce((sum, { value }) => sum + value, 0) / answers;
  for (const { half, value } of ranges) {
    for (const [at, isThere] of half.entries())
      scores[at] = (scores[at] ?? 0) + (isThere ? mean - value : value - mean);
  }
  return { targets, guesses: atLeastMedian(scores) };
}

/**
 * Guesses with all answers spent on one person at a time, who alone decides in each whether the minimum is reached, as
 * if the budget were restored for each person.
 */
export function guessOneByOne(seed: string, answers: number, ask: AskReach = askProduct) {
  const targets = targetsOf(seed);
  const known = invented(1_000, `${seed} common`);
  const common = snapshotOf(2, known);
  const [base, filling] = [invented(1_316, `${seed} victim`), invented(100, "filling")];
  const stranger = hashOf(`${seed} stranger`);
  const scores = targets.map(({ hash, isIn }, person) => {
    const victim = snapshotOf(1, [...base, isIn ? hash : stranger]);
    const own = snapshotOf(3, [...known.slice(1), hash, ...filling]);
    let sum = 0;
    for (let index = 0; index < answers; index += 1) {
      const audienceId = numberedId(3 + person * answers + index);
      sum -= ask([victim, common, { ...own, audienceId }]).to;
    }
    return sum;
  });
  return { targets, guesses: atLeastMedian(scores) };
}

/** Guesses that the half with the higher scores is in the audience. */
function atLeastMedian(scores: ArrayLike<number>): boolean[] {
  const list = Array.from(scores);
  const median = list.toSorted((a, b) => a - b)[list.length / 2] ?? 0;
  return list.map((score) => score >= median);
}
