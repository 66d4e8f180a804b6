import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256 } from "#app/domain/audiences/members/member-set.server.ts";
import { familiesOf, kindOf, kinds } from "#app/domain/audiences/members/tag.ts";
import { familyBits } from "#app/domain/audiences/rule-sets.ts";
import { contentOf, merged, peopleIn, readTexts } from "./read-text.ts";

const data = resolve(import.meta.dirname, "../../../../shared/data/audiences");
const hex = (text: string) => Buffer.from(sha256(text), "latin1").toString("hex");

describe.runIf(existsSync(data))("the sample files", () => {
  const sample = (name: string) => readFileSync(resolve(data, name), "utf8");

  test("customers_plain.csv has the counts that were expected", async () => {
    const { blocks, counts } = readTexts([sample("customers_plain.csv")], { chunk: 1_000 });
    expect(counts).toMatchObject({ rowsRead: 1_160, rowsBlank: 6, rowsInvalid: 10 });
    const { counts: people, blocks: stored } = await merged([], blocks);
    expect(people.size).toBe(1_101);
    const metaEmails = stored.flatMap(({ tags }) =>
      [...tags].filter((tag) => familiesOf(tag) & familyBits.meta && kindOf(tag) !== kinds.phoneFurther),
    );
    const phones = new Set(sample("customers_plain.csv").match(/\+\d{11}/g)).size;
    expect(metaEmails.length - phones).toBe(1_104);
  });

  test("customers_hashed_hex.csv is 1,100 people", async () => {
    expect(await peopleIn(sample("customers_hashed_hex.csv"))).toBe(1_100);
  });
});

describe("people", () => {
  test.each<[string, number, string[]]>([
    [
      "one address in several spellings is one",
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
    expect(await peopleIn(...texts)).toBe(people);
    expect(
      await peopleIn(...texts.map((text) => [text.split("\n")[0], ...text.split("\n").slice(1).reverse()].join("\n"))),
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

describe("whatever was sent", () => {
  test("the order of rows, their split over files and uploads, and repetition never change the set", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 12 }),
        fc.nat(12),
        fc.infiniteStream(fc.nat()),
        async (rows, cut, chance) => {
          const once = await merged([], readTexts([file(rows)]).blocks);
          const shuffled = rows
            .map((one) => ({ one, key: chance.next().value ?? 0 }))
            .sort((a, b) => a.key - b.key)
            .map(({ one }) => one);
          const twoFiles = await merged(
            [],
            readTexts([file(shuffled.slice(0, cut)), file([...shuffled.slice(cut), ...rows])]).blocks,
          );
          expect(contentOf(twoFiles.blocks)).toEqual(contentOf(once.blocks));
          const first = await merged([], readTexts([file(shuffled.slice(cut))]).blocks);
          const second = await merged(first.blocks, readTexts([file(shuffled.slice(0, cut))]).blocks);
          expect(contentOf(second.blocks)).toEqual(contentOf(once.blocks));
          expect(second.counts.size).toBe(once.counts.size);
          const again = await merged(once.blocks, readTexts([file(rows)]).blocks);
          expect(again.counts).toMatchObject({ changed: false, size: once.counts.size, came: 0, went: 0 });
        },
      ),
      { numRuns: 300 },
    );
  });

  test("removing all of it leaves nothing, and removing a part leaves what the rest had not in common with it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), async (rows) => {
        const all = await merged([], readTexts([file(rows)]).blocks);
        const { blocks, counts } = await merged(all.blocks, readTexts([file(rows)]).blocks, "remove");
        expect(contentOf(blocks)).toEqual([]);
        expect(counts).toMatchObject({ size: 0, went: all.counts.size });
      }),
    );
  });

  test("blocks of any size hold the same people in the same order", async () => {
    const rows = fc.array(row, { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(rows, rows, fc.integer({ min: 1, max: 9 }), async (before, after, perBlock) => {
        for (const mode of ["add", "replace", "remove"] as const) {
          const [old, sent] = [readTexts([file(before)]).blocks, readTexts([file(after)]).blocks];
          const large = await merged((await merged([], old)).blocks, sent, mode);
          const small = await merged((await merged([], old, "add", perBlock)).blocks, sent, mode, perBlock);
          expect(contentOf(small.blocks)).toEqual(contentOf(large.blocks));
          expect(small.counts).toEqual(large.counts);
          expect(small.blocks.every(({ tags }) => tags.length >= 1 && tags.length <= perBlock)).toBe(true);
        }
      }),
    );
  });

  test("a replacement is what was sent, and says who came and went", async () => {
    const old = await merged([], readTexts(["Email\na@example.com\nb@example.com"]).blocks);
    const { blocks, counts } = await merged(
      old.blocks,
      readTexts(["Email\nb@example.com\nc@example.com\nd@example.com"]).blocks,
      "replace",
    );
    expect(counts).toMatchObject({ before: 2, size: 3, came: 2, went: 1 });
    expect(contentOf(blocks)).toEqual(
      contentOf((await merged([], readTexts(["Email\nb@example.com\nc@example.com\nd@example.com"]).blocks)).blocks),
    );
  });

  test("somebody is removed by the hash of any destination", async () => {
    for (const spelling of ["janedoe@gmail.com", "jane.doe@gmail.com"]) {
      const old = await merged([], readTexts(["Email\njane.doe@gmail.com\nj.ane.doe@gmail.com\nx@example.com"]).blocks);
      const { blocks } = await merged(old.blocks, readTexts([`Email\n${hex(spelling)}`]).blocks, "remove");
      expect(contentOf(blocks)).toHaveLength(1);
    }
  });
});
