import { createHash } from "node:crypto";
import { nextStep, roundedSize } from "#app/domain/audiences/audience.ts";
import { seededRandom } from "#app/domain/delivery/channels/sandbox/seeded-random.ts";

/** What an advertiser and a publisher who collude can do; each call is one of their requests. */
export type Product = {
  /** Creates an audience of the publisher with these people. */
  create: (hashes: readonly Buffer[]) => Promise<string>;
  /** Replaces the audience's people. */
  replace: (id: string, hashes: readonly Buffer[]) => Promise<void>;
  /** Returns the range that the advertiser gets; undefined when none is returned. */
  ask: (...ids: string[]) => Promise<{ from: number; to: number } | undefined>;
};

export function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export function invented(count: number, name: string): Buffer[] {
  return Array.from({ length: count }, (_, index) => hashOf(`${name} ${index}`));
}

/** Returns 200 people; a random half of them is in the victim's audience. */
export function targetsOf(seed: string, count = 200): { hash: Buffer; isIn: boolean }[] {
  const chance = seededRandom(`targets ${seed}`);
  const draws = Array.from({ length: count }, () => chance());
  const median = draws.toSorted((a, b) => a - b)[count / 2] ?? 0;
  return draws.map((draw, index) => ({ hash: hashOf(`${seed} target ${index}`), isIn: draw < median }));
}

/** Returns the fraction of correct guesses. */
export function accuracyOf(targets: readonly { isIn: boolean }[], guesses: readonly boolean[]): number {
  return targets.filter(({ isIn }, index) => isIn === guesses[index]).length / targets.length;
}

/**
 * Searches for the number of invented people with which an own audience moves the choice over a step; each try uses a
 * new audience. Returns the size of the victim's audience that follows, assuming that it contains none of the invented
 * people.
 */
export async function findSize(product: Product, victim: string, step: number): Promise<number> {
  let [low, high] = [1_000, step];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const own = await product.create(invented(middle, "padding"));
    const range = await product.ask(victim, own);
    if (range && range.from >= step) high = middle;
    else low = middle;
  }
  return step - high;
}

/**
 * Brings the choice to one person below a step and replaces an invented person by each target in turn: a target who is
 * in the victim's audience lowers the number. Uses one audience that changes or, with `separate`, a new one for each
 * target.
 */
export async function guessByCrossing(
  product: Product,
  {
    victim,
    targets,
    padding,
    separate,
  }: { victim: string; targets: readonly Buffer[]; padding: number; separate: boolean },
): Promise<boolean[]> {
  const pad = invented(padding, "padding");
  const own = await product.create(pad);
  const before = await product.ask(victim, own);
  const guesses: boolean[] = [];
  for (const target of targets) {
    const people = [...pad.slice(1), target];
    const id = separate ? await product.create(people) : own;
    if (!separate) await product.replace(own, people);
    const range = await product.ask(victim, id);
    // Without two ranges to compare, the guess is that the target is absent.
    guesses.push(range === undefined || before === undefined ? false : range.from < before.from);
  }
  return guesses;
}

/** The product without snapshots: current members are counted exactly, and the number is rounded down. */
export function exactProduct(victims: ReadonlyMap<string, readonly Buffer[]>): Product {
  const audiences = new Map([...victims].map(([id, hashes]) => [id, new Set(hashes.map(textOf))]));
  return {
    create: async (hashes) => {
      const id = `own ${audiences.size}`;
      audiences.set(id, new Set(hashes.map(textOf)));
      return id;
    },
    replace: async (id, hashes) => {
      audiences.set(id, new Set(hashes.map(textOf)));
    },
    ask: async (...ids) => {
      const from = roundedSize(new Set(ids.flatMap((id) => [...(audiences.get(id) ?? [])])).size);
      return { from, to: nextStep(from) };
    },
  };
}

function textOf(hash: Buffer): string {
  return hash.toString("latin1");
}
