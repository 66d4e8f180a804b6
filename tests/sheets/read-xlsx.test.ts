import { describe, expect, it } from "vitest";
import { readXlsx } from "#app/sheets/read-xlsx.server.ts";
import { read as collect, rowsOf } from "./support/reading.ts";
import {
  inMemory,
  relation,
  relationsXml,
  sharedXml,
  sheetXml,
  strictNamespace,
  strictOffice,
  workbook,
  workbookOf,
  workbookXml,
} from "./support/workbook.ts";

describe("the rows of a workbook", () => {
  it("have numbers, shared and inline strings, booleans, errors and dates as text", async () => {
    const rows = `<row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1"><v>12.5</v></c><c r="C1" t="b"><v>1</v></c></row>
      <row r="2"><c r="A2" t="inlineStr"><is><t>in line</t></is></c><c r="B2" t="e"><v>#N/A</v></c><c r="C2" t="b"><v>0</v></c></row>
      <row r="3"><c r="A3" s="4"><v>45678</v></c><c r="B3" t="d"><v>2026-01-31</v></c><c r="C3" t="str"><v>made</v></c></row>`;
    expect(await rowsOf(workbookOf(rows, sharedXml(["zero", "one"])))).toEqual([
      ["one", "12.5", "TRUE"],
      ["in line", "#N/A", "FALSE"],
      ["45678", "2026-01-31", "made"],
    ]);
  });

  it("have sparse cells in their columns, without empty ones at the end", async () => {
    const rows = `<row r="2"><c r="C2"><v>3</v></c><c r="AB2" t="s"><v>0</v></c><c r="AC2" s="1"/><c r="AD2"><v></v></c></row>
      <row r="7"/><row><c><v>1</v></c><c r="D8"><v>4</v></c><c><v>5</v></c></row>`;
    const { events } = await collect(workbookOf(rows, sharedXml(["x"])));
    expect(events).toEqual([
      { sheet: "Sheet1", hidden: false },
      { row: 2, cells: ["", "", "3", ...Array.from({ length: 24 }, () => ""), "x"] },
      { row: 7, cells: [] },
      { row: 8, cells: ["1", "", "", "4", "5"] },
    ]);
  });

  it("have text only for the wanted columns, from the wanted row on", async () => {
    const row = (at: number) =>
      `<row r="${at}"><c r="A${at}"><v>1</v></c><c r="B${at}" t="s"><v>0</v></c><c r="C${at}" t="inlineStr"><is><r><t>run</t></r></is></c></row>`;
    const rows: (readonly string[])[] = [];
    const wanted = () => (rows.length < 2 ? undefined : new Set(rows.length < 4 ? [1] : [2]));
    const onRow = (cells: readonly string[]) => void rows.push(cells);
    const file = workbookOf([1, 2, 3, 4, 5, 6].map(row).join(""), sharedXml(["x"]));
    await readXlsx(inMemory(file), { columnsToDecode: wanted, onRow });
    expect(rows).toEqual([
      ["1", "x", "run"],
      ["1", "x", "run"],
      ["", "x"],
      ["", "x"],
      ["", "", "run"],
      ["", "", "run"],
    ]);
  });

  it("have the stored result of a formula, and say when there is none", async () => {
    const rows = `<row r="1"><c r="A1" t="str"><f>HYPERLINK("http://evil.example","x")</f><v>shown</v></c>
      <c r="B1"><f>cmd|' /C calc'!A0</f></c><c r="C1"><f>1+1</f><v>2</v></c><c r="D1" t="inlineStr"><is><t>=1+1</t></is></c></row>`;
    expect(await rowsOf(workbookOf(rows))).toEqual([["shown", "#FORMULA!", "2", "=1+1"]]);
  });

  it("have numbers as a person reads them", async () => {
    const numbers = [
      "1.5551234567E10",
      "19.989999999999998",
      "0.1",
      "1.50",
      "007",
      "12345678901234567",
      "-2.5e-3",
      "1E400",
    ];
    const rows = numbers.map((number) => `<row><c><v>${number}</v></c></row>`).join("");
    const read = ["15551234567", "19.99", "0.1", "1.5", "007", "12345678901234567", "-0.0025", "1E400"];
    expect((await rowsOf(workbookOf(rows))).flat()).toEqual(read);
  });

  it("have rich text joined without phonetic hints, with entities, escapes and CDATA decoded", async () => {
    const shared = `<sst xmlns="x"><si><r><rPr><b/><sz val="11"/></rPr><t>Jür</t></r><r><t xml:space="preserve">gen &amp; </t></r>
      <rPh sb="0" eb="1"><t>hint</t></rPh></si><si><t>a_x000D__x005F_x0041_&#x41;&#66;<!-- no -->c</t></si>
      <si><t><![CDATA[<&>]]></t></si><si/><si><t>😀</t></si></sst>`;
    const cells = [0, 1, 2, 3, 4].map((index) => `<c t="s"><v>${index}</v></c>`).join("");
    expect(await rowsOf(workbookOf(`<row>${cells}</row>`, shared))).toEqual([
      ["Jürgen & ", "a\r_x0041_ABc", "<&>", "", "😀"],
    ]);
  });

  it("come from every sheet in the workbook's order, with its name and visibility", async () => {
    const row = (value: number) => sheetXml(`<row r="1"><c r="A1"><v>${value}</v></c></row>`);
    const bytes = workbook({
      sheets: [
        { name: "Second & last", xml: row(1) },
        { name: "Ärger", xml: row(2), state: "veryHidden" },
      ],
    });
    const { events } = await collect(bytes);
    expect(events).toEqual([
      { sheet: "Second & last", hidden: false },
      { row: 1, cells: ["1"] },
      { sheet: "Ärger", hidden: true },
      { row: 1, cells: ["2"] },
    ]);
    const skipped = await collect(bytes, { onSheet: ({ hidden }) => !hidden });
    expect(skipped.events.filter((event) => "row" in event)).toEqual([{ row: 1, cells: ["1"] }]);
  });

  it("come from strict workbooks, prefixes, single quotes, UTF-16 and absolute targets", async () => {
    const prefixed = `<?xml version='1.0'?><x:worksheet xmlns:x='${strictNamespace}'><x:sheetData><x:row r='1'><x:c r='A1' t='inlineStr'>
      <x:is><x:t>strict</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`;
    const wide = Buffer.from(
      `\uFEFF${sheetXml('<row r="1"><c r="A1" t="inlineStr"><is><t>Grüße</t></is></c></row>')}`,
      "utf16le",
    );
    const bytes = workbook({
      officeBase: strictOffice,
      sheets: [
        { name: "1", xml: prefixed },
        { name: "2", xml: "", lie: { data: wide } },
      ],
      more: [
        {
          name: "xl/_rels/workbook.xml.rels",
          data: relationsXml(
            relation("rId0", "worksheet", "/xl/worksheets/sheet0.xml", strictOffice) +
              relation("rId1", "worksheet", "../xl/worksheets/./sheet1.xml", strictOffice),
          ),
        },
      ],
    });
    expect(await rowsOf(bytes)).toEqual([["strict"], ["Grüße"]]);
  });

  it("come without opening macros, charts and external links, which may be present", async () => {
    const bytes = workbook({
      sheets: [{ name: "1", xml: sheetXml("<row><c><v>1</v></c></row>") }],
      relations:
        '<Relationship Id="x" Type="http://x/externalLink" Target="http://evil.example/x" TargetMode="External"/>' +
        relation("rIdV", "vbaProject", "vbaProject.bin"),
      more: [
        { name: "xl/vbaProject.bin", data: Buffer.from("d0cf11e0", "hex") },
        { name: "xl/externalLinks/externalLink1.xml", data: "<!DOCTYPE x><x/>" },
        {
          name: "xl/workbook.xml",
          data: workbookXml(
            '<sheet name="1" r:id="rId0"/><sheet name="macros" r:id="rIdV"/><sheet name="far" r:id="x"/>',
          ),
        },
      ],
    });
    expect(await rowsOf(bytes)).toEqual([["1"]]);
  });

  it("wait for their receiver, and stop when it throws or the signal aborts", async () => {
    const rows = Array.from({ length: 5 }, (_, index) => `<row><c><v>${index}</v></c></row>`).join("");
    const seen: string[] = [];
    let busy = false;
    const waiting = async (cells: readonly string[]) => {
      expect(busy).toBe(false);
      busy = true;
      await new Promise((resolve) => setTimeout(resolve, 1));
      busy = false;
      seen.push(cells.join());
      if (seen.length === 3) throw new Error("enough");
    };
    await expect(collect(workbookOf(rows), { onRow: waiting })).rejects.toThrow("enough");
    expect(seen).toEqual(["0", "1", "2"]);
    await expect(collect(workbookOf(rows), { signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow(
      "too late",
    );
  });
});
