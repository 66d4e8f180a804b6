import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { readInEachEncoding } from "#app/sheets/text/encoding-samples.ts";
import { type TextEncoding, textEncodings } from "#app/sheets/text/encodings.ts";
import { TextToUtf8 } from "#app/sheets/text/text-to-utf8.ts";
import { wordsByLanguage } from "./support/words-by-language.ts";

const detected = { encoding: undefined, source: "detected" } as const;

/** Converts bytes in pieces that end at these offsets. */
function convert(bytes: Buffer, { at = [], encoding }: { at?: readonly number[]; encoding?: TextEncoding } = {}) {
  const converter = new TextToUtf8(encoding ? { encoding, source: "chosen" } : detected);
  const offsets = [...at].map((offset) => offset % (bytes.length + 1)).sort((a, b) => a - b);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const to of [...offsets, bytes.length]) {
    // The reader of uploads reuses the memory of its chunks.
    const chunk = Buffer.from(bytes.subarray(from, to));
    pieces.push(Buffer.from(converter.push(chunk)));
    chunk.fill(0);
    from = to;
  }
  pieces.push(converter.end());
  return { text: Buffer.concat(pieces).toString(), read: converter.read };
}

function tableOf(words: readonly string[]): string {
  return `id;email;name\n${words.map((word, row) => `${row};user${row}@example.com;${word};12,50\n`).join("")}`;
}

describe("an encoding", () => {
  for (const [language, { encodings, words }] of Object.entries(wordsByLanguage)) {
    it.each(encodings)(`is detected by the letters of ${language}: %s`, (encoding) => {
      const inEncoding = words.filter((word) => iconv.decode(iconv.encode(word, encoding), encoding) === word);
      for (let from = 0; from + 8 <= inEncoding.length; from += 8) {
        const table = tableOf(inEncoding.slice(from, from + 8));
        const { text, read } = convert(iconv.encode(table, encoding));
        expect(text).toBe(table);
        expect(read.source).toBe("detected");
      }
    });
  }

  it("is detected long after the start of the file, and in pieces of any length", () => {
    const table = `${"a@example.com;x\n".repeat(40_000)}${tableOf(wordsByLanguage.russian.words)}`;
    const bytes = iconv.encode(table, "windows-1251");
    const { text, read } = convert(bytes, { at: Array.from({ length: 300 }, (_, index) => index * 2_203) });
    expect(text === table).toBe(true);
    expect(read).toMatchObject({ encoding: "windows-1251", unreadable: 0 });
  });

  it("is UTF-8 where single cells are not, and for ASCII", () => {
    const words = tableOf(wordsByLanguage.german.words);
    const damaged = Buffer.concat([Buffer.from(words), Buffer.from("1;M\xfcller;x\n", "latin1")]);
    expect(convert(damaged).read).toMatchObject({ encoding: "utf-8", source: "detected" });
    expect(convert(Buffer.from("a;b\n")).read).toEqual({ ...utf8, characters: "" });
    expect(convert(Buffer.alloc(0)).read).toEqual({ ...utf8, characters: "" });
    expect(convert(Buffer.from("\ufeffa;é\n"))).toEqual({ text: "a;é\n", read: { ...utf8, characters: "é" } });
  });

  it("is shown by its letters in the order of Unicode, so that no value can be read from them", () => {
    const { read } = convert(iconv.encode("name\nМария;мария\n", "windows-1251"), { encoding: "windows-1251" });
    expect(read).toEqual({ encoding: "windows-1251", source: "chosen", characters: "Маимря", unreadable: 0 });
  });

  it("that has no such character shows how many are not readable", () => {
    const { text, read } = convert(Buffer.from([0x41, 0x81, 0x98, 0x0a]), { encoding: "windows-1251" });
    expect(text).toBe("AЃ\ufffd\n");
    expect(read.unreadable).toBe(1);
  });

  it("passes UTF-8 on as it is, without a copy", () => {
    const converter = new TextToUtf8(detected);
    for (const line of ["id;name\n", "1;Müller\n", "2;渡辺\n", "3;M\n"]) {
      const chunk = Buffer.from(line);
      expect(converter.push(chunk)).toBe(chunk);
    }
  });

  it("holds at most a megabyte until it is detected", () => {
    const converter = new TextToUtf8(detected);
    const line = Buffer.from("x@example.com;x\n".repeat(4_096));
    converter.push(Buffer.from("caf\xe9\n", "latin1"));
    let held = 0;
    while (converter.push(line).length === 0) held += line.length;
    expect(held).toBeLessThan(1024 * 1024);
  });
});

const utf8 = { encoding: "utf-8", source: "detected", unreadable: 0 } as const;

/** The letters of all languages that exist in the encoding. */
function lettersOf(encoding: TextEncoding): string[] {
  const all = new Set(Object.values(wordsByLanguage).flatMap(({ words }) => [...words.join("")]));
  return [...all, ..."€’“”–…™œŒšŠ"].filter(
    (letter) => letter > "\u007f" && iconv.decode(iconv.encode(letter, encoding), encoding) === letter,
  );
}

const offsets = fc.array(fc.nat(), { maxLength: 30 });

describe.each(textEncodings)("text in %s", (encoding) => {
  const letters = [...lettersOf(encoding), ...'aZ09 ;,"\\|~\n\t'];
  const texts = fc.array(fc.constantFrom(...letters), { maxLength: 200 }).map((list) => list.join(""));

  it("is the same whatever the pieces in which it arrives", () => {
    fc.assert(
      fc.property(texts, offsets, (text, at) => {
        const bytes = iconv.encode(text, encoding);
        expect(convert(bytes, { at, encoding }).text).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  it("is what a second decoder reads", () => {
    // The labels iso-8859-1 and iso-8859-9 name the Windows encodings there, and Node 20 reads windows-1252 as Latin-1.
    const isSubset = ["windows-1252", "iso-8859-1", "iso-8859-9"].includes(encoding);
    const decoder = new TextDecoder(encoding);
    fc.assert(
      fc.property(texts, offsets, (text, at) => {
        const bytes = iconv.encode(text, encoding);
        if (isSubset && bytes.some((byte) => byte >= 0x80 && byte < 0xa0)) return;
        expect(convert(bytes, { at, encoding }).text).toBe(decoder.decode(bytes));
      }),
      { numRuns: 200 },
    );
  });

  it("never fails on bytes of any kind", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), offsets, (bytes, at) => {
        expect(convert(Buffer.from(bytes), { at, encoding }).text.isWellFormed()).toBe(true);
        expect(convert(Buffer.from(bytes), { at }).text).toEqual(expect.any(String));
      }),
      { numRuns: 200 },
    );
  });
});

it("the first values beyond ASCII are shown as each encoding would read them", () => {
  const samples = readInEachEncoding([iconv.encode('id,name\n1,"Кружка, синяя"\n2,Стол\n', "windows-1251")]);
  expect(samples["windows-1251"]).toBe("Кружка, синяя, Стол");
  expect(samples["windows-1252"]).toBe("Êðóæêà, ñèíÿÿ, Ñòîë");
  expect(samples["utf-8"]).toBeUndefined();
  expect(readInEachEncoding([Buffer.from("id,name\n1,Mug\n")])).toEqual({});
});
