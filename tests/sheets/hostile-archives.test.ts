import { randomBytes } from "node:crypto";
import { constants, crc32, deflateRawSync } from "node:zlib";
import * as XLSX from "@e965/xlsx";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readXlsx } from "#app/sheets/read-xlsx.server.ts";
import { faultRuns } from "#tests/support/fault-runs.ts";
import { rejectionCodeOf, rowsOf } from "./support/reading.ts";
import {
  inMemory,
  relation,
  relationsXml,
  sheetXml,
  workbook,
  workbookFiles,
  workbookOf,
  workbookXml,
} from "./support/workbook.ts";
import { type ZipFile, zip } from "./support/zip.ts";

const small = '<row r="1"><c r="A1"><v>1</v></c></row>';
const honest = workbookFiles({ sheets: [{ name: "1", xml: sheetXml(small) }] });
const sheetPath = "xl/worksheets/sheet0.xml";
const withSheet = (lie: Partial<ZipFile>) =>
  honest.map((file) => (file.name === sheetPath ? { ...file, ...lie } : file));
const MiB = 1024 * 1024;

/** `block` many times over, packed by packing it once. */
function repeated(
  start: string,
  block: Buffer,
  times: number,
  end: string,
): { packedData: Buffer; unpacked: number; crc: number } {
  const packed = deflateRawSync(block, { finishFlush: constants.Z_FULL_FLUSH });
  const first = deflateRawSync(start, { finishFlush: constants.Z_FULL_FLUSH });
  let crc = crc32(start);
  for (let time = 0; time < times; time += 1) crc = crc32(block, crc);
  return {
    packedData: Buffer.concat([first, ...Array.from({ length: times }, () => packed), deflateRawSync(end)]),
    unpacked: start.length + block.length * times + end.length,
    crc: crc32(end, crc),
  };
}

const [opening = "", closing = ""] = sheetXml("|").split("|");

describe("an archive that unpacks to far more than its size", () => {
  it("is rejected by its directory, before it is unpacked", async () => {
    const bomb = zip(withSheet(repeated(opening, Buffer.alloc(MiB, " "), 500, closing)));
    expect(bomb.length).toBeLessThan(4 * MiB);
    expect(await rejectionCodeOf(bomb)).toBe("too_large_unpacked");
    expect(await rejectionCodeOf(zip(withSheet({ unpacked: 2048 * MiB + 1 })))).toBe("too_large_unpacked");
  });

  it("is rejected when it exceeds its declared size", async () => {
    const { packedData, crc } = repeated(opening, Buffer.alloc(MiB, " "), 500, closing);
    const before = process.memoryUsage().rss;
    expect(await rejectionCodeOf(zip(withSheet({ packedData, crc, unpacked: 900 })))).toBe("damaged");
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * MiB);
  });

  it("is read in bounded memory when it is no worse than a real one", async () => {
    const rows = `<row><c t="inlineStr"><is><t>${"x".repeat(5000)}</t></is></c></row>`.repeat(200);
    const block = Buffer.from(`${rows}<!--${randomBytes(6000).toString("hex")}-->`);
    const times = Math.floor((200 * MiB) / block.length);
    const bytes = zip(withSheet(repeated(opening, block, times, closing)));
    let count = 0;
    let peakBytes = 0;
    const before = process.memoryUsage().rss;
    await readXlsx(inMemory(bytes), {
      onRow: () => {
        count += 1;
        if (count % 5000 === 0) peakBytes = Math.max(peakBytes, process.memoryUsage().rss - before);
      },
    });
    expect(count).toBe(times * 200);
    expect(peakBytes).toBeLessThan(160 * MiB);
  });

  it("may not exceed one file's limit with all its sheets, or with its shared strings", async () => {
    const sheet = { name: "1", xml: sheetXml(small) };
    const bytes = workbook({
      sheets: [sheet, sheet, sheet],
      sharedStrings: `<sst>${"<si><t>text</t></si>".repeat(1000)}</sst>`,
    });
    const size = sheet.xml.length;
    expect(await rejectionCodeOf(bytes, { limits: { totalBytes: 3 * size } })).toBe("too_large_unpacked");
    expect(await rejectionCodeOf(bytes, { limits: { sheetBytes: size - 1 } })).toBe("too_large_unpacked");
    expect(await rejectionCodeOf(bytes, { limits: { sharedTableBytes: 20_000 } })).toBe("too_large_unpacked");
    expect(await rejectionCodeOf(bytes, { limits: { sharedStringBytes: 11_999 } })).toBe("too_large_unpacked");
    expect(await rejectionCodeOf(bytes, { limits: { sharedStringBytes: 12_000 } })).toBe("read: 3 rows");
  });
});

