import { describe, expect, it } from "vitest";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { rejectionCodeOf, rowsOf } from "./support/reading.ts";
import { sharedXml, sheetXml, workbook, workbookOf } from "./support/workbook.ts";

const cell = (content: string) => `<row r="1"><c r="A1" ${content}</c></row>`;
const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;">]>`;
const shared = sharedXml(["jane.saoirse@example.com"]);

describe("a sheet that needs too much", () => {
  const cases: [string, string, string][] = [
    ["5,001 columns", '<row r="1"><c r="GJI1"><v>1</v></c></row>', "too_many_columns"],
    ["5,001 columns without names", `<row>${"<c><v>1</v></c>".repeat(5001)}</row>`, "too_many_columns"],
    [
      "a column that has no end",
      '<row r="1"><c r="ZZZZZZZZZZZZZZZZZZZZZZZZ1" s="1"><v>1</v></c></row>',
      "too_many_columns",
    ],
    ["a row beyond the last", '<row r="1048577"/>', "too_many_rows"],
    ["a row number beyond numbers", `<row r="${"9".repeat(400)}"/>`, "too_many_rows"],
    ["a text of 300,000 characters", cell(`t="inlineStr"><is><t>${"x".repeat(300_000)}</t></is>`), "too_long_cell"],
    ["a text of 300,000 pieces", cell(`t="inlineStr"><is>${"<r><t>x</t></r>".repeat(300_000)}</is>`), "too_long_cell"],
    ["an attribute of a million characters", cell(`x="${"x".repeat(1_000_000)}">`), "too_long_cell"],
  ];
  it.each(cases)("is rejected: %s", async (_, rows, code) => {
    expect(await rejectionCodeOf(workbookOf(rows))).toBe(code);
  });

  it("is read up to the last column, with elements nested to any depth", async () => {
    expect((await rowsOf(workbookOf('<row r="1"><c r="GJH1"><v>1</v></c></row>')))[0]).toHaveLength(5000);
    const deep = `<row><c><extLst>${"<a>".repeat(200_000)}<v>9</v>${"</a>".repeat(200_000)}</extLst><v>1</v></c></row>`;
    expect(await rowsOf(workbookOf(deep))).toEqual([["1"]]);
  });

  it("cannot expand to millions of rows or empty cells from a small file", async () => {
    expect(await rejectionCodeOf(workbookOf("<row/>".repeat(1001)), { limits: { rows: 1000 } })).toBe("too_many_rows");
    const wide = '<row><c r="GJH1"><v>1</v></c></row>'.repeat(21);
    expect(await rejectionCodeOf(workbookOf(wide), { limits: { cells: 100_000 } })).toBe("too_many_cells");
  });
});

describe("a sheet that contradicts itself", () => {
  const cases: [string, string, string][] = [
    ["a shared text out of range", cell('t="s"><v>1</v>'), "damaged"],
    ["a shared text of no number", cell('t="s"><v>NaN</v>'), "damaged"],
    ["a shared text before the first", cell('t="s"><v>-1</v>'), "damaged"],
    ["a shared text by exponent", cell('t="s"><v>1e0</v>'), "damaged"],
    ["a shared text far out of range", cell(`t="s"><v>${"9".repeat(400)}</v>`), "damaged"],
    ["a row of no number", '<row r="NaN"/>', "damaged"],
    ["row 0", '<row r="0"/>', "damaged"],
    ["a cell without a column", '<row r="1"><c r="1"><v>1</v></c></row>', "damaged"],
    ["a cell in a small letter", '<row r="1"><c r="a1"><v>1</v></c></row>', "damaged"],
    ["an unknown kind", cell('t="z"><v>1</v>'), "damaged"],
    ["an unknown entity", cell('t="str"><v>&lol;</v>'), "damaged"],
    ["an ampersand alone", cell('t="str"><v>a & b</v>'), "damaged"],
    ["a forbidden character", cell('t="str"><v>\u0001</v>'), "damaged"],
    ["a forbidden character by number", cell('t="str"><v>&#0;</v>'), "damaged"],
    ["half a character by number", cell('t="str"><v>&#xD800;</v>'), "damaged"],
    ["a character beyond all", cell('t="str"><v>&#x110000;</v>'), "damaged"],
    ["mismatched tags", "</sheetData></worksheet></worksheet>", "damaged"],
    ["a tag that never ends", "<row", "too"],
    ["an attribute without quotes", "<row r=1/>", "damaged"],
    ["an attribute without a value", "<row r/>", "damaged"],
    ["a tag within a tag", '<row r="<c>"/>', "damaged"],
    ["a tag without a name", "< row/>", "damaged"],
  ];
  it.each(cases.filter(([, , code]) => code === "damaged"))("is rejected: %s", async (_, rows, code) => {
    expect(await rejectionCodeOf(workbookOf(rows, shared))).toBe(code);
  });

  it("is rejected when it is truncated or not in its declared encoding", async () => {
    const xmls = [
      sheetXml("").slice(0, -3),
      sheetXml("").replace("</worksheet>", ""),
      '<?xml version="1.0" encoding="UTF-7"?><worksheet/>',
    ];
    for (const xml of xmls) expect(await rejectionCodeOf(workbook({ sheets: [{ name: "1", xml }] }))).toBe("damaged");
    const latin = Buffer.from(sheetXml(cell('t="str"><v>é</v>')), "latin1");
    expect(await rejectionCodeOf(workbook({ sheets: [{ name: "1", xml: "", lie: { data: latin } }] }))).toBe("damaged");
  });

  it("never has its content in the error message", async () => {
    for (const [, rows] of cases) {
      const marked = `<row r="1"><c r="A1" t="inlineStr"><is><t>jane.saoirse@example.com</t></is></c></row>${rows}`;
      const error: unknown = await rowsOf(workbookOf(marked, shared)).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SheetError);
      expect(String(error)).toMatch(/^SheetError: (This|A cell|Open) [\w ,.'()-]+$/);
      expect(String(error)).not.toContain("jane");
    }
  });
});

describe("declarations", () => {
  it("are rejected in every part that is read, so that no entity ever expands", async () => {
    const row = cell('t="str"><v>&lol2;</v>');
    const sheet = { name: "1", xml: sheetXml(row).replace(/^<\?xml.*\n/, bomb) };
    expect(await rejectionCodeOf(workbook({ sheets: [sheet] }))).toBe("forbidden_content");
    const good = { name: "1", xml: sheetXml("") };
    const table = `${bomb}<sst><si><t>&lol2;</t></si></sst>`;
    expect(await rejectionCodeOf(workbook({ sheets: [good], sharedStrings: table }))).toBe("forbidden_content");
    for (const name of ["xl/workbook.xml", "_rels/.rels", "xl/_rels/workbook.xml.rels"]) {
      const more = [{ name, data: `${bomb}<a/>` }];
      expect(await rejectionCodeOf(workbook({ sheets: [good], more }))).toBe("forbidden_content");
    }
  });
});
