import fc from "fast-check";
import { expect, test } from "vitest";
import type { Block } from "#app/domain/audiences/members/block.ts";
import { removedFlags } from "#app/domain/audiences/members/deltas.ts";
import { identifierKinds, packFlags } from "#app/domain/audiences/members/identifier-flags.ts";
import { coverBlocks, joinBlocks, stackDeltas } from "#app/domain/audiences/members/overlay.ts";
import { describeBlocks } from "./read-text.ts";

/** What a hash has: flags, for a variant its canonical hash, and perhaps an address. */
type Entry = { flags: number; canonical: number; address: string | undefined };
type Entries = ReadonlyMap<number, Entry>;

const hash = (number: number) => Buffer.alloc(32, 0).fill(number, 0, 1).fill(7, 31);
const kinds = [identifierKinds.email, identifierKinds.phone, identifierKinds.secondaryHash, identifierKinds.variant];
const entry = fc.record({
  flags: fc.constantFrom(...kinds).map((kind) => packFlags(kind, 5)),
  canonical: fc.nat(255),
  address: fc.option(fc.constantFrom("one", "other"), { nil: undefined }),
});
const removed: Entry = { flags: removedFlags, canonical: 0, address: undefined };
const entriesOf = (one: fc.Arbitrary<Entry>, maxLength: number) =>
  fc.array(fc.tuple(fc.nat(255), one), { maxLength }).map((list): Entries => new Map(list));

function blockOf(entries: Iterable<[number, Entry]>): Block {
  const sorted = [...entries].sort(([a], [b]) => a - b);
  const variants = sorted.filter(([, { flags }]) => (flags & 7) === identifierKinds.variant);
  return {
    hashes: Buffer.concat(sorted.map(([number]) => hash(number))),
    flags: Uint8Array.from(sorted, ([, { flags }]) => flags),
    canonicalHashes: Buffer.concat(variants.map(([, { canonical }]) => hash(canonical))),
    addresses: new Map(
      sorted.flatMap(([number, { address }]) =>
        address === undefined ? [] : [[hash(number).toString("latin1"), address]],
      ),
    ),
  };
}

async function* blocksOf(entries: Entries, perBlock: number): AsyncGenerator<Block> {
  const sorted = [...entries].sort(([a], [b]) => a - b);
  for (let from = 0; from < sorted.length; from += perBlock) yield blockOf(sorted.slice(from, from + perBlock));
}

const described = (block: Block) => [
  describeBlocks([block]),
  Array.from({ length: block.flags.length }, (_, index) =>
    block.addresses?.get(Buffer.from(block.hashes.subarray(32 * index, 32 * index + 32)).toString("latin1")),
  ),
];

test("a base under any deltas has what the newest of them says, in any range", async () => {
  const delta = entriesOf(fc.oneof(entry, fc.constant(removed)), 40);
  await fc.assert(
    fc.asyncProperty(
      entriesOf(entry, 200),
      fc.array(delta, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 9 }),
      fc.option(fc.tuple(fc.nat(255), fc.nat(255)), { nil: undefined }),
      async (base, deltas, perBlock, bounds) => {
        const newest = new Map([base, ...deltas].flatMap((one) => [...one]));
        const [from, to] = bounds ?? [0, 256];
        const expected = [...newest].filter(
          ([number, { flags }]) => flags !== removedFlags && number >= from && number < to,
        );
        const layers = deltas.map(blockOf);
        const underTest = [layers, [layers.reduce(stackDeltas)]];
        const range = bounds && { from: hash(from).fill(0, 1), to: hash(to).fill(0, 1) };
        for (const one of underTest) {
          const found: Block[] = [];
          for await (const block of coverBlocks({ base: blocksOf(base, perBlock), deltas: one, range })) {
            expect(block.flags.length).toBeGreaterThan(0);
            found.push(block);
          }
          expect(described(joinBlocks(found))).toEqual(described(blockOf(expected)));
        }
      },
    ),
    { numRuns: 300 },
  );
});
