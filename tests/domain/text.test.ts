import { parseWithZod } from "@conform-to/zod/v4";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { optionalText, patchText, requiredText } from "#app/domain/text.ts";

const required = requiredText({ max: 10, message: "A name is required" });
const optional = optionalText({ max: 10 });
const lines = optionalText({ max: 10, multiline: true });
const changed = patchText({ max: 10 });

const messages = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map((one) => one.message);

describe("a required text", () => {
  it.each([undefined, null, "", " ", "\u00a0\u2003", "\n"])("rejects %j with its own message", (value) => {
    expect(messages(required, value)).toEqual(["A name is required"]);
  });

  it.each([1, true, {}, []])("rejects %j as not a text", (value) => {
    expect(messages(required, value)).toEqual(["Enter text"]);
  });

  it("counts code points: ten emoji fit, eleven do not", () => {
    expect(required.parse("😀".repeat(10))).toBe("😀".repeat(10));
    expect(messages(required, "😀".repeat(11))).toEqual(["Use at most 10 characters"]);
  });

  it("is trimmed and normalized to composed characters", () => {
    expect(required.parse("  e\u0301te\u0301 ")).toBe("\u00e9t\u00e9");
  });
});

const unseen = [
  ["a zero-width space", "\u200b"],
  ["a zero-width joiner", "\u200d"],
  ["a word joiner", "\u2060"],
  ["a byte order mark", "\ufeff"],
  ["a soft hyphen", "\u00ad"],
  ["a Hangul filler", "\u3164"],
  ["a Hangul choseong filler", "\u115f"],
  ["a halfwidth Hangul filler", "\uffa0"],
  ["a blank Braille pattern", "\u2800"],
  ["a variation selector", "\ufe0f"],
  ["an override of the direction", "\u202e"],
  ["tags without a flag", "\u{e0061}\u{e0062}\u{e0063}\u{e007f}"],
] as const;

describe("a text of which one sees nothing", () => {
  it.each(unseen)("is missing or null: %s", (_what, text) => {
    for (const blank of [text, ` ${text}\u00a0${text} `]) {
      expect(messages(required, blank)).toEqual(["A name is required"]);
      expect(optional.parse(blank)).toBeNull();
      expect(changed.parse(blank)).toBeNull();
    }
  });
});

describe("invisible characters of a text", () => {
  it.each([
    ["an override of the direction", "Sum\u202emer", "Summer"],
    ["embeddings", "\u202aSummer\u202c", "Summer"],
    ["isolates", "\u2066Sum\u2069mer\u2067\u2068", "Summer"],
    ["marks of the direction", "Su\u200emm\u200fer\u061c", "Summer"],
    ["zero-width spaces", "Sum\u200bmer \u200b", "Summer"],
    ["fillers", "Sum\u3164mer\uffa0", "Summer"],
    ["a byte order mark", "\ufeff Summer", "Summer"],
    ["tags that are not of a flag", "Summer\u{e0041}\u{e007f}", "Summer"],
    ["what splits a letter and its accent", "e\u034f\u0301te\u0301", "\u00e9t\u00e9"],
  ])("are removed: %s", (_what, sent, read) => {
    expect(required.parse(sent)).toBe(read);
    expect(lines.parse(sent)).toBe(read);
  });

  it.each([
    ["a family of emoji", "👨‍👩‍👧"],
    ["a colored heart", "❤\ufe0f"],
    ["the flag of Scotland", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"],
    ["a Persian word", "می\u200cخواهم"],
    ["a Sinhala word", "ශ්\u200dරී"],
    ["a variant of a Japanese character", "葛\u{e0100}"],
  ])("stay where a script or an emoji needs them: %s", (_what, text) => {
    expect(required.parse(text)).toBe(text);
  });

  it("do not count toward the length", () => {
    expect(required.parse("a\u200b".repeat(10))).toBe("a".repeat(10));
  });
});

describe("an optional text", () => {
  it.each([undefined, null, "", "  "])("is null for %j", (value) => {
    expect(optional.parse(value)).toBeNull();
  });

  it("keeps newlines and tabs only where several lines are allowed", () => {
    expect(lines.parse("a\r\nb\tc\rd")).toBe("a\nb\tc\nd");
    expect(messages(optional, "a\nb")).toEqual(["Remove invisible control characters"]);
  });
});

describe("a changed text", () => {
  it("distinguishes unchanged from cleared", () => {
    const schema = z.object({ name: changed });
    expect(schema.parse({})).toEqual({});
    expect(schema.parse({ name: null })).toEqual({ name: null });
    expect(schema.parse({ name: " " })).toEqual({ name: null });
  });
});

it("parses a form like JSON", () => {
  const schema = z.object({ name: required, note: lines });
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 12 }), fc.string({ maxLength: 12 }), (name, note) => {
      const form = new FormData();
      form.set("name", name);
      form.set("note", note);
      const posted = parseWithZod(form, { schema });
      const json = schema.safeParse({ name, note });
      expect(posted.status === "success" ? posted.value : undefined).toEqual(json.data);
    }),
  );
});

it("accepts nothing that a database or a page could not represent", () => {
  const hostile = fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)), maxLength: 30 });
  fc.assert(
    fc.property(hostile, fc.boolean(), (text, multiline) => {
      const read = optionalText({ max: 20, multiline }).safeParse(text);
      if (!read.success || read.data === null) return;
      expect(/\p{Surrogate}/u.test(read.data)).toBe(false);
      expect(read.data.normalize("NFC").trim()).toBe(read.data);
      expect([...read.data].length).toBeLessThanOrEqual(20);
      expect(optionalText({ max: 20, multiline }).parse(read.data)).toBe(read.data);
      const controls = [...read.data].filter((one) => one < " " && !(multiline && (one === "\n" || one === "\t")));
      expect(controls).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

it.each(["\u0000", "a\u0000b", "\ud800", "a\udc00b", "\u001b[31m", "\u007f"])("rejects %j", (text) => {
  expect(optional.safeParse(`x${text}x`).success).toBe(false);
});
