import { gzipSync } from "node:zlib";
import { utils, write } from "@e965/xlsx";
import { describe, expect, it } from "vitest";
import { detectFormat } from "#app/sheets/detect-format.ts";
import type { EncodingSource, TextEncoding } from "#app/sheets/text/encodings.ts";
import { workbookOf } from "./support/workbook.ts";
import { zip } from "./support/zip.ts";

const of = (bytes: Uint8Array | string) => detectFormat(Buffer.from(bytes).subarray(0, 8192));
const text = (encoding: TextEncoding | undefined, source: EncodingSource, bom: number) => ({
  kind: "text",
  encoding,
  source,
  bom,
});
const whatOf = (bytes: Uint8Array | string) => {
  const format = of(bytes);
  return format.kind === "rejected" ? format.what : format.kind;
};

describe("the format of a file", () => {
  it("is detected by content for text, with its encoding and byte-order mark", () => {
    expect(of("e-mail;phone\n")).toEqual(text(undefined, "detected", 0));
    expect(of("\uFEFFe-mail;phone\n")).toEqual(text("utf-8", "mark", 3));
    const utf16 = Buffer.from("e-mail;phone", "utf16le");
    expect(of(Buffer.from("\uFEFFe-mail", "utf16le"))).toEqual(text("utf-16le", "mark", 2));
    expect(of(Buffer.from("\uFEFFe-mail", "utf16le").swap16())).toEqual(text("utf-16be", "mark", 2));
    expect(of(utf16)).toEqual(text("utf-16le", "detected", 0));
    expect(of(Buffer.from(utf16).swap16())).toEqual(text("utf-16be", "detected", 0));
    expect(of(Buffer.from("naam;caf\xe9\n", "latin1"))).toEqual(text(undefined, "detected", 0));
    expect(of(`${"x".repeat(8191)}é`)).toEqual(text(undefined, "detected", 0));
    expect(whatOf(`${"a@b.example\n".repeat(20)}\0`)).toBe("text");
    expect(whatOf("<jane@example.com>\n")).toBe("text");
    expect(whatOf("BM,PK\n")).toBe("text");
  });

  it("is detected at once behind any number of blanks and comments", () => {
    for (const before of [" ", "\n", "<!---->", "<!-- a --> ", "<!--", "<?a?>", "<?xml "]) {
      const many = before.repeat(8_192 / before.length);
      const begun = performance.now();
      expect(["text", "xml"]).toContain(whatOf(`${many}sku,name`));
      expect(performance.now() - begun).toBeLessThan(500);
    }
    expect(whatOf(`${"<!-- a -->\n".repeat(300)}<html>`)).toBe("html");
  });

  it("is text in the encoding that was chosen, unless a byte-order mark names another", () => {
    expect(detectFormat(Buffer.from("naam;caf\xe9", "latin1"), "macintosh")).toEqual(text("macintosh", "chosen", 0));
    expect(detectFormat(Buffer.from("渡辺;花子", "utf16le"), "utf-16le")).toEqual(text("utf-16le", "chosen", 0));
    expect(detectFormat(Buffer.from("\uFEFFe-mail"), "windows-1251")).toEqual(text("utf-8", "mark", 3));
    expect(detectFormat(Buffer.alloc(100), "windows-1251")).toMatchObject({ kind: "rejected", what: "binary" });
  });

  it("is detected by content for workbooks", () => {
    const book = utils.book_new(utils.aoa_to_sheet([[1]]));
    expect(whatOf(workbookOf(""))).toBe("xlsx");
    expect(whatOf(write(book, { type: "buffer", bookType: "xlsx" }))).toBe("xlsx");
    expect(whatOf(write(book, { type: "buffer", bookType: "xlsm" }))).toBe("xlsx");
    expect(whatOf(write(book, { type: "buffer", bookType: "biff8" }))).toBe("xls");
    expect(whatOf(write(book, { type: "buffer", bookType: "ods" }))).toBe("ods");
  });

  it("of text is text, also where its first cell has a bracket", () => {
    for (const text of ["{sku},name", '"{""a"":1}",name', "[sku],name", '["a@b.example"', "{\nsku:name"]) {
      expect(whatOf(text), text).toBe("text");
    }
  });

  it("of any other kind is rejected with advice", () => {
    const cases: [string, Uint8Array | string][] = [
      ["empty", ""],
      ["empty", "\uFEFF"],
      ["zip", zip([{ name: "customers.csv", data: "a@b.example" }])],
      ["zip", zip([])],
      ["zip", Buffer.from("377abcaf271c0004", "hex")],
      [
        "document",
        zip([
          { name: "[Content_Types].xml", data: "" },
          { name: "word/document.xml", data: "" },
        ]),
      ],
      ["document", zip([{ name: "mimetype", data: "application/vnd.oasis.opendocument.text", stored: true }])],
      ["gzip", gzipSync("a@b.example")],
      ["pdf", "%PDF-1.7\n"],
      ["image", Buffer.from("89504e470d0a1a0a0000", "hex")],
      ["image", Buffer.from("ffd8ffe0", "hex")],
      ["image", "GIF89a"],
      ["image", "RIFF....WEBPVP8 "],
      ["html", "\n<!-- made by the shop -->\n<TABLE><tr>"],
      ["html", "\uFEFF<!DOCTYPE html>"],
      ["html", Buffer.from("\uFEFF<html>", "utf16le")],
      ["xml", '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>'],
      ["json", '{"email":"a@b.example"}\n{"email":"c@b.example"}\n'],
      ["json", '\uFEFF[\n  {\n    "sku": "A"'],
      ["json", Buffer.from('\uFEFF{ "data" : []}', "utf16le")],
      ["binary", Buffer.alloc(100)],
      ["binary", Buffer.from("fffe0000", "hex")],
      ["binary", Buffer.from("efbbbfff41", "hex")],
    ];
    for (const [what, bytes] of cases) {
      expect(whatOf(bytes), what).toBe(what);
      expect(of(bytes)).toHaveProperty("message", expect.stringMatching(/^(This|The) .+\.$/));
    }
  });
});
