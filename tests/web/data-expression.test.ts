import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dataExpression } from "#app/web/data-expression.ts";
import { payload, payloadCount } from "#tests/security/xss/xss-payloads.ts";

const payloads = fc.constantFrom(...Array.from({ length: payloadCount }, (_, index) => payload(index, index)));
const texts = fc.oneof(
  payloads,
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(..."'\"\\\n\r\0</!-->\u2028\u2029`$a", "</script", "<!--", "\ud800", "\udc00") }),
);
const names = fc.oneof(texts, fc.constantFrom("__proto__", "constructor", "class", "1", "$", ""));
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    texts,
    fc.double(),
    fc.boolean(),
    fc.bigInt(),
    fc.date(),
    fc.constantFrom(null, undefined),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

test("data are the value of their expression, in which nothing ends the script or the line", () => {
  fc.assert(
    fc.property(data, (value) => {
      const expression = dataExpression(value) ?? "";
      expect(runInNewContext(`structuredClone(${expression})`, { structuredClone })).toEqual(structuredClone(value));
      expect(expression).not.toMatch(/[\n\r<]/);
    }),
    { numRuns: 1_000 },
  );
});

test("a property that is named as the prototype is one", () => {
  const value: unknown = JSON.parse('{"__proto__":{"admin":true}}');
  const read: object = runInNewContext(`(${dataExpression(value)})`);
  expect(Object.keys(read)).toEqual(["__proto__"]);
  expect(read).not.toHaveProperty("admin");
});

test.each([
  ["a promise", Promise.resolve(1)],
  ["an error", new Error("no")],
  ["a map", new Map()],
  ["an object of a class", new URL("http://localhost/")],
  ["a function", () => 1],
  ["a symbol", Symbol("s")],
])("%s has no expression, nor have data with one in them", (_what, value) => {
  expect(dataExpression(value)).toBeUndefined();
  expect(dataExpression({ rows: [{ value }] })).toBeUndefined();
});
