import { createRequire } from "node:module";
import { createRef, type ElementType, Fragment, forwardRef } from "react";
import type * as runtime from "react/jsx-runtime";
import { beforeEach, expect, test, vi } from "vitest";
import { jsx, jsxs } from "#server/jsx-runtime.ts";

/** As the server's build has it. Tests run with React's development build. */
const production: typeof runtime = createRequire(import.meta.url)(
  `${process.cwd()}/node_modules/react/cjs/react-jsx-runtime.production.min.js`,
);

// The development build warns of a key that is spread.
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

function Plain() {
  return null;
}

function WithDefaults() {
  return null;
}
WithDefaults.defaultProps = { size: 1 };

const cases: [type: ElementType, props: Record<string, unknown>, key?: string | number][] = [
  ["p", {}],
  ["p", { className: "wide", children: ["a", 1] }, "one"],
  ["li", { key: "from a spread", children: null }],
  ["li", { key: "from a spread" }, 2],
  ["input", { ref: createRef(), value: "a" }],
  [Plain, { name: "a", ref: undefined, key: undefined }],
  [WithDefaults, { name: "a" }],
  [WithDefaults, { size: 2 }, ""],
  [forwardRef(Plain), { title: "a" }],
  [Fragment, { children: "a" }, 0],
];

test.each(cases)("an element of %o with %o is React's", (type, props, key) => {
  const expected = production.jsx(type, { ...props }, key);
  expect(withoutUndefined(jsx(type, { ...props }, key))).toEqual(withoutUndefined(expected));
  expect(withoutUndefined(jsxs(type, { ...props }, key))).toEqual(withoutUndefined(expected));
});

/** React's copy leaves an undefined `key` and `ref` out, and its development build adds a `_store`. */
function withoutUndefined(element: unknown): unknown {
  const { props, _store, ...rest } = Object(element);
  return { ...rest, props: Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) };
}
