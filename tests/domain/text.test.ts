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
      const controls = [...read.data].filter((one) => one < " " && !(multiline && (one === "\n" || one === "\t")));
      expect(controls).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

it.each(["\u0000", "a\u0000b", "\ud800", "a\udc00b", "\u001b[31m", "\u007f"])("rejects %j", (text) => {
  expect(optional.safeParse(`x${text}x`).success).toBe(false);
});