describe("an archive with contradictions", () => {
  const cases: [string, Buffer, string][] = [
    ["0 bytes", Buffer.alloc(0), "not_a_spreadsheet"],
    ["other bytes", Buffer.from("e-mail,phone\n"), "not_a_spreadsheet"],
    ["nothing but its end", zip([]), "not_a_spreadsheet"],
    ["bytes before it", Buffer.concat([Buffer.from("MZ"), zip(honest)]), "not_a_spreadsheet"],
    ["bytes after it", Buffer.concat([zip(honest), Buffer.alloc(3)]), "damaged"],
    [
      "1,001 files",
      zip([...honest, ...Array.from({ length: 996 }, (_, index) => ({ name: `${index}`, data: "" }))]),
      "too_many_entries",
    ],
    ["more files than stated", zip(honest, { entriesStated: 4 }), "damaged"],
    ["fewer files than stated", zip(honest, { entriesStated: 6 }), "damaged"],
    ["one name twice", zip([...honest, { name: sheetPath.toUpperCase(), data: "" }]), "damaged"],
    ["one file within another", zip(withSheet({ start: 0 })), "damaged"],
    ["a file beyond the end", zip(withSheet({ packed: 100_000 })), "damaged"],
    ["a file that packs to more", zip(withSheet({ packed: 5 })), "damaged"],
    ["a file that is larger than stated", zip(withSheet({ unpacked: 10 })), "damaged"],
    ["a file that is smaller than stated", zip(withSheet({ unpacked: 1000 })), "damaged"],
    ["another checksum", zip(withSheet({ crc: 1 })), "damaged"],
    ["broken packing", zip(withSheet({ packedData: Buffer.alloc(50, 0xff) })), "damaged"],
    ["another way of packing", zip(withSheet({ method: 12 })), "damaged"],
    ["an encrypted file", zip(withSheet({ flags: 1 })), "encrypted"],
  ];
  it.each(cases)("is rejected: %s", async (_, bytes, code) => {
    expect(await rejectionCodeOf(bytes)).toBe(code);
  });

  it("is read when it is only unusual", async () => {
    expect(await rowsOf(zip(honest, { zip64: true, comment: "" }))).toEqual([["1"]]);
    expect(await rowsOf(zip(honest, { comment: "made by hand PK\u0005\u0006" }))).toEqual([["1"]]);
    expect(await rowsOf(zip(withSheet({ stored: true })))).toEqual([["1"]]);
    const backward = honest.map((file) => ({ ...file, name: `/${file.name.replaceAll("/", "\\")}` }));
    expect(await rowsOf(zip(backward))).toEqual([["1"]]);
  });

  it("is rejected with a message wherever it is truncated or a byte is changed", async () => {
    const bytes = workbookOf(small.repeat(50));
    for (let length = 0; length < bytes.length; length += 7) {
      expect(await rejectionCodeOf(bytes.subarray(0, length))).not.toMatch(/^read/);
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ change;
        await rejectionCodeOf(changed);
      }),
      { numRuns: faultRuns({ small: 60, all: 300 }) },
    );
  });
});

describe("a file that is not a workbook", () => {
  const replaced = (name: string, data: string) =>
    zip(honest.map((file) => (file.name === name ? { name, data } : file)));
  const sheets = "xl/workbook.xml";
  const cases: [string, Buffer, string][] = [
    [
      "a text document",
      replaced("_rels/.rels", relationsXml(relation("1", "officeDocument", "xl/worksheets/sheet0.xml"))),
      "not_a_spreadsheet",
    ],
    ["no main part", replaced("_rels/.rels", relationsXml("")), "not_a_spreadsheet"],
    [
      "a main part that is not there",
      replaced("_rels/.rels", relationsXml(relation("1", "officeDocument", "../../etc/passwd"))),
      "not_a_spreadsheet",
    ],
    ["no sheets", replaced(sheets, workbookXml("")), "not_a_spreadsheet"],
    ["missing sheet", zip(honest.filter((file) => file.name !== sheetPath)), "damaged"],
    [
      "one sheet a thousand times",
      replaced(sheets, workbookXml('<sheet name="a" r:id="rId0"/>'.repeat(1000))),
      "damaged",
    ],
    ["a table of sheets that ends early", replaced(sheets, workbookXml("").slice(0, -12)), "damaged"],
  ];
  it.each(cases)("is rejected: %s", async (_, bytes, code) => {
    expect(await rejectionCodeOf(bytes)).toBe(code);
  });

  it("is rejected with the right advice when it is a binary workbook", async () => {
    const bytes = zip([
      { name: "_rels/.rels", data: relationsXml(relation("1", "officeDocument", "xl/workbook.bin")) },
      { name: "xl/workbook.bin", data: "" },
    ]);
    await expect(rowsOf(bytes)).rejects.toThrow(/\.xlsb.*save it as \.xlsx or \.csv/i);
  });

  it("is reported as protected when it has a password, and as old when it is old", async () => {
    const container = XLSX.CFB.utils.cfb_new();
    for (const name of ["/EncryptionInfo", "/\u0006DataSpaces/Version", "/\u0006DataSpaces/DataSpaceMap"]) {
      XLSX.CFB.utils.cfb_add(container, name, Buffer.alloc(100));
    }
    XLSX.CFB.utils.cfb_add(container, "/EncryptedPackage", randomBytes(70_000));
    expect(await rejectionCodeOf(Buffer.from(XLSX.CFB.write(container, { type: "buffer" })))).toBe("encrypted");
    const old = XLSX.write(XLSX.utils.book_new(XLSX.utils.aoa_to_sheet([[1]])), { type: "buffer", bookType: "biff8" });
    await expect(rowsOf(old)).rejects.toThrow(/old \.xls/);
    expect(await rejectionCodeOf(Buffer.from("d0cf11e0a1b11ae1", "hex"))).toBe("not_a_spreadsheet");
  });
});
