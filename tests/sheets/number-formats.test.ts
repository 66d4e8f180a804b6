import { utils, write } from "@e965/xlsx";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatNumberAs } from "#app/sheets/numbers/format-cell.ts";
import { compileNumberFormat } from "#app/sheets/numbers/number-format.ts";
import { faultRuns } from "#tests/support/fault-runs.ts";
import { rowsOf, xlsRowsOf } from "./support/reading.ts";
import { relation, sheetXml, workbook } from "./support/workbook.ts";

const shown = (code: string, text: string, options = {}) => formatNumberAs(compileNumberFormat(code, options), text);

/** How a workbook shows numbers in India: 12,34,567. */
const indian = "[>=10000000]##\\,##\\,##\\,##0;[>=100000]##\\,##\\,##0;##,##0";

/** A workbook whose cells have styles 0, 1 … with these formats. Rows are `<row>` elements. */
function styled(codes: string[], rows: string): Buffer {
  const own = codes.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`);
  const cells = codes.map((_, index) => `<xf numFmtId="${164 + index}"/>`);
  const styles = `<styleSheet><numFmts>${own.join("")}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${cells.join("")}<xf numFmtId="14"/><xf/></cellXfs></styleSheet>`;
  return workbook({
    sheets: [{ name: "1", xml: sheetXml(rows) }],
    more: [{ name: "xl/styles.xml", data: styles }],
    relations: relation("rIdF", "styles", "styles.xml"),
  });
}

describe("a number with a format", () => {
  it.each([
    ["0.00", "3.3333333333333335", "3.33"],
    ["0.00", "19.989999999999998", "19.99"],
    ["00000", "742", "00742"],
    ["#,##0.00", "1234567.5", "1234567.50"],
    ["#,##0", "15551234567", "15551234567"],
    ["0", "15551234567", "15551234567"],
    ['"$"#,##0.00', "1234.5", "$1234.50"],
    [indian, "123456", "123456"],
    [indian, "1234567890", "1234567890"],
    [indian, "12345", "12345"],
    [indian.replaceAll("0;", '0.00" USD";'), "1234567.5", "1234567.50 USD"],
    ['"1,2 kg "0\\,00', "1234", "1,2 kg 12,34"],
    ['"$"#,##0_);[Red]\\("$"#,##0\\)', "1800", "$1800"],
    ['"$"#,##0.00', "1234567.5", "$1234567.50"],
    ["[$€-407] #,##0.00", "1234.5", "€ 1234.50"],
    ['#,##0.00\\ "€"', "3.5", "3.50 €"],
    ["[$CLP] #,##0", "72000", "CLP 72000"],
    ["[$$-409]#,##0.00", "5", "$5.00"],
    ["[$$-1009]#,##0.00", "5", "CAD 5.00"],
    ["[$$-C09]#,##0.00", "5", "AUD 5.00"],
    ["0.00", "1.005", "1.01"],
    ["0.00", "-2.675", "-2.68"],
    ["0.0%", "0.1225", "12.3%"],
    ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', "3.5", "$3.50"],
    ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', "0", "0"],
    ["0%", "0.256", "26%"],
    ["(###) ###-####", "5551234567", "(555) 123-4567"],
    ['"Yes";"Yes";"No"', "0", "No"],
    ["yyyy-mm-dd", "45000", "2023-03-15"],
    ["m/d/yyyy", "45000.99", "2023-03-15"],
    ["dd.mm.yy hh:mm", "45000.5", "2023-03-15 12:00:00"],
    ["[h]:mm", "1.5", "36:00"],
  ])("%s shows %s as %s", (code, text, expected) => {
    expect(shown(code, text)).toBe(expected);
  });

  it.each([
    ["General", "0.30000000000000004", "0.3"],
    ["@", "742", "742"],
    ["0.00E+00", "15551234567", "15551234567"],
    ["# ?/?", "1.5", "1.5"],
    [";;;", "742", "742"],
    ["not [a format", "742", "742"],
    ["0", "12345678901234567", "12345678901234567"],
    ["0.00", "1E400", "1E400"],
    ["yyyy-mm-dd", "-5", "-5"],
    ["yyyy-mm-dd", "15551234567", "15551234567"],
    ["0.00", "", ""],
  ])("%s leaves %s whole", (code, text, expected) => {
    expect(shown(code, text)).toBe(expected);
  });

  it("counts days from 1904 where the workbook does", () => {
    expect(shown("yyyy-mm-dd", "43538", { is1904: true })).toBe("2023-03-15");
  });

  it("of whole digits is never shortened", () => {
    const code = fc.constantFrom("0", "#,##0", "General", "@", "0.00E+00", "0.00", "00000000");
    fc.assert(
      fc.property(code, fc.integer({ min: 0, max: 999_999_999_999_999 }), (format, number) => {
        expect(Number(shown(format, String(number)))).toBe(number);
      }),
      { numRuns: faultRuns({ small: 100, all: 20_000 }) },
    );
  });
});

describe("a workbook's numbers", () => {
  it("have the formats of their cells, of values and of results of formulas, however the cell is written", async () => {
    const rows = `<row r="1"><c r="A1" s="0"><v>742</v></c><c r="B1" s="1"><f>10/3</f><v>3.3333333333333335</v></c><c s='1' r="C1"><v>2</v></c></row>
      <row r="2"><c r="A2" s="2"><v>45000</v></c><c r="B2" s="3"><v>742</v></c><c r="C2" s="99"><v>742</v></c><c r="D2" s="1" t="b"><v>1</v></c></row>`;
    expect(await rowsOf(styled(["00000", "0.00"], rows))).toEqual([
      ["00742", "3.33", "2.00"],
      ["2023-03-15", "742", "742", "TRUE"],
    ]);
  });

  it("have the decimals of amounts in the reader's currency, without claiming one", async () => {
    const styles =
      '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="7"/><xf numFmtId="44"/></cellXfs></styleSheet>';
    const value = "<v>3.3333333333333335</v>";
    const file = workbook({
      sheets: [
        { name: "1", xml: sheetXml(`<row r="1"><c r="A1" s="1">${value}</c><c r="B1" s="2">${value}</c></row>`) },
      ],
      more: [{ name: "xl/styles.xml", data: styles }],
      relations: relation("rIdF", "styles", "styles.xml"),
    });
    expect(await rowsOf(file)).toEqual([["3.33", "3.33"]]);
  });

  it("have them in old workbooks too", async () => {
    const sheet = utils.aoa_to_sheet([[742, 10 / 3, 45000, 0.1 + 0.2]]);
    for (const [cell, code] of Object.entries({ A1: "00000", B1: "0.00", C1: "yyyy-mm-dd" })) sheet[cell].z = code;
    const file = write(utils.book_new(sheet), { type: "buffer", bookType: "biff8" });
    expect(await xlsRowsOf(file)).toEqual([["00742", "3.33", "2023-03-15", "0.3"]]);
  });

  it("of a formula without a saved result say so", async () => {
    const rows = `<row r="1"><c r="A1"><f>1+1</f></c><c r="B1"><f>1+1</f><v></v></c><c r="C1"><f>1+1</f><v/></c><c r="D1" t="str"><f>""</f><v></v></c><c r="E1"><f>1+1</f><v>2</v></c></row>`;
    expect(await rowsOf(styled([], rows))).toEqual([["#FORMULA!", "#FORMULA!", "#FORMULA!", "", "2"]]);
  });
});
