import fc from "fast-check";
import { createContext, createElement, Fragment, type ReactNode, useContext } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { renderMarkup } from "#app/ui/table/render-markup.ts";
import { payload, payloadCount } from "#tests/security/xss/xss-payloads.ts";
import { anyCharacter } from "#tests/support/any-character.ts";

/** Renders both ways, ours within a component, as its callers do. */
function bothWays(node: ReactNode): { ours: string | undefined; reacts: string } {
  const rendered: Rendered = { ours: undefined };
  renderToString(createElement(Caller, { node, rendered }));
  return { ...rendered, reacts: renderToString(createElement(Fragment, null, node)) };
}

type Rendered = { ours: string | undefined };

function Caller({ node, rendered }: { node: ReactNode; rendered: Rendered }): ReactNode {
  rendered.ours = renderMarkup(node);
  return null;
}

/**
 * Payloads of scripts, and texts of the characters and pairs of them that end a tag, an attribute, a comment or an
 * escape.
 */
const hostile = fc.oneof(
  fc.constantFrom(...Array.from({ length: payloadCount }, (_, index) => payload(index, index))),
  fc.string({
    unit: fc.constantFrom(
      ..."<>&\"'`=/!-;# \n\0\u2028\u00a0\ud800\udc00a",
      "<!--",
      "-->",
      "</",
      "]]>",
      "&#",
      "&lt;",
      "${",
    ),
  }),
  fc.string({ unit: anyCharacter }),
);
const text = fc.oneof(hostile, fc.string(), fc.constantFrom("", "–"), fc.integer(), fc.double({ noNaN: true }));
const attributes = fc.record(
  {
    id: text,
    className: text,
    title: text,
    hidden: fc.boolean(),
    tabIndex: fc.integer(),
    role: fc.constantFrom("search", undefined, null),
    "aria-hidden": fc.boolean(),
    "aria-label": text,
    "data-busy": fc.oneof(fc.boolean(), text),
    name: text,
    disabled: fc.boolean(),
    popovertarget: text,
    maxLength: fc.nat(),
    onClick: fc.constant(() => undefined),
  },
  { requiredKeys: [] },
);
const { tree } = fc.letrec<{ tree: ReactNode }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(text, fc.constantFrom(null, undefined, true, false)),
    fc
      .tuple(
        fc.constantFrom("div", "span", "td", "small", "button", "a", "form"),
        attributes,
        fc.array(tie("tree"), { maxLength: 4 }),
      )
      .map(([tag, props, children]) => createElement(tag, props, ...children)),
    fc.array(tie("tree"), { maxLength: 4 }).map((children) => createElement(Fragment, null, ...children)),
    fc.array(tie("tree"), { maxLength: 3 }).map((children) => createElement(Component, null, ...children)),
    fc.tuple(attributes, fc.constantFrom("input", "br", "img")).map(([props, tag]) => createElement(tag, props)),
  ),
}));

function Component({ children }: { children?: ReactNode }) {
  return ["before", children, 1];
}

test("any tree of elements, components and texts is rendered as React renders it", () => {
  fc.assert(
    fc.property(tree, (node) => {
      const { ours, reacts } = bothWays(node);
      expect(ours).toBe(reacts);
    }),
    { numRuns: 1_000 },
  );
});

test("hostile texts are escaped as React escapes them, in content and in each attribute", () => {
  fc.assert(
    fc.property(hostile, hostile, (inside, value) => {
      const attributesOf = { title: value, className: value, "aria-label": value, "data-id": value };
      const link = createElement("a", attributesOf, inside, value);
      const field = createElement("input", { name: value, defaultValue: value, placeholder: value });
      const { ours, reacts } = bothWays(createElement("td", null, link, field, inside));
      expect(ours).toBe(reacts);
      expect(reacts.match(/</g)).toHaveLength(5 + (reacts.match(/<!-- -->/g)?.length ?? 0));
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  createElement("input", {
    value: "a",
    type: "checkbox",
    checked: true,
    readOnly: undefined,
    onChange: () => undefined,
  }),
  createElement("input", { defaultValue: 0, name: "n", defaultChecked: false, disabled: true }),
  createElement("progress", { value: 0.5, max: 1, className: "progress", "aria-label": "Spent" }),
  createElement("button", { value: 3, type: "submit", name: "intent", disabled: false }),
  createElement("details", { open: true, name: "menu" }, createElement("summary", null, "More")),
  createElement("label", { htmlFor: "x" }, "a", "b", 3),
  // biome-ignore lint/security/noDangerouslySetInnerHtml: this is what prepared icons are.
  createElement("svg", { "aria-hidden": true, dangerouslySetInnerHTML: { __html: "<path/>" } }),
])("%o is rendered as React renders it", (node) => {
  const { ours, reacts } = bothWays(node);
  expect(ours).toBe(reacts);
});

const Zone = createContext("UTC");

function Time() {
  return createElement("time", null, useContext(Zone));
}

test("a context of the page is read by components inside", () => {
  const rendered: Rendered = { ours: undefined };
  const caller = createElement(Caller, { node: createElement(Time), rendered });
  renderToString(createElement(Zone.Provider, { value: "CET" }, caller));
  expect(rendered.ours).toBe("<time>CET</time>");
});

test.each([
  ["a context provider", createElement(createContext(0).Provider, { value: 1 })],
  ["an inline style", createElement("p", { style: { color: "red" } })],
  ["a select", createElement("select", { defaultValue: "a" }, createElement("option", { value: "a" }))],
  ["a text area", createElement("textarea", { defaultValue: "a" })],
  ["an attribute with another name", createElement("a", { hrefLang: "en" })],
  ["an attribute with rules of its own", createElement("td", { rowSpan: 2 })],
])("%s is left to React", (_, node) => {
  expect(bothWays(createElement("div", null, node)).ours).toBeUndefined();
});
