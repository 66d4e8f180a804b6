import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openText } from "#app/domain/catalog/imports/parsing/open-text.ts";
import { tableRows } from "#app/domain/catalog/imports/parsing/table.server.ts";
import { CsvScanner } from "#app/sheets/csv-scanner.ts";
import { faultRuns } from "#tests/support/fault-runs.ts";

/** The reader of delimited text against csv-parse; those of workbooks are compared with SheetJS in their own tests. */
const delimiters = [",", ";", "\t", "|"] as const;
const lineEnds = ["\n", "\r\n", "\r", "mixed"] as const;
/**
 * The line ends of a file in which each line may have another; the line feeds show that carriage returns are not its
 * only ones.
 */
const mixedEnds = ["\n", "\r", "\r\n", "\r", "\n", "\n", "\r\n", "\r\n", "\r"];
const cell = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('"', ",", ";", "\t", "|", " ", "\n", "'", "=", "é", "ß", "日", "€", "0"),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
    ),
    maxLength: 10,
  })
  .map((text) => text.toWellFormed().replace(/[\0\r\ufeff\ufffd]/g, ""));

const file = fc
  .record({
    delimiter: fc.constantFrom(...delimiters),
    lineEnd: fc.constantFrom(...lineEnds),
    columns: fc.integer({ min: 2, max: 6 }),
    quoteAll: fc.boolean(),
    endsWithLine: fc.boolean(),
    hasMark: fc.boolean(),
    cells: fc.array(cell, { maxLength: 60 }),
    pieces: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 }),
  })
  .map(({ delimiter, lineEnd, columns, quoteAll, endsWithLine, hasMark, cells, pieces }) => {
    const header = Array.from({ length: columns }, (_, index) => `column ${index}`);
    const rows = [header];
    for (let from = 0; from < cells.length; from += columns) {
      const row = cells.slice(from, from + columns);
      rows.push([...row, ...Array<string>(columns - row.length).fill("")]);
    }
    const write = (text: string) =>
      quoteAll || /["\n]|^ | $/.test(text) || delimiters.some((one) => text.includes(one))
        ? `"${text.replaceAll('"', '""')}"`
        : text;
    const endOf = (at: number) => (lineEnd === "mixed" ? (mixedEnds[at % mixedEnds.length] ?? "") : lineEnd);
    const lines = rows.map((row, at) => row.map(write).join(delimiter) + endOf(at));
    const text = endsWithLine || rows.length === 1 ? lines.join("") : lines.join("").replace(/(?:\r\n|[\r\n])$/, "");
    return { text: hasMark ? `\ufeff${text}` : text, delimiter, lineEnd, pieces };
  });

function piecesOf(text: string, sizes: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const cut: Buffer[] = [];
  let from = 0;
  for (const size of sizes) {
    cut.push(bytes.subarray(from, from + size));
    from += size;
  }
  return [...cut, bytes.subarray(from)];
}

function secondReader(text: string, { delimiter, lineEnd }: { delimiter: string; lineEnd: string }): string[][] {
  const record_delimiter = lineEnd === "mixed" ? ["\r\n", "\n", "\r"] : lineEnd;
  const options = { bom: true, delimiter, record_delimiter, skip_empty_lines: false };
  return parse(text, { ...options, cast: false });
}

test("delimited text has the records that csv-parse finds, however it is written and split into pieces", () => {
  fc.assert(
    fc.property(file, ({ text, pieces, ...format }) => {
      const records: string[][] = [];
      const scanner = new CsvScanner((cells) => void records.push(Array.from(cells)));
      for (const piece of piecesOf(text, pieces)) scanner.push(Buffer.from(piece));
      scanner.end();
      expect(records).toEqual(secondReader(text, format));
    }),
    { numRuns: faultRuns({ small: 400, all: 5_000 }) },
  );
});

test("a catalog's table has the rows that csv-parse finds, less blank ones", async () => {
  await fc.assert(
    fc.asyncProperty(file, async ({ text, pieces, ...format }) => {
      const rows: string[][] = [];
      const source = openText(piecesOf(text, pieces), "utf-8");
      for await (const batch of tableRows(source)) for (const { cells } of batch) rows.push(Array.from(cells, String));
      const expected = secondReader(text, format).filter((cells) => cells.some((value) => value.trim() !== ""));
      expect(rows).toEqual(expected);
    }),
    { numRuns: faultRuns({ small: 200, all: 3_000 }) },
  );
});

test("a row of spaces of any kind is blank, in columns that are not decoded as well", async () => {
  const rowsOf = async (bytes: Buffer, columnsToDecode?: ReadonlySet<number>) => {
    const found: (number | string)[] = [];
    for await (const batch of tableRows(openText([bytes], "utf-8"), columnsToDecode)) {
      found.push(...batch.map(({ row, isDamaged }) => (isDamaged ? `${row} is damaged` : row)));
    }
    return found;
  };
  const blank = ["\u2000", "\u00a0 ", "\u3000", '"\u00a0"', " "].map((space) => `${space},${space}\n`);
  const text = `Name,SKU\n${blank.join("")}Tea,A\n\u00a0,\u3000B\n`;
  expect(await rowsOf(Buffer.from(text))).toEqual([1, 7, 8]);
  expect(await rowsOf(Buffer.from(text), new Set([0]))).toEqual([1, 7, 8]);
  // A non-breaking space of Windows-1252.
  expect(await rowsOf(Buffer.from("Name,SKU\n\xa0,\nTea,A\n", "latin1"))).toEqual([1, 3]);
});

test("a table below a title with other delimiters has the records that csv-parse finds", () => {
  const scan = (text: string) => {
    const records: string[][] = [];
    const scanner = new CsvScanner((cells) => void records.push(Array.from(cells)));
    scanner.push(Buffer.from(text));
    scanner.end();
    return records;
  };
  const titles = fc.constantFrom("Acme, Inc.", "A, B, C and D, by month", "Tea | pots; and more | 2026", "Stock,");
  fc.assert(
    fc.property(file, titles, ({ text, ...format }, title) => {
      const lines = secondReader(text, format);
      // Without a row, the header may be one as well as the title.
      fc.pre(!title.includes(format.delimiter) && !text.startsWith("\ufeff") && lines.length > 1);
      const lineEnd = format.lineEnd === "mixed" ? "\n" : format.lineEnd;
      expect(scan(`${title}${lineEnd}${text}`).slice(1)).toEqual(lines);
    }),
    { numRuns: faultRuns({ small: 200, all: 3_000 }) },
  );
  expect(scan("Acme, Inc.\n\nSKU;Name;Price\nA;Tea;1,50\nB;Pot;12")).toEqual([
    ["Acme, Inc."],
    [""],
    ["SKU", "Name", "Price"],
    ["A", "Tea", "1,50"],
    ["B", "Pot", "12"],
  ]);
  // Rows that lack cells, or of which one has another delimiter, are of the header's table.
  expect(scan("Email,Tags\nann@example.com\nbo@example.com,a;b\ncy@example.com,a;b")[2]).toEqual([
    "bo@example.com",
    "a;b",
  ]);
  expect(scan("Email,Tags\na;b\nc@example.com\nd@example.com,x")[0]).toEqual(["Email", "Tags"]);
});

test("line ends that were converted twice end one line each, wherever the text is split", () => {
  for (const piece of [1, 2, 3, 1_000]) {
    const records: string[][] = [];
    const scanner = new CsvScanner((cells) => void records.push(Array.from(cells)));
    const bytes = Buffer.from('Email,Note\r\r\na@example.com,"x"\r\r\nb@example.com,y\r\r\n');
    for (let from = 0; from < bytes.length; from += piece) scanner.push(bytes.subarray(from, from + piece));
    scanner.end();
    expect(records).toEqual([
      ["Email", "Note"],
      ["a@example.com", "x"],
      ["b@example.com", "y"],
    ]);
  }
});

test("a stray quote hides no record below it, wherever the text is split", () => {
  const scan = (text: string, piece: number) => {
    const records: string[][] = [];
    const scanner = new CsvScanner((cells) => void records.push(Array.from(cells)));
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += piece) scanner.push(bytes.subarray(from, from + piece));
    scanner.end();
    return records;
  };
  const rows = "\nb@example.com,x\nc@example.com,y";
  for (const piece of [1, 7, 1_000]) {
    for (const [stray, cell] of [
      ['42"" TV', '42"" TV'],
      ['42"', '42"'],
      ['"42 TV', "42 TV"],
      ['"', ""],
    ] as const) {
      expect(scan(`Email,Note\na@example.com,${stray}${rows}`, piece), stray).toEqual([
        ["Email", "Note"],
        ["a@example.com", cell],
        ["b@example.com", "x"],
        ["c@example.com", "y"],
      ]);
    }
    // A later cell in quotes shows that the first quote was never closed.
    expect(scan('Email,Note\na@example.com,"x\nb@example.com,"y, z"\nc@example.com,"1\n2"', piece).slice(1)).toEqual([
      ["a@example.com", "x"],
      ["b@example.com", "y, z"],
      ["c@example.com", "1\n2"],
    ]);
    expect(scan('Note,Email\n"1\n2",a@example.com\n"x\n"y",b@example.com', piece).slice(1)).toEqual([
      ["1\n2", "a@example.com"],
      ["x"],
      ["y", "b@example.com"],
    ]);
  }
});

test("a quote that encloses no cell is part of it, and hides no record of text with tabs", () => {
  const scan = (text: string, piece: number) => {
    const records: string[][] = [];
    const scanner = new CsvScanner((cells) => void records.push(Array.from(cells)));
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += piece) scanner.push(bytes.subarray(from, from + piece));
    scanner.end();
    return records;
  };
  for (const piece of [1, 7, 1_000]) {
    expect(scan('Name,SKU\n"Love" Mug,A\n"12" x 8" frame",B\n "x, y" ,C\n"z"\t,D\t', piece).slice(1)).toEqual([
      ['"Love" Mug', "A"],
      ['"12" x 8" frame"', "B"],
      ["x, y", "C"],
      ["z", "D\t"],
    ]);
    const names = ['"Love" Mug', '"Vintage Poster', "Lid", '12" Frame', '"', '"1\n2"', '"Sale" and "more"'];
    const rows = names.map((name, at) => `${name}\t${at}\tTea`);
    expect(scan(`Name\tSKU\tType\n${rows.join("\n")}`, piece).slice(1)).toEqual(
      names.map((name, at) => [name === '"1\n2"' ? "1\n2" : name, String(at), "Tea"]),
    );
  }
});
