import { createContext, runInContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { scriptString } from "#app/web/script-string.ts";
import { payload, payloadCount } from "#tests/security/xss/xss-payloads.ts";
import { anyCharacter } from "#tests/support/any-character.ts";

const pieces = fc.string({
  unit: fc.constantFrom(
    ...`'"\\\n\r\0\t&<>/!-\u2028\u2029\`$abc`,
    "</script",
    "<!--",
    "]]>",
    "\\u0027",
    "\ud800",
    "\udc00",
  ),
});
/** One for all texts: creating a context takes longer than everything else here. */
const context = createContext();
const payloads = fc.constantFrom(...Array.from({ length: payloadCount }, (_, index) => payload(index, index)));

test("any text is the value of its string, in which nothing ends the string, the line or the script", () => {
  fc.assert(
    fc.property(fc.oneof(pieces, payloads, fc.string({ unit: anyCharacter }), fc.json()), (text) => {
      const string = scriptString(text);
      expect(runInContext(string, context)).toBe(text);
      expect(string).not.toMatch(/[\n\r&<>\u2028\u2029]/);
    }),
    { numRuns: 1_000 },
  );
});

test("double quotes need no escape", () => {
  expect(scriptString('[{"_1":2},"it\'s"]')).toBe(`'[{"_1":2},"it\\u0027s"]'`);
});
