import { utils, write } from "@e965/xlsx";
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { readXlsx } from "#app/sheets/read-xlsx.server.ts";
import { faultRuns } from "#tests/support/fault-runs.ts";
import { rowsOf, xlsRowsOf } from "./support/reading.ts";
import { inMemory, sharedXml, sheetXml, workbook, workbookOf, xmlEscape } from "./support/workbook.ts";

/** Text that XML can contain unescaped: no control characters, no lone surrogates. */
const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom("a", "<", "&", ">", '"', "_x000D_", "_", "]]>", " ", "\n"),
      fc.string({ unit: "grapheme" }),
    ),
    maxLength: 12,
  })
  .map((value) => value.toWellFormed().replace(/[^\P{Cc}\t\n]|[\ufffe\uffff]/gu, ""));
const table = fc.array(fc.array(text, { maxLength: 6 }), { maxLength: 12 });
const escaped = (value: string) => xmlEscape(value.replace(/_x([0-9A-Fa-f]{4})_/g, "_x005F_x$1_"));
const withoutEmptyEnds = (rows: string[][]) =>
  rows.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== "") + 1));

describe("a workbook is read as it was written", () => {
  it("with shared and inline strings, however the file is split into pieces", async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.boolean(), async (rows, shared) => {
        const texts = rows.flat();
        let index = 0;
        const cells = (row: string[]) =>
          row.map((value) =>
            shared ? `<c t="s"><v>${index++}</v></c>` : `<c t="inlineStr"><is><t>${escaped(value)}</t></is></c>`,
          );
        const xml = rows.map((row, at) => `<row r="${at + 1}">${cells(row).join("")}</row>`).join("");
        const read = await rowsOf(workbookOf(xml, sharedXml(texts, escaped)));
        expect(read).toEqual(withoutEmptyEnds(rows));
      }),
      { numRuns: faultRuns({ small: 40, all: 400 }) },
    );
  });

  it("by another library, in old formats too", async () => {
    const value = fc.oneof(
      fc.string({ unit: "grapheme-ascii", maxLength: 20 }),
      fc.boolean(),
      fc.integer(),
      fc.constantFrom(0.1, 1.5, 1e-7, 19.99),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(value, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 }),
        async (rows) => {
          const book = utils.book_new(utils.aoa_to_sheet(rows), "Sheet");
          const expected = withoutEmptyEnds(
            rows.map((row) =>
              row.map((cell) => (typeof cell === "boolean" ? String(cell).toUpperCase() : String(cell))),
            ),
          );
          for (const options of [{ bookSST: true }, { bookSST: false, compression: true }]) {
            expect(await rowsOf(write(book, { type: "buffer", bookType: "xlsx", ...options }))).toEqual(expected);
          }
          expect(await xlsRowsOf(write(book, { type: "buffer", bookType: "biff8" }))).toEqual(expected);
        },
      ),
      { numRuns: faultRuns({ small: 20, all: 60 }) },
    );
  });

  it("as a general XML parser reads it, whatever the cells contain", async () => {
    const attribute = fc.constantFrom(' s="1"', " s='12' ", ' x:y="&quot;>"', "");
    const content = text.map(escaped);
    const wrapped = fc.oneof(
      content,
      content.map((inner) => `${inner}<!-- > -->`),
      text.map((inner) => `<![CDATA[${inner.replaceAll("]]>", "")}]]>`),
    );
    const place = fc.constantFrom('r="B3"', "r='AA10'", "", 'r="A1"');
    const cell = fc.tuple(place, attribute, wrapped, fc.boolean()).map(([where, more, inner, spaced]) => {
      return `${spaced ? "\n " : ""}<c ${where}${more} t="str"><v>${inner}</v></c${spaced ? " " : ""}>`;
    });
    const row = fc.tuple(fc.constantFrom('r="3"', "", "spans='1:2'"), fc.array(cell, { maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 6 }), async (rows) => {
        const xml = sheetXml(rows.map(([more, cells]) => `<row ${more}>${cells.join("")}</row>`).join("<!---->"));
        expect(await rowsOf(workbook({ sheets: [{ name: "1", xml }] }))).toEqual(readSlowly(xml));
      }),
      { numRuns: faultRuns({ small: 40, all: 400 }) },
    );
  });

  it("with 20,000 rows, in order and whole, across all boundaries of pieces", async () => {
    const person = (index: number) => `person_${index}${"é".repeat(index % 3)}@example.com`;
    const texts = Array.from({ length: 20_000 }, (_, index) => person(index));
    const rows = texts.map((_, index) => {
      const at = index + 1;
      return `<row r="${at}" spans="1:3"><c r="A${at}" s="1" t="s"><v>${index}</v></c><c r="B${at}"><v>${15550000000 + index}</v></c><c r="D${at}" t="inlineStr"><is><t>${person(index)}</t></is></c></row>`;
    });
    let next = 0;
    await readXlsx(inMemory(workbookOf(rows.join(""), sharedXml(texts))), {
      onRow: (cells, number) => {
        if (cells[0] !== person(next) || cells[1] !== `${15550000000 + next}` || cells[3] !== person(next))
          throw new Error(`row ${number}`);
        next += 1;
        if (number !== next) throw new Error(`row ${number} came after ${next}`);
      },
    });
    expect(next).toBe(20_000);
  });
});

/** The rows of a sheet of `t="str"` cells. */
function readSlowly(xml: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let column = -1;
  let value: string | undefined;
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    if (name === "row") {
      cells = [];
      column = -1;
    }
    const place = /^[A-Z]+/.exec(attributes.r ?? "")?.[0];
    if (name === "c")
      column =
        place === undefined
          ? column + 1
          : [...place].reduce((sum, character) => sum * 26 + character.charCodeAt(0) - 64, 0) - 1;
    if (name === "v") value = "";
  });
  const add = (more: string) => {
    if (value !== undefined) value += more;
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("closetag", ({ name }) => {
    if (name === "v" && value) {
      while (cells.length < column) cells.push("");
      cells[column] = value.replace(/_x([0-9A-F]{4})_/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
    }
    if (name === "v") value = undefined;
    if (name === "row") rows.push(cells);
  });
  parser.write(xml).close();
  return rows;
}
