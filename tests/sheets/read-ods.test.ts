import { utils, write } from "@e965/xlsx";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOds } from "#app/sheets/ods/read-ods.server.ts";
import { faultRuns } from "#tests/support/fault-runs.ts";
import { read, rejectionCodeOf, rowsOf } from "./support/reading.ts";
import { xmlEscape } from "./support/workbook.ts";
import { type ZipFile, zip } from "./support/zip.ts";

const namespaces = ["office", "table", "text", "style", "draw"].map(
  (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
);
const type = "application/vnd.oasis.opendocument.spreadsheet";
const content = (tables: string, styles = "") =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${namespaces.join(" ")}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`;

function documentOf(xml: string, more: ZipFile[] = []): Buffer {
  return zip([{ name: "mimetype", data: type, stored: true }, { name: "content.xml", data: xml }, ...more]);
}
const table = (rows: string, name = "Sheet1", more = "") =>
  `<table:table table:name="${name}"${more}>${rows}</table:table>`;
const row = (cells: string, more = "") => `<table:table-row${more}>${cells}</table:table-row>`;
const cell = (shown: string, more = 'office:value-type="string"') =>
  `<table:table-cell ${more}><text:p>${shown}</text:p></table:table-cell>`;
const odsRowsOf = (file: Uint8Array, options = {}) => rowsOf(file, { ...options, with: readOds });
const rejectionOf = (file: Uint8Array, options = {}) => rejectionCodeOf(file, { ...options, with: readOds });
const float = (value: string, shown: string) => cell(shown, `office:value-type="float" office:value="${value}"`);

describe("the cells of an OpenDocument spreadsheet", () => {
  it.each([
    ["3.33333333333333", "3.33", "3.33"],
    ["3.33333333333333", "3,33", "3.33"],
    ["742", "00742", "00742"],
    ["1234.5", "1.234,50", "1234.50"],
    ["1234567", "1’234’567", "1234567"],
    ["15551234567", "1.56E+10", "15551234567"],
    ["15551234567", "###", "15551234567"],
    ["-12.5", "-12,5", "-12.5"],
    ["1", "Yes", "Yes"],
    ["3.33", "3,33 €", "3,33 €"],
    ["72000", "CLP 72.000", "CLP 72.000"],
    ["0.1", "0,1", "0.1"],
  ])("have the number %s shown as %s as %s", async (value, shown, expected) => {
    expect(await odsRowsOf(documentOf(content(table(row(float(value, shown))))))).toEqual([[expected]]);
  });

  it("have amounts with their currency, dates, truth values, errors and formulas", async () => {
    const cells = [
      cell("3,33 €", 'office:value-type="currency" office:currency="EUR" office:value="3.33"'),
      cell("$3.33", 'office:value-type="currency" office:value="3.33"'),
      cell("15.03.23", 'office:value-type="date" office:date-value="2023-03-15"'),
      cell("15.03.23 12:00", 'office:value-type="date" office:date-value="2023-03-15T12:00:00"'),
      cell("WAHR", 'office:value-type="boolean" office:boolean-value="true"'),
      cell("26 %", 'office:value-type="percentage" office:value="0.256"'),
      cell("#N/A", 'office:value-type="string" office:string-value="" table:formula="of:=NA()"'),
      '<table:table-cell table:formula="of:=1+1"/>',
      '<table:table-cell office:value-type="string" office:string-value="kept"/>',
    ];
    expect(await odsRowsOf(documentOf(content(table(row(cells.join(""))))))).toEqual([
      ["3.33 EUR", "$3.33", "2023-03-15", "2023-03-15 12:00:00", "TRUE", "26 %", "#N/A", "#FORMULA!", "kept"],
    ]);
  });

  it("have the text of their paragraphs, without comments and drawings", async () => {
    const cells = [
      '<table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p></office:annotation><text:p>one<text:s text:c="2"/><text:span>t<text:a>w</text:a>o</text:span><text:tab/>&amp;<text:line-break/>é</text:p><text:p>more</text:p></table:table-cell>',
      "<table:table-cell><draw:frame><draw:text-box><text:p>drawn</text:p></draw:text-box></draw:frame></table:table-cell>",
      '<table:table-cell office:value-type="string"><text:p>a\n   b<text:note><text:p>foot</text:p></text:note></text:p></table:table-cell>',
    ];
    expect(await odsRowsOf(documentOf(content(table(row(cells.join(""))))))).toEqual([
      ["one  two\t&\né\nmore", "", "a b"],
    ]);
  });

  it("are in their columns and rows, however often cells and rows are repeated", async () => {
    const rows = [
      row(
        `<table:table-cell table:number-columns-repeated="2"/>${cell("x", 'office:value-type="string" table:number-columns-repeated="2"')}<table:covered-table-cell/>${cell("y")}`,
      ),
      row("<table:table-cell/>", ' table:number-rows-repeated="3"'),
      `<table:table-header-rows>${row(cell("z"), ' table:number-rows-repeated="2"')}</table:table-header-rows>`,
      row('<table:table-cell table:number-columns-repeated="16384"/>', ' table:number-rows-repeated="1048569"'),
    ];
    const { events } = await read(documentOf(content(table(rows.join("")))), { with: readOds });
    expect(events).toEqual([
      { sheet: "Sheet1", hidden: false },
      { row: 1, cells: ["", "", "x", "x", "", "y"] },
      { row: 5, cells: ["z"] },
      { row: 6, cells: ["z"] },
    ]);
  });

  it("come from all tables, which may be hidden or left out", async () => {
    const styles =
      '<style:style style:name="ta1"><style:table-properties table:display="true"/></style:style><style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>';
    const tables = [
      table(row(cell("1")), "A", ' table:style-name="ta1"'),
      table(row(cell("2")), "B &amp; C", ' table:style-name="ta2"'),
    ];
    const file = documentOf(content(tables.join(""), styles));
    const { events } = await read(file, { with: readOds });
    expect(events.filter((event) => "sheet" in event)).toEqual([
      { sheet: "A", hidden: false },
      { sheet: "B & C", hidden: true },
    ]);
    expect(await odsRowsOf(file, { onSheet: ({ hidden }: { hidden: boolean }) => !hidden })).toEqual([["1"]]);
    expect(await odsRowsOf(file, { columnsToDecode: () => new Set([1]) })).toEqual([]);
  });

  it("are read as another library writes them", async () => {
    const text = fc
      .string({
        unit: fc.oneof(fc.constantFrom("a", "<", "&", " ", "\n"), fc.string({ unit: "grapheme" })),
        maxLength: 12,
      })
      .map((value) =>
        value
          .toWellFormed()
          .replace(/[^\P{Cc}\n]|[\ufffe\uffff]/gu, "")
          .trim(),
      );
    const value = fc.oneof(text, fc.boolean(), fc.integer(), fc.constantFrom(0.1, 1.5, 19.99));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(value, { minLength: 1, maxLength: 6 }), { maxLength: 8 }), async (rows) => {
        const book = utils.book_new(utils.aoa_to_sheet(rows), "Sheet");
        const expected = rows
          .map((cells) => cells.map((one) => (typeof one === "boolean" ? String(one).toUpperCase() : String(one))))
          .map((cells) => cells.slice(0, cells.findLastIndex((one) => one !== "") + 1))
          .filter((cells) => cells.length > 0);
        expect(await odsRowsOf(write(book, { type: "buffer", bookType: "ods" }))).toEqual(expected);
      }),
      { numRuns: faultRuns({ small: 30, all: 500 }) },
    );
  });
});

describe("an OpenDocument file", () => {
  const simple = documentOf(content(table(row(cell("e-mail") + cell("a@b.example")))));

  it("is rejected when it is encrypted, no spreadsheet, damaged or hostile", async () => {
    const manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>";
    const cases: [string, Uint8Array][] = [
      ["encrypted", documentOf(content(""), [{ name: "META-INF/manifest.xml", data: manifest }])],
      [
        "not_a_spreadsheet",
        zip([
          { name: "mimetype", data: "application/vnd.oasis.opendocument.text" },
          { name: "content.xml", data: content("") },
        ]),
      ],
      ["not_a_spreadsheet", zip([{ name: "mimetype", data: type }])],
      ["not_a_spreadsheet", documentOf(content(""))],
      ["damaged", documentOf(content(table(row(cell("x")))).slice(0, -40))],
      ["damaged", documentOf(content(table(row(cell("x"), ' table:number-rows-repeated="-1"'))))],
      ["forbidden_content", documentOf(`<!DOCTYPE a [<!ENTITY b "c">]>${content(table(row(cell("&b;")))).slice(38)}`)],
      ["too_many_columns", documentOf(content(table(row(cell("x", 'table:number-columns-repeated="999999999"')))))],
      ["too_many_rows", documentOf(content(table(row(cell("x"), ' table:number-rows-repeated="999999999"'))))],
      ["too_long_cell", documentOf(content(table(row(cell(`${xmlEscape("x").repeat(300_000)}`)))))],
    ];
    for (const [code, file] of cases) expect(await rejectionOf(file), code).toBe(code);
    const repeated = documentOf(
      content(table(row(cell("x", 'table:number-columns-repeated="1000"'), ' table:number-rows-repeated="1000000"'))),
    );
    expect(await rejectionOf(repeated, { limits: { cells: 10_000 } })).toBe("too_many_cells");
  });

  it("is read or rejected with our own message wherever it is truncated or a byte is changed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(simple.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        async (at, change, cut) => {
          const changed = Buffer.from(cut ? simple.subarray(0, at) : simple);
          if (!cut) changed[at] = (changed[at] ?? 0) ^ change;
          await rejectionOf(changed);
        },
      ),
      { numRuns: faultRuns({ small: 150, all: 3_000 }) },
    );
  });
});
