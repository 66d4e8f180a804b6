import { randomBytes } from "node:crypto";
import { constants, crc32, deflateRawSync, gzipSync } from "node:zlib";
import { CFB, utils, write } from "@e965/xlsx";
import { sheetXml, workbook, workbookFiles, workbookOf } from "#tests/sheets/support/workbook.ts";
import { type ZipFile, zip } from "#tests/sheets/support/zip.ts";
import type { SentFile } from "./kill/sending-files.ts";

export type HostileFile = { what: string; file: SentFile; message: RegExp };

const MiB = 1024 * 1024;
const cell = (text: string) => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;
const header = cell("Email");
const honest = workbookFiles({ sheets: [{ name: "1", xml: sheetXml(header) }] });
const sheetPath = "xl/worksheets/sheet0.xml";
const withSheet = (lie: Partial<ZipFile>) =>
  zip(honest.map((file) => (file.name === sheetPath ? { ...file, ...lie } : file)));
const real = workbookOf(header + cell("a@example.com").replaceAll('1"', '2"'));
const realXls: Buffer = write(utils.book_new(utils.aoa_to_sheet([["Email"], ["a@example.com"]])), {
  type: "buffer",
  bookType: "biff8",
});

/** Half a gigabyte of spaces as a sheet, in half a megabyte. */
function spaces(unpacked?: number): Buffer {
  const [opening = "", closing = ""] = sheetXml(`${header}|`).split("|");
  const block = Buffer.alloc(MiB, " ");
  const packed = deflateRawSync(block, { finishFlush: constants.Z_FULL_FLUSH });
  const first = deflateRawSync(opening, { finishFlush: constants.Z_FULL_FLUSH });
  let crc = crc32(opening);
  for (let time = 0; time < 512; time += 1) crc = crc32(block, crc);
  return withSheet({
    packedData: Buffer.concat([first, ...Array.from({ length: 512 }, () => packed), deflateRawSync(closing)]),
    unpacked: unpacked ?? opening.length + 512 * MiB + closing.length,
    crc: crc32(closing, crc),
  });
}

function* repeated(start: string, piece: string, bytes: number): Generator<Uint8Array> {
  yield Buffer.from(start);
  const block = Buffer.from(piece.repeat(Math.ceil(MiB / piece.length)));
  for (let sent = 0; sent < bytes; sent += block.length) yield block;
}

/** A file of 50 MB made of one piece. */
function endless(start: string, piece: string): SentFile {
  const block = piece.length * Math.ceil(MiB / piece.length);
  const length = Buffer.byteLength(start) + Math.ceil((50 * MiB) / block) * block;
  return { content: repeated(start, piece, 50 * MiB), length };
}

/** A compound file whose list of sectors is a circle. */
function circular(): Buffer {
  const bytes = Buffer.from(realXls);
  const fat = bytes.readUInt32LE(76);
  for (let at = 0; at < 512; at += 4) bytes.writeUInt32LE(at / 4 === fat ? 0xfffffffd : 0, 512 * (fat + 1) + at);
  return bytes;
}

function compound(name: string): Buffer {
  const container = CFB.utils.cfb_new();
  CFB.utils.cfb_add(container, name, randomBytes(20_000));
  return Buffer.from(CFB.write(container, { type: "buffer" }));
}

