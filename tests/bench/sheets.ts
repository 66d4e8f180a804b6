import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInflateRaw, deflateRawSync } from "node:zlib";
import { createSpool, type SpooledFile } from "#app/sheets/encrypted-spool.server.ts";
import { readXlsx } from "#app/sheets/read-xlsx.server.ts";
import { sharedXml, sheetXml, workbookFiles } from "#tests/sheets/support/workbook.ts";
import { zip } from "#tests/sheets/support/zip.ts";
import { medianRatio, type Row, secondsOf, times } from "./support/pairs.ts";

const rows = 1_000_000;

/** Row 6: an encrypted .xlsx of a million rows and a million shared texts, against zlib unpacking its sheet alone. */
export async function sheets(): Promise<Row[]> {
  const packed = deflateRawSync(sheetXml(rowsXml()));
  const directory = mkdtempSync(join(tmpdir(), "endcap-bench-"));
  const file = await spooled(directory, packed);
  const read = async () => {
    let count = 0;
    const wanted = new Set([0]);
    await readXlsx(file, {
      // Reads the columns that an upload reads: those that contain identifiers.
      columnsToDecode: () => wanted,
      onRow: (cells) => {
        // A check of every row would cost as much as reading it.
        if (cells.length !== 1 || (count % 100 === 0 && cells[0] !== addressOf(count)))
          throw new Error("another row than was written");
        count += 1;
      },
    });
    if (count !== rows) throw new Error(`${count} rows instead of ${rows}`);
  };
  const ratio = await medianRatio({
    ours: () => secondsOf(read),
    theirs: () => secondsOf(() => unpack(packed)),
  });
  await file.dispose();
  rmSync(directory, { recursive: true });
  const work = "XLSX of 1 M rows, decrypted and read as by an upload, over unpacking its sheet";
  return [{ row: "6", work, reached: times(ratio), goal: "≤ 6×, then 4×" }];
}

function addressOf(index: number): string {
  return `customer.number${index}@example${index % 97}.com`;
}

function rowsXml(): string {
  return Array.from({ length: rows }, (_, index) => {
    const at = index + 1;
    const money = ((index * 7919) % 100_000) / 100;
    return (
      `<row r="${at}" spans="1:5"><c r="A${at}" t="s"><v>${index}</v></c><c r="B${at}"><v>${15_550_000_000 + index}</v></c>` +
      `<c r="C${at}" t="s"><v>${(index * 31) % 5000}</v></c><c r="D${at}" t="s"><v>${(index * 17) % 300}</v></c>` +
      `<c r="E${at}" s="1"><v>${money}</v></c></row>`
    );
  }).join("");
}

async function spooled(directory: string, packed: Buffer): Promise<SpooledFile> {
  const sheet = { name: "Customers", xml: "", lie: { data: sheetXml(rowsXml()), packedData: packed } };
  const sharedStrings = sharedXml(Array.from({ length: rows }, (_, index) => addressOf(index)));
  const spool = await createSpool(directory);
  await spool.write(zip(workbookFiles({ sheets: [sheet], sharedStrings })));
  return spool.finish();
}

async function unpack(packed: Buffer): Promise<void> {
  const inflate = createInflateRaw({ chunkSize: 256 * 1024 });
  inflate.end(packed);
  for await (const _ of inflate);
}
