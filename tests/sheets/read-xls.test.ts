import { randomBytes } from "node:crypto";
import { CFB, utils, type WorkBook, write } from "@e965/xlsx";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readXls } from "#app/sheets/read-xls.server.ts";
import { faultRuns } from "#tests/support/fault-runs.ts";
import { read, rejectionCodeOf, xlsRowsOf } from "./support/reading.ts";
import { workbookOf } from "./support/workbook.ts";

const old = (book: WorkBook): Buffer => write(book, { type: "buffer", bookType: "biff8" });
const simple = old(
  utils.book_new(
    utils.aoa_to_sheet([
      ["e-mail", "phone"],
      ["a@b.example", 15551234567],
    ]),
  ),
);
const rejectionOf = (bytes: Uint8Array, limits = {}) => rejectionCodeOf(bytes, { with: readXls, limits });

describe("an old .xls", () => {
  it("yields the values of all sheets as text, and of formulas the stored result", async () => {
    const sheet = utils.aoa_to_sheet([["text", null, true, 0.1], [], [null, null, "=1+1", 15551234567]]);
    sheet.A3 = { t: "n", f: "1+1", v: 2 };
    sheet.B3 = { t: "e", v: 0x2a };
    const book = utils.book_new(sheet, "First");
    utils.book_append_sheet(book, utils.aoa_to_sheet([["hidden"]]), "Second");
    book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 2 }] };
    const { events } = await read(old(book), { with: readXls });
    expect(events.filter((event) => "sheet" in event || event.cells.length > 0)).toEqual([
      { sheet: "First", hidden: false },
      { row: 1, cells: ["text", "", "TRUE", "0.1"] },
      { row: 3, cells: ["2", "#N/A", "=1+1", "15551234567"] },
      { sheet: "Second", hidden: true },
      { row: 1, cells: ["hidden"] },
    ]);
  });

  it("is rejected when it is too large to be held in memory, with advice", async () => {
    await expect(xlsRowsOf(simple, { limits: { xlsBytes: simple.length - 1 } })).rejects.toThrow(/\.xlsx or \.csv/);
    expect(await rejectionOf(simple, { xlsBytes: simple.length - 1 })).toBe("too_large_file");
    expect(await rejectionOf(Buffer.concat([simple, Buffer.alloc(25 * 1024 * 1024)]))).toBe("too_large_file");
  });

  it("is rejected when it is another kind of file, whatever its name", async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from("<table><tr><td>1"), workbookOf("")]) {
      expect(await rejectionOf(bytes)).toBe("not_a_spreadsheet");
    }
    const container = CFB.utils.cfb_new();
    CFB.utils.cfb_add(container, "/WordDocument", Buffer.alloc(5000));
    expect(await rejectionOf(Buffer.from(CFB.write(container, { type: "buffer" })))).toBe("damaged");
    CFB.utils.cfb_add(container, "/EncryptedPackage", randomBytes(5000));
    expect(await rejectionOf(Buffer.from(CFB.write(container, { type: "buffer" })))).toBe("encrypted");
  });

  it("is rejected when it has too many columns or cells", async () => {
    expect(await rejectionOf(simple, { columns: 1 })).toBe("too_many_columns");
    expect(await rejectionOf(simple, { cells: 3 })).toBe("too_many_cells");
  });

  it("is rejected with our own message wherever a byte is changed or it is truncated", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(simple.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        async (at, change, cut) => {
          const changed = Buffer.from(cut ? simple.subarray(0, at) : simple);
          if (!cut) changed[at] = (changed[at] ?? 0) ^ change;
          // Some bytes make the library read for ever.
          await rejectionOf(changed, { xlsMs: 250 });
        },
      ),
      { numRuns: faultRuns({ small: 100, all: 3_000 }) },
    );
  });

  // Each makes another record of the file a formula, which the library would read for ever.
  it.each([
    ["an array formula", 2132, 0x21],
    ["a shared formula", 2317, 0x04],
    ["a cell's formula", 2467, 0x06],
  ])("is rejected when reading %s does not end", async (_what, at, value) => {
    const endless = Buffer.from(simple);
    endless[at] = value;
    expect(await rejectionOf(endless, { xlsMs: 100 })).toBe("damaged");
  });

  it("stops when the signal aborts", async () => {
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(xlsRowsOf(simple, { signal })).rejects.toThrow("too late");
  });
});
