import { forEachElement } from "../xml-part.server.ts";
import { compileNumberFormat, type NumberFormat } from "./number-format.ts";

/** The number formats of a workbook by the index in a cell's `s`. */
export type CellFormats = readonly (NumberFormat | undefined)[];

/**
 * The formats that a workbook need not define, where they differ from General (ECMA-376 part 1, 18.8.30). Those of
 * amounts have the currency of the reader's machine, so none is shown.
 */
const builtInCodes: Record<number, string> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  5: "#,##0",
  6: "#,##0",
  7: "#,##0.00",
  8: "#,##0.00",
  9: "0%",
  10: "0.00%",
  14: "yyyy-mm-dd",
  15: "yyyy-mm-dd",
  16: "yyyy-mm-dd",
  17: "yyyy-mm-dd",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd h:mm",
  37: "#,##0",
  38: "#,##0",
  39: "#,##0.00",
  40: "#,##0.00",
  41: "#,##0",
  42: "#,##0",
  43: "#,##0.00",
  44: "#,##0.00",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
};

/** Reads the formats of cells from a workbook's styles. Throws SheetError. */
export async function readCellFormats(
  styles: AsyncIterable<Buffer>,
  options: { is1904: boolean },
): Promise<CellFormats> {
  const codes = new Map<number, string>();
  const compiled = new Map<number, NumberFormat | undefined>();
  const formats: (NumberFormat | undefined)[] = [];
  let list = "";
  await forEachElement(styles, (at) => {
    if (at.depth === 2) list = at.name();
    if (at.depth !== 3 || (list !== "numFmts" && list !== "cellXfs")) return;
    const id = Number(at.attribute("numFmtId") ?? 0);
    if (list === "numFmts") codes.set(id, at.attribute("formatCode") ?? "");
    else formats.push(formatOf(id));
  });
  return formats;

  function formatOf(id: number): NumberFormat | undefined {
    if (compiled.has(id)) return compiled.get(id);
    const code = codes.get(id) ?? builtInCodes[id];
    const found = code === undefined ? undefined : compileNumberFormat(code, options);
    compiled.set(id, found);
    return found;
  }
}
