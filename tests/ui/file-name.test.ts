import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { FileName } from "#app/ui/file-name.tsx";

const shown = (name: string) => renderToStaticMarkup(createElement(FileName, { name }));

test("a file's name breaks after hyphens and underscores only", () => {
  expect(shown("spring-2026_final.csv")).toBe("<span>spring-<wbr/>2026_<wbr/>final.csv</span>");
  expect(shown("products.csv")).toBe("<span>products.csv</span>");
});

test("a very long name is cut in its middle, and is its own tooltip", () => {
  const name = `${"a".repeat(70)}${"b".repeat(70)}_final_version.csv`;
  expect(shown(name)).toBe(
    `<span title="${name}">${"a".repeat(66)}…${"b".repeat(6)}_<wbr/>final_<wbr/>version.csv</span>`,
  );
});
