import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ImportNotices } from "#app/screens/shared/products/import/import-notices.tsx";

type Shown = ComponentProps<typeof ImportNotices>["shown"];

function textOf(filled: { derivedSkus: number; defaultCategories: number }): string {
  const shown = { status: "previewed", error: null, warned: 0, created: 1, updated: 0, ...filled } as Shown;
  return renderToStaticMarkup(createElement(ImportNotices, { shown, missing: [] })).replace(/<[^>]*>/g, "");
}

test("an import names only what it filled in", () => {
  expect(textOf({ derivedSkus: 3, defaultCategories: 0 })).toBe("Filled in automatically3 SKUs generated");
  expect(textOf({ derivedSkus: 0, defaultCategories: 1 })).toBe("Filled in automatically1 category filled in");
  expect(textOf({ derivedSkus: 1, defaultCategories: 2 })).toContain("1 SKU generated, 2 categories filled in");
  expect(textOf({ derivedSkus: 0, defaultCategories: 0 })).toBe("");
});
