import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { identifierKinds, kindFromFlags, profilesFromFlags } from "#app/domain/audiences/members/identifier-flags.ts";
import { sha256 } from "#app/domain/audiences/members/member-set.server.ts";
import { profileBits } from "#app/domain/audiences/rule-sets.ts";
import { faultRuns } from "#tests/support/fault-runs.ts";
import { countPeople, describeBlocks, mergeUpload, readTexts } from "./read-text.ts";

const data = resolve(import.meta.dirname, "../../../../shared/data/audiences");
const hex = (text: string) => Buffer.from(sha256(text), "latin1").toString("hex");

describe.runIf(existsSync(data))("the sample files", () => {
  const sample = (name: string) => readFileSync(resolve(data, name), "utf8");

  test("customers_plain.csv has the expected counts", async () => {
    const { blocks, counts } = readTexts([sample("customers_plain.csv")], { chunk: 1_000 });
    expect(counts).toMatchObject({ rowsRead: 1_160, rowsBlank: 6, rowsInvalid: 10 });
    const { counts: people, blocks: stored } = await mergeUpload([], blocks);
    expect(people.size).toBe(1_101);
    const metaEmails = stored.flatMap(({ flags }) =>
      [...flags].filter(
        (tag) => profilesFromFlags(tag) & profileBits.meta && kindFromFlags(tag) !== identifierKinds.secondaryPhone,
      ),
    );
    const phones = new Set(sample("customers_plain.csv").match(/\+\d{11}/g)).size;
    expect(metaEmails.length - phones).toBe(1_104);
  });

  test("customers_hashed_hex.csv is 1,100 people", async () => {
    expect(await countPeople(sample("customers_hashed_hex.csv"))).toBe(1_100);
  });
});

describe("people", () => {
  test.each<[string, number, string[]]>([
    [
      "one email address in several variants is one",
      1,
      ["Email\nJane.Doe@gmail.com\njanedoe+x@GMAIL.com\n janedoe@gmail.com"],
    ],
    ["a row is one, counted by its first address", 1, ["Email,Email\na@example.com,b@example.com"]],
    ["a row with a bad address and a good phone counts by the phone", 1, ["Email,Phone\nbad,+16505551212"]],
    ["a phone alone is whoever has that phone", 1, ["Email,Phone\na@example.com,+16505551212\n,+1 650 555 1212"]],
    ["two phones alone are one", 1, ["Phone,Mobile\n+16505551212,+16505551213\n+16505551213,+16505551212"]],
    [
      "two people who share a phone are two",
      2,
      ["Email,Phone\na@example.com,+16505551212\nb@example.com,+16505551212"],
    ],
    [
      "a hash of somebody there is that person",
      1,
      [`Email\njane.doe@gmail.com\n${hex("jane.doe@gmail.com")}\n${hex("janedoe@gmail.com")}`],
    ],
    [
      "a hashed phone of somebody there is that person",
      1,
      [`Email,Phone\na@example.com,+16505551212\n,${hex("16505551212")}`],
    ],
    ["somebody else's hash is somebody else", 2, [`Email\na@example.com\n${hex("b@example.com")}`]],
  ])("%s", async (_, people, texts) => {
    expect(await countPeople(...texts)).toBe(people);
    expect(
      await countPeople(
        ...texts.map((text) => [text.split("\n")[0], ...text.split("\n").slice(1).reverse()].join("\n")),
      ),
    ).toBe(people);
  });
});

const addresses = [
  "a@example.com",
  "A@Example.com ",
  "jane.doe@gmail.com",
  "j.anedoe@gmail.com",
  "janedoe@gmail.com",
  "É@example.com",
  "é@example.com",
  "bad",
];
const phones = ["+16505551212", "+1 (650) 555-1212", "+4930901820", "123"];
const cell = (values: string[]) =>
  fc.constantFrom(
    "",
    ...values,
    ...values.flatMap((value) => [hex(value.trim().toLowerCase()), hex(value.replace(/^\+/, ""))]),
  );
const row = fc.tuple(cell(addresses), cell(addresses), cell(phones), cell(phones)).map((cells) => cells.join(","));
const head = "email,email_2,phone,mobile";
const file = (rows: readonly string[]) => [head, ...rows].join("\n");

