import { createHash } from "node:crypto";
import { nextStep, roundedSize } from "#app/domain/audiences/audience.ts";
import { chanceOf } from "#app/domain/delivery/channels/chance.ts";

/** What an advertiser and a publisher who work together can do; each call is one of theirs. */
export type Product = {
  /** An audience of the publisher that has these people. */
  create: (hashes: readonly Buffer[]) => Promise<string>;
  /** Makes these the audience's people. */
  replace: (id: string, hashes: readonly Buffer[]) => Promise<void>;
  /** The range that the advertiser is told; undefined when it is told nothing. */
  ask: (...ids: string[]) => Promise<{ from: number; to: number } | undefined>;
};

export function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export function invented(count: number, name: string): Buffer[] {
  return Array.from({ length: count }, (_, index) => hashOf(`${name} ${index}`));
}

/** 200 people, of whom every second by lot is in the victim's audience. */
export function targetsOf(seed: string, count = 200): { hash: Buffer; isIn: boolean }[] {
  const chance = chanceOf(`targets ${seed}`);
  const lots = Array.from({ length: count }, () => chance());
  const median = lots.toSorted((a, b) => a - b)[count / 2] ?? 0;
  return lots.map((lot, index) => ({ hash: hashOf(`${seed} target ${index}`), isIn: lot < median }));
}

/** The part of the guesses that are right. */
export function accuracyOf(targets: readonly { isIn: boolean }[], guesses: readonly boolean[]): number {
  return targets.filter(({ isIn }, index) => isIn === guesses[index]).length / targets.length;
}

/**
 * Looks for the number of invented people with whom an own audience brings the choice over a step, each try in a new audience.
 * Returns the size of the victim's audience that follows from it, where none of the invented people is.
 */
export async function findSize(product: Product, victim: string, step: number): Promise<number> {
  let [low, high] = [1_000, step];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const own = await product.create(invented(middle, "padding"));
    const told = await product.ask(victim, own);
    if (told && told.from >= step) high = middle;
    else low = middle;
  }
  return step - high;
}

/**
 * Brings the choice one person below a step and lets each target take the place of an invented person: who is in the victim's
 * audience lets the number fall. In one audience that changes, or in a new one for each.
 */
export async function guessByCrossing(
  product: Product,
  { victim, targets, padding, anew }: { victim: string; targets: readonly Buffer[]; padding: number; anew: boolean },
): Promise<boolean[]> {
  const pad = invented(padding, "padding");
  const own = await product.create(pad);
  const before = await product.ask(victim, own);
  const guesses: boolean[] = [];
  for (const target of targets) {
    const people = [...pad.slice(1), target];
    const id = anew ? await product.create(people) : own;
    if (!anew) await product.replace(own, people);
    const told = await product.ask(victim, id);
    // Told nothing, or nothing new, it is anybody's guess.
    guesses.push(told === undefined || before === undefined ? false : told.from < before.from);
  }
  return guesses;
}

/** The product before there were snapshots: what is there now is counted exactly, and the number rounded down. */
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
