import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeTexts } from "#server/http/encode-texts.ts";
import { anyCharacter } from "#tests/support/any-character.ts";

const asOne = (texts: readonly string[]) => Buffer.from(texts.map((text) => text.toWellFormed()).join(""));

test("texts one after another have the bytes of each, also with surrogates that are alone", () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom("\ud83d", "\ude00", "–", "a") }),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
      expect(encodeTexts(texts).equals(asOne(texts))).toBe(true);
    }),
  );
});

test("a later page does not change the bytes of an earlier one", () => {
  const first = encodeTexts(["first"]);
  encodeTexts(["second"]);
  expect(first.toString()).toBe("first");
});

test.each([349_525, 349_526, 2_000_000])("%i characters of three bytes are complete", (length) => {
  const texts = ["–".repeat(length - 3), "end"];
  expect(encodeTexts(texts).equals(asOne(texts))).toBe(true);
});