describe("any upload", () => {
  test("has the same set for any order of rows, split over files and uploads, and repetition", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 12 }),
        fc.nat(12),
        fc.infiniteStream(fc.nat()),
        async (rows, cut, chance) => {
          const mergedOnce = await mergeUpload([], readTexts([file(rows)]).blocks);
          const reordered = rows
            .map((one) => ({ one, key: chance.next().value ?? 0 }))
            .sort((a, b) => a.key - b.key)
            .map(({ one }) => one);
          const twoFiles = await mergeUpload(
            [],
            readTexts([file(reordered.slice(0, cut)), file([...reordered.slice(cut), ...rows])]).blocks,
          );
          expect(describeBlocks(twoFiles.blocks)).toEqual(describeBlocks(mergedOnce.blocks));
          const first = await mergeUpload([], readTexts([file(reordered.slice(cut))]).blocks);
          const second = await mergeUpload(first.blocks, readTexts([file(reordered.slice(0, cut))]).blocks);
          expect(describeBlocks(second.blocks)).toEqual(describeBlocks(mergedOnce.blocks));
          expect(second.counts.size).toBe(mergedOnce.counts.size);
          const again = await mergeUpload(mergedOnce.blocks, readTexts([file(rows)]).blocks);
          expect(again.counts).toMatchObject({ changed: false, size: mergedOnce.counts.size, added: 0, removed: 0 });
        },
      ),
      { numRuns: faultRuns({ small: 100, all: 1_000 }) },
    );
  });

  test("is removed completely by removing all of it, and partly by removing a part", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), async (rows) => {
        const all = await mergeUpload([], readTexts([file(rows)]).blocks);
        const { blocks, counts } = await mergeUpload(all.blocks, readTexts([file(rows)]).blocks, "remove");
        expect(describeBlocks(blocks)).toEqual([]);
        expect(counts).toMatchObject({ size: 0, removed: all.counts.size });
      }),
    );
  });

  test("has the same people in the same order in blocks of any size", async () => {
    const rows = fc.array(row, { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(rows, rows, fc.integer({ min: 1, max: 9 }), async (before, after, perBlock) => {
        for (const mode of ["add", "replace", "remove"] as const) {
          const [old, sent] = [readTexts([file(before)]).blocks, readTexts([file(after)]).blocks];
          const large = await mergeUpload((await mergeUpload([], old)).blocks, sent, mode);
          const small = await mergeUpload((await mergeUpload([], old, "add", perBlock)).blocks, sent, mode, perBlock);
          expect(describeBlocks(small.blocks)).toEqual(describeBlocks(large.blocks));
          expect(small.counts).toEqual(large.counts);
          expect(small.blocks.every(({ flags }) => flags.length >= 1 && flags.length <= perBlock)).toBe(true);
        }
      }),
    );
  });

  test("that replaces leaves exactly its people, and counts those added and removed", async () => {
    const old = await mergeUpload([], readTexts(["Email\na@example.com\nb@example.com"]).blocks);
    const { blocks, counts } = await mergeUpload(
      old.blocks,
      readTexts(["Email\nb@example.com\nc@example.com\nd@example.com"]).blocks,
      "replace",
    );
    expect(counts).toMatchObject({ before: 2, size: 3, added: 2, removed: 1 });
    expect(describeBlocks(blocks)).toEqual(
      describeBlocks(
        (await mergeUpload([], readTexts(["Email\nb@example.com\nc@example.com\nd@example.com"]).blocks)).blocks,
      ),
    );
  });

  test("loses a person by the hash of any channel", async () => {
    for (const variant of ["janedoe@gmail.com", "jane.doe@gmail.com"]) {
      const old = await mergeUpload(
        [],
        readTexts(["Email\njane.doe@gmail.com\nj.ane.doe@gmail.com\nx@example.com"]).blocks,
      );
      const { blocks } = await mergeUpload(old.blocks, readTexts([`Email\n${hex(variant)}`]).blocks, "remove");
      expect(describeBlocks(blocks)).toHaveLength(1);
    }
  });
});
