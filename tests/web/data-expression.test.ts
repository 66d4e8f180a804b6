import { createContext, runInContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ShownRow, selectLabel } from "#app/ui/table/shown-row.ts";
import { dataExpression } from "#app/web/data-expression.ts";
import { payload, payloadCount } from "#tests/security/xss/xss-payloads.ts";
import { anyCharacter } from "#tests/support/any-character.ts";

const payloads = fc.constantFrom(...Array.from({ length: payloadCount }, (_, index) => payload(index, index)));
const texts = fc.oneof(
  payloads,
  fc.string({ unit: anyCharacter }),
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

/** One for all expressions: creating a context takes longer than everything else here. */
const page: Record<string, unknown> = { structuredClone };
const context = createContext(page);

test("data are the value of their expression, in which nothing ends the script or the line", () => {
  fc.assert(
    fc.property(data, (value) => {
      const expression = dataExpression(value) ?? "";
      expect(runInContext(`structuredClone(${expression})`, context)).toEqual(structuredClone(value));
      expect(expression).not.toMatch(/[\n\r<]/);
    }),
    { numRuns: 1_000 },
  );
});

test("a property that is named as the prototype is one", () => {
  const value: unknown = JSON.parse('{"__proto__":{"admin":true}}');
  const read: object = runInContext(`(${dataExpression(value)})`, context);
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

/**
 * The checkboxes of rows as a browser has them, which reads attributes with other line ends and no broken characters.
 */
function documentOf(rows: readonly ShownRow[]) {
  const checkboxes = rows.map(({ id, name }) => ({
    value: id,
    getAttribute: (attribute: string) =>
      attribute === "aria-label"
        ? Buffer.from(selectLabel(name)).toString().replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd")
        : null,
  }));
  return { querySelectorAll: (selector: string) => (selector === ".select-cell>input" ? checkboxes : []) };
}

test("a list has the ids and names of the rows that the page shows, and its own names where these differ", () => {
  const rows = fc.uniqueArray(
    fc.record({ id: fc.uuid(), name: texts, shownName: fc.option(texts), rest: fc.dictionary(names, data) }),
    { selector: ({ id }) => id, maxLength: 5 },
  );
  fc.assert(
    fc.property(rows, data, (list, other) => {
      const items = list.map(({ id, name, rest }) => ({ ...rest, id, name }));
      const shown = list.map(({ id, name, shownName }) => ({ id, name: shownName ?? name }));
      const value = { other, page: { rows: items, next: null } };
      const expression = dataExpression(value, shown) ?? "";
      page.document = documentOf(shown);
      expect(runInContext(`structuredClone(${expression})`, context)).toEqual(structuredClone(value));
      expect(expression).not.toMatch(/[\n\r<]/);
      for (const { id } of items) expect(expression).not.toContain(id);
    }),
    { numRuns: 300 },
  );
});

test("a list that is not the shown one has its own ids", () => {
  const shown = [1, 2].map((n) => ({ id: `id${n}`, name: `Name ${n}` }));
  const own = (rows: unknown[]) => dataExpression(rows, shown);
  expect(own(shown)).not.toContain("id1");
  for (const rows of [
    shown.slice(1),
    shown.toReversed(),
    [...shown, { id: "id3", name: "Name 3" }],
    [{ id: "id1" }, shown[1]],
  ])
    expect(own(rows)).toBe(dataExpression(rows));
});
