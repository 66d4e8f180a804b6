import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileKernel } from "#app/domain/audiences/kernel/compile-kernel.ts";
import { MemberKernel } from "#app/domain/audiences/kernel/member-kernel.server.ts";
import type { Block } from "#app/domain/audiences/members/block.ts";
import { mergeFlags } from "#app/domain/audiences/members/identifier-flags.ts";
import { MemberSet, sha256 } from "#app/domain/audiences/members/member-set.server.ts";
import { faultRuns } from "#tests/support/fault-runs.ts";
import { describeBlocks, readTexts } from "./read-text.ts";

const kernelFile = resolve(import.meta.dirname, "../../../app/domain/audiences/kernel/kernel.wasm");

/** Compares the kernel and the plain reader on the same text in the same chunks. */
function expectSame(texts: readonly (string | Uint8Array)[], chunk: number): void {
  const fast = attempt(() => readTexts(texts, { chunk, country: "US" }));
  const plain = attempt(() => readTexts(texts, { chunk, country: "US", withoutKernel: true }));
  expect(fast).toEqual(plain);
}

function bucketOf(kernel: MemberKernel, index: number): Block {
  return kernel.sort({ from: index, to: index + 1 });
}

function attempt(read: () => ReturnType<typeof readTexts>) {
  try {
    const { blocks, counts, columns } = read();
    const optOuts = counts.optOuts.toSorted((a, b) => (a.column < b.column ? -1 : 1));
    return { content: describeBlocks(blocks), counts: { ...counts, optOuts }, columns };
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

const letters = fc.stringMatching(/^[a-zA-Z0-9.+_-]{0,12}$/);
const domain = fc.constantFrom(
  "example.com",
  "gmail.com",
  "GMail.com",
  "googlemail.com",
  "gmail.co",
  "a.b",
  "b",
  ".com",
);
const address = fc.tuple(letters, domain).map(([local, at]) => `${local}@${at}`);
const hash = fc.string({ maxLength: 8 }).map(sha256);
const hex = hash.map((bytes) => Buffer.from(bytes, "latin1").toString("hex"));
const malformedIdentifiers = fc.constantFrom(
  ...[
    "",
    " ",
    "\t",
    "@",
    "a@@b.co",
    "a b@c.de",
    "a@b.c",
    "É@example.com",
    "\u00a0a@b.co",
    "a@b.co\u0000",
    "\u007f@b.co",
    "a\u200b@b.co",
    "a\u200c@b.co",
    "\u061ca@b.co",
    "a@b.co\u{e0001}",
    "\u2060",
  ],
  ...["e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "e3b0c442".repeat(8), "0".repeat(63)],
  ...["5d41402abc4b2a76b9719d911017c592", "0x".padEnd(66, "a"), `${"x".repeat(50)}@ab.cd`, `${"x".repeat(49)}@ab.cd`],
  ...[
    `${"y".repeat(330)}@ab.cd`,
    "+@gmail.com",
    ".+x@gmail.com",
    "a.@gmail.com",
    "a@b..c",
    "a@.bc",
    "a@b.",
    "'a'@b.co",
  ],
);
const phone = fc.oneof(
  fc.stringMatching(/^\+1[ .(-]{0,2}[2-9]\d\d[ .)-]{0,2}[2-9]\d\d[ .-]{0,2}\d{4}$/),
  fc.constantFrom(
    "+4930901820",
    "650 555 1212",
    "+1",
    "+1650555121",
    "+165055512123",
    "+1 (650) 555-1212 ",
    "+1\u00a06505551212",
    "+1 (0) 650 555 1212",
    "+48 (0) 601 234 567",
    "+44 (0)20 7946 0958",
  ),
);
const value = fc.oneof(
  { weight: 6, arbitrary: address },
  { weight: 2, arbitrary: hex },
  { weight: 1, arbitrary: hex.map((text) => text.toUpperCase()) },
  { weight: 1, arbitrary: hash.map((bytes) => Buffer.from(bytes, "latin1").toString("base64")) },
  { weight: 3, arbitrary: phone },
  { weight: 3, arbitrary: malformedIdentifiers },
);
const wrapped = fc
  .tuple(value, fc.constantFrom("", "", " ", "\t"), fc.constantFrom("", "", " ", "\r"))
  .map(([text, before, after]) => before + text + after);
const quoted = fc
  .tuple(value, fc.constantFrom("", " "), fc.constantFrom("", " ", "x"), fc.constantFrom("", '""', "\n", ";,"))
  .map(([text, before, after, within]) => `${before}"${text}${within}"${after}`);
const cell = fc.oneof(
  { weight: 5, arbitrary: wrapped },
  { weight: 2, arbitrary: quoted },
  { weight: 1, arbitrary: fc.constantFrom('"', 'a"b', '""', "x".repeat(90)) },
);
const answer = fc.constantFrom(
  ...["yes", "no", "YES", " no ", "", "", "-", "true", "0", "1", "nein", "ja", "maybe", "unsubscribed", "SUBSCRIBED"],
  ...[
    "2026-05-01 10:00:00",
    "2026-05-01 10:00",
    '"no"',
    '"yes"',
    "n\u00e3o",
    "\u00a0",
    "a value that is too long",
    "UNSUBSCRIBED",
  ],
);
const consentHead = fc.constantFrom(
  ["Email", "Accepts Email Marketing", "Phone", "Accepts SMS Marketing"],
  ["Unsubscribed", "Email", "Email 2"],
  ["Email", "x", "Phone", "Status", "Email Opt Out", "Do Not Contact"],
  ["Consent", "Phone", "Mobile", "Email", "UNSUB_TIME"],
);
/** Tables with columns about consent, mostly with answers in them. */
const consentFile = fc
  .tuple(
    consentHead,
    fc.array(fc.array(fc.tuple(cell, answer, fc.nat(9)), { minLength: 1, maxLength: 7 }), { maxLength: 14 }),
    fc.constantFrom("\n", "\r\n"),
  )
  .map(([names, rows, lineEnd]) => {
    const isAnswer = (name: string | undefined) => /accept|unsub|status|opt out|contact|consent/i.test(name ?? "");
    const lines = rows.map((cells) =>
      cells.map(([value, answered, chance], at) => (chance > 0 && isAnswer(names[at]) ? answered : value)).join(","),
    );
    return [names.join(","), ...lines].join(lineEnd);
  });
const head = fc.constantFrom(
  ...[["Email"], ["Id", "Email", "Note"], ["Email", "Email 2", "Phone"], ["Phone", "Mobile", "Country"]],
  ...[["Phone", "x", "email_sha256", "y", "z"], Array.from({ length: 12 }, (_, at) => `Email ${at}`)],
);
const file = fc
  .tuple(
    head,
    fc.array(fc.array(cell, { minLength: 1, maxLength: 13 }), { maxLength: 12 }),
    fc.constantFrom(..."\t;|,"),
    fc.oneof(
      fc.constantFrom("\n", "\r\n", "\r").map((lineEnd) => [lineEnd]),
      fc.array(fc.constantFrom("\n", "\n", "\r\n", "\r"), { minLength: 2, maxLength: 5 }),
    ),
    fc.boolean(),
  )
  .map(([names, rows, delimiter, lineEnds, closed]) => {
    const lines = [names, ...rows.map((cells) => cells.slice(0, names.length + 1))].map((cells) =>
      cells.join(delimiter),
    );
    return lines
      .map((line, at) => (at + 1 < lines.length || closed ? line + lineEnds[at % lineEnds.length] : line))
      .join("");
  });

describe("the kernel", () => {
  test("is identical to its compiled sources", async () => {
    expect((await compileKernel()).equals(readFileSync(kernelFile))).toBe(true);
  }, 60_000);

  test("reads every file like TypeScript", () => {
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 2 }), fc.integer({ min: 1, max: 200 }), (files, chunk) => {
        expectSame(files, chunk);
      }),
      { numRuns: faultRuns({ small: 200, all: 1_000 }) },
    );
  }, 120_000);

  test("reads every file with opt-outs like TypeScript, and accounts for each row", () => {
    fc.assert(
      fc.property(
        fc.array(consentFile, { minLength: 1, maxLength: 2 }),
        fc.integer({ min: 1, max: 200 }),
        (files, chunk) => {
          expectSame(files, chunk);
          const { counts } = readTexts(files, { chunk });
          const rows = counts.optOuts.reduce((sum, one) => sum + one.rows, 0);
          expect(rows).toBe(counts.rowsOptedOut);
          for (const { rows, identifiers, blank, unclear } of counts.optOuts)
            expect(blank + unclear).toBeLessThanOrEqual(rows + identifiers);
        },
      ),
      { numRuns: faultRuns({ small: 300, all: 1_500 }) },
    );
  }, 120_000);

  test("reads any bytes like TypeScript", () => {
    const bytes = fc.array(fc.oneof(fc.constantFrom(...Buffer.from('a@b.co,"\r\n;')), fc.nat(255)), { maxLength: 300 });
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 200 }), (after, chunk) => {
        expectSame([Buffer.concat([Buffer.from("Email,x\n"), Buffer.from(after)])], chunk);
      }),
      { numRuns: faultRuns({ small: 200, all: 1_000 }) },
    );
  }, 120_000);

  test("accepts the same signs in every part of an address as TypeScript", () => {
    const signs = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
    const long = "abcdefghijklmnopqrstuvwxyz";
    for (const sign of signs) {
      const rows = [
        [sign, "b@example.com"],
        [`a${sign}b@`, "example.com"],
        [`${long}${sign}b@`, "example.com"],
        ["a@ex", `${sign}ample.com`],
        [`${long}@exam`, `${sign}ple.com`],
        ["a@", `${sign}example.com`],
        ["a@example", `${sign}com`],
        ["a@example.", `${sign}com`],
        ["a@example.com", sign],
      ].map((parts) => `${parts.join("")}\ty\n`);
      // A quote may extend a row to the next one.
      for (const some of sign === '"' ? rows : [rows.join("")]) expectSame([`Email\tx\n${some}`], 1_000);
    }
  });

  test("hashes identifiers of every length", () => {
    const rows = Array.from(
      { length: 400 },
      (_, at) => `${"Ab.c+d_9".repeat(50).slice(at % 3, at + 1)}@Example${at % 7}.com`,
    );
    expectSame([["Email", ...rows].join("\n")], 1_000);
  });

  test("combines its own rows with those that TypeScript reads between them", () => {
    const rows = Array.from({ length: 3_000 }, (_, at) =>
      at % 3 === 0
        ? `j.ane${at}@gmail.com`
        : at % 3 === 1
          ? `é${at}@gmail.com`
          : `+1650555${String(1_000 + (at % 9_000))}`,
    );
    expectSame([["Email,Phone", ...rows.map((row) => (row.startsWith("+") ? `,${row}` : row))].join("\n")], 10_000);
  });

  test("sorts hashes in linear time that are crafted to be slow", () => {
    const kernel = new MemberKernel();
    const plain = new MemberSet();
    const made = Array.from({ length: 20_000 }, (_, at) => {
      const bytes = Buffer.alloc(32, 7);
      // The first bytes are equal, nearly equal, or different.
      if (at % 4 === 3) bytes.writeUInt32BE((at * 2_654_435_761) % 2 ** 32, 1);
      else bytes.writeUInt32BE((at * 7_919) % 15_000, [28, 8, 1][at % 4]);
      return bytes.toString("latin1");
    });
    for (const bytes of made) {
      for (const members of [kernel, plain]) members.addPerson([{ type: "email", hashed: true, bytes }]);
    }
    expect(kernel.count).toBe(made.length);
    const sorted = plain.drainBucket(7);
    expect(sorted.flags).toHaveLength(new Set(made).size);
    // A bucket can be read a second time.
    for (const block of [bucketOf(kernel, 7), bucketOf(kernel, 7)]) {
      expect(Buffer.compare(block.hashes, sorted.hashes)).toBe(0);
      expect(Buffer.compare(block.flags, sorted.flags)).toBe(0);
    }
  });

  test("resolves flags like TypeScript", () => {
    fc.assert(
      fc.property(fc.nat(255), fc.nat(255), (one, other) => {
        const kernel = new MemberKernel();
        const own = "b".repeat(32);
        for (const tag of [one, other])
          kernel.add({ hash: "a".repeat(32), tag, canonicalHash: (tag & 7) === 7 ? own : undefined });
        expect(bucketOf(kernel, "a".charCodeAt(0)).flags).toEqual(Uint8Array.of(mergeFlags(one, other)));
      }),
      { numRuns: faultRuns({ small: 60, all: 300 }) },
    );
  });

  test("starts again in its existing memory", () => {
    const kernel = new MemberKernel();
    for (let round = 0; round < 3; round += 1) {
      for (let at = 0; at < 5_000; at += 1) kernel.add({ hash: sha256(String(at)), tag: 0 });
      expect(kernel.count).toBe(5_000);
      expect(
        Array.from({ length: 256 }, (_, index) => bucketOf(kernel, index).flags.length).reduce((sum, one) => sum + one),
      ).toBe(5_000);
      kernel.clear();
      expect(kernel.count).toBe(0);
    }
  });
});
