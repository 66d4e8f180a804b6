import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { utils, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import { tableRows } from "#app/domain/catalog/imports/parsing/table.server.ts";
import { createSpool } from "#app/sheets/encrypted-spool.server.ts";

async function readWorkbook(rows: string[][]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "endcap-tables-"));
  const spool = await createSpool(folder);
  await spool.write(write({ Sheets: { A: utils.aoa_to_sheet(rows) }, SheetNames: ["A"] }, { type: "buffer" }));
  const file = await spool.finish();
  try {
    let count = 0;
    for await (const some of tableRows({ format: "xlsx", spool: file.describe() })) count += some.length;
    return count;
  } finally {
    await file.dispose();
    rmSync(folder, { recursive: true });
  }
}

test("a workbook is rejected at a row with too many columns, even if its first row has few", async () => {
  const wide = (cells: number) => Array.from({ length: cells }, () => "x");
  expect(await readWorkbook([["Name"], wide(1_000)])).toBe(2);
  await expect(readWorkbook([["Name"], wide(1_001), wide(3)])).rejects.toThrow(/columns/);
});
