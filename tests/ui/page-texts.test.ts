import { createElement, Fragment, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { MarkupBody } from "#app/ui/table/markup-body.tsx";
import { PageTexts, PageTextsContext } from "#app/ui/table/page-texts.ts";

const nonce = "bm9uY2U";
const row = (text: string) => createElement("tr", { key: text }, createElement("td", null, text));
const Body = ({ rows }: { rows: ReactNode[] }) =>
  MarkupBody({ hasForms: false, selectable: undefined, children: rows });
const body = (texts: string[]) => createElement(Body, { rows: texts.map(row) });
const tables = createElement(
  Fragment,
  null,
  "–",
  body(["one", `<!--${nonce}:1-->`]),
  "between",
  body(["two"]),
  "after",
);

const renderWith = (texts: PageTexts, node: ReactNode) =>
  renderToString(createElement(PageTextsContext.Provider, { value: texts }, node));

test("the texts in place of their marks are what React renders without them", () => {
  const texts = new PageTexts(nonce);
  const rendered = renderWith(texts, tables);
  expect(rendered).not.toContain("one");
  expect(texts.fill(rendered).join("")).toBe(renderToString(tables));
});

test("rows that are left to React have no mark", () => {
  const texts = new PageTexts(nonce);
  const styled = createElement("tr", { key: "1" }, createElement("td", { style: { color: "red" } }, "left to React"));
  const rendered = renderWith(texts, createElement(Body, { rows: [styled] }));
  expect(rendered).toContain("left to React");
  expect(texts.fill(rendered)).toEqual([rendered]);
});
