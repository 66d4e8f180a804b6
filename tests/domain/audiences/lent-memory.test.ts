import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { FileImporter } from "#app/domain/audiences/files/file-importer.server.ts";
import { type Block, hashBytes } from "#app/domain/audiences/members/block.ts";
import { BlockSlices } from "#app/domain/audiences/members/block-slices.ts";
import { lendMemory, returnMemory } from "#app/domain/audiences/members/lent-memory.ts";
import { mergeMembers } from "#app/domain/audiences/members/merge-members.ts";
import { BatchWriter } from "#app/domain/audiences/members/stores/batch-writer.ts";

let importer: FileImporter | undefined;
afterEach(() => importer?.close());

function blockOf(count: number): Block {
  return {
    hashes: new Uint8Array(count * hashBytes),
    flags: new Uint8Array(count),
    canonicalHashes: new Uint8Array(0),
  };
}

test("memory returns once all hashes in it are stored, and once only", () => {
  const block = blockOf(10);
  const returned: ArrayBuffer[] = [];
  lendMemory(block, (memory) => returned.push(memory));
  const slices = new BlockSlices(block);
  const [one, two, three] = [slices.sliceTo(3), slices.sliceTo(7), slices.sliceTo(10)];
  returnMemory([one, blockOf(10)]);
  returnMemory([three]);
  expect(returned).toEqual([]);
  returnMemory([two]);
  returnMemory([one, two, three]);
  expect(returned).toEqual([block.hashes.buffer]);
});

test("the hashes of a large file are stored unchanged in memory that is used again", async () => {
  const count = 400_000;
  const expected = Buffer.alloc(count * hashBytes, 7);
  for (let index = 0; index < count; index += 1) expected.writeUInt32BE(index * 10_000, index * hashBytes);
  async function* text() {
    yield Buffer.from("email_sha256\n");
    for (let to = count; to > 0; to -= 10_000) {
      const lines = expected.toString("hex", (to - 10_000) * hashBytes, to * hashBytes).replace(/.{64}/g, "$&\n");
      yield Buffer.from(lines);
    }
  }
  importer = new FileImporter({
    country: undefined,
    includesOptOuts: false,
    includesAddresses: true,
    savedMappings: undefined,
    mapping: undefined,
  });
  await importer.readText(
    { file: 0, optedOut: undefined, encoding: { encoding: undefined, source: "detected" } },
    text(),
  );
  const memories: ArrayBufferLike[] = [];
  const stored: Buffer[] = [];
  const writer = new BatchWriter(
    async (blocks) => {
      const place = stored.length;
      stored.push(Buffer.alloc(0));
      await sleep(5);
      // Memory that was returned too early is empty or has other hashes by now.
      stored[place] = Buffer.concat(blocks.map(({ hashes }) => hashes));
    },
    { min: 64, max: Infinity },
  );
  async function* uploaded() {
    for await (const block of importer?.members() ?? []) {
      memories.push(block.hashes.buffer);
      yield block;
    }
  }
  await mergeMembers({ base: [], uploaded: uploaded(), write: (blocks) => writer.put(blocks) });
  await writer.end();
  expect(Buffer.concat(stored).equals(expected)).toBe(true);
  // Memory that went back to the thread is detached.
  expect(memories.filter(({ byteLength }) => byteLength === 0).length).toBeGreaterThan(0);
});