const entities = `<?xml version="1.0"?><!DOCTYPE a [${Array.from({ length: 20 }, (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`).join("")}]>`;

/** Hostile files with the message that each is rejected with; the ones for every run come first. */
export function hostileFiles(): HostileFile[] {
  const refused: [string, SentFile, RegExp][] = [
    ["an empty file", { content: "" }, /empty/],
    ["an .xlsx of 0 bytes", { name: "people.xlsx", content: "" }, /empty/],
    ["a PDF named .csv", { name: "people.csv", content: "%PDF-1.7\n%\u00e2\u00e3\n1 0 obj" }, /PDF/],
    ["NUL bytes", { content: Buffer.alloc(200_000) }, /file type is not supported/],
    ["5,000 columns", { content: `Email,${"x,".repeat(4_999)}\na@example.com` }, /columns/],
    ["one line of 50 MB", endless("Email,Note\na@example.com,", "x"), /Line 2 is longer than 1 MB/],
    ["an .xlsx that unpacks to 512 MB", { name: "people.xlsx", content: spaces() }, /too large when unpacked/],
    ["the same with a lie about it", { name: "people.xlsx", content: spaces(900) }, /damaged/],
    [
      "an .xlsx of 60,000 parts",
      {
        name: "people.xlsx",
        content: zip([...honest, ...Array.from({ length: 60_000 }, (_, index) => ({ name: `${index}`, data: "" }))]),
      },
      /too many parts/,
    ],
    ["no column of people", { content: "Name,City\nJane,Oslo" }, /Columns found: Name, City/],
    [
      "a program",
      { content: Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01\0", "latin1"), randomBytes(50_000)]) },
      /file type is not supported/,
    ],
    [
      "an .xlsx with entities that multiply",
      {
        name: "people.xlsx",
        content: workbook({ sheets: [{ name: "1", xml: sheetXml(cell("&e20;")).replace(/^<\?xml.*\n/, entities) }] }),
      },
      /./,
    ],
    ["50 MB of quotes", endless("Email\n", '"'), /longer than 1 MB/],
    ["an .xls that goes round in circles", { name: "people.xls", content: circular() }, /damaged/],
    ["only a byte-order mark", { content: "\ufeff" }, /empty/],
    ["blank lines", { content: "\r\n\r\n  \r\n" }, /empty/],
    ["names of columns alone", { content: "Email,Phone\n" }, /no rows/],
    [
      "no usable row",
      { content: `Email\n${"nobody\n".repeat(2_000)}` },
      /No row has a valid email address or phone number/,
    ],
    [
      "hashes of nothing",
      { content: `Email\n${`e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n`.repeat(3)}` },
      /No row has a valid email address or phone number/,
    ],
    [
      "a picture named .xlsx",
      { name: "people.xlsx", content: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex") },
      /an image/,
    ],
    [
      "a .csv packed twice",
      { name: "people.csv.gz.gz", content: gzipSync(gzipSync("Email\na@example.com")) },
      /compressed/,
    ],
    [
      "an archive with two .csv",
      {
        name: "people.zip",
        content: zip(["a.csv", "b.csv"].map((name) => ({ name, data: "Email\na@example.com" }))),
      },
      /archive has 2 files/,
    ],
    [
      "a text document",
      {
        name: "people.docx",
        content: zip([
          { name: "[Content_Types].xml", data: "<Types/>" },
          { name: "word/document.xml", data: "<a/>" },
        ]),
      },
      /document or presentation/,
    ],
    [
      "an OpenDocument table",
      {
        name: "people.ods",
        content: zip([{ name: "mimetype", data: "application/vnd.oasis.opendocument.spreadsheet", stored: true }]),
      },
      /OpenDocument/,
    ],
    [
      "a web page named .xls",
      { name: "people.xls", content: "<html><table><tr><td>a@example.com</table>" },
      /web page/,
    ],
    ["XML", { name: "people.xls", content: '<?xml version="1.0"?><Workbook/>' }, /XML/],
    [
      "random bytes",
      { content: Buffer.concat([Buffer.from([0, 1, 2]), randomBytes(100_000)]) },
      /file type is not supported/,
    ],
    ["text between zeros", { content: Buffer.from("Email\0\na\0@example.com\0\0\n") }, /UTF-8/],
    ["one cell of 50 MB, its quote open", endless('Email,Note\na@example.com,"', "x\n"), /Line 2 is longer than 1 MB/],
    ["50 MB of commas", endless("Email\n", ","), /columns|longer than 1 MB/],
    ["50 MB without a name of a column", endless("", "x"), /longer than 1 MB/],
    ["half an .xlsx", { name: "people.xlsx", content: real.subarray(0, real.length / 2) }, /damaged/],
    ["an .xlsx with a byte changed", { name: "people.xlsx", content: withSheet({ crc: 1 }) }, /damaged/],
    ["an .xlsx whose parts overlap", { name: "people.xlsx", content: withSheet({ start: 0 }) }, /damaged/],
    ["an .xlsx with a password", { name: "people.xlsx", content: compound("/EncryptedPackage") }, /password/],
    [
      "an .xlsx with a file of this machine as entity",
      {
        name: "people.xlsx",
        content: workbook({
          sheets: [
            {
              name: "1",
              xml: sheetXml(cell("&e;")).replace(
                /^<\?xml.*\n/,
                '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
              ),
            },
          ],
        }),
      },
      /./,
    ],
    [
      "an .xlsx of 5,001 columns",
      { name: "people.xlsx", content: workbookOf('<row r="1"><c r="GJI1"><v>1</v></c></row>') },
      /columns/,
    ],
    ["an .xlsx with a row beyond the last", { name: "people.xlsx", content: workbookOf('<row r="1048577"/>') }, /rows/],
    [
      "an .xlsx that is a million empty rows",
      { name: "people.xlsx", content: workbookOf("<row/>".repeat(1_000_000)) },
      /empty/,
    ],
    ["an .xls cut short", { name: "people.xls", content: realXls.subarray(0, 700) }, /damaged/],
    ["an .xls that is a text document", { name: "people.xls", content: compound("/WordDocument") }, /damaged/],
    ["an .xls over 25 MB", { name: "people.xls", content: Buffer.concat([realXls, Buffer.alloc(25 * MiB)]) }, /25 MB/],
  ];
  return refused.map(([what, file, message]) => ({ what, file, message }));
}
