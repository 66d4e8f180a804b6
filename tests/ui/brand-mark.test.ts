import { existsSync, readFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { directIntegrations } from "#app/domain/audiences/data-source.ts";
import { channels } from "#app/domain/campaigns/campaign.ts";
import { storeKinds } from "#app/domain/catalog/stores/store.ts";
import { projectFile } from "#app/project-file.server.ts";
import { BrandMark } from "#app/ui/brand-mark.tsx";

const brands = [...channels, ...directIntegrations, ...storeKinds];
const marks = brands.map((brand) => renderToStaticMarkup(createElement(BrandMark, { brand })));

test("no two brands have the same mark", () => {
  expect(new Set(marks).size).toBe(brands.length);
});

test.each(marks)("%s adds nothing to the text and to what is read aloud", (mark) => {
  expect(mark.replace(/<[^>]*>/g, "")).toBe("");
  expect(mark).toMatch(/ alt=""| aria-hidden="true"/);
});

test("a mark that is shown is a small file without a script and without another address", () => {
  const files = marks.flatMap((mark) => / src="(\/brands\/[a-z]+\.svg)"/.exec(mark)?.[1] ?? []);
  expect(files).toEqual(["/brands/shopify.svg", "/brands/woocommerce.svg"]);
  for (const file of files) {
    const path = projectFile(`public${file}`);
    expect(existsSync(path), file).toBe(true);
    const svg = readFileSync(path, "utf8");
    expect(svg.length).toBeLessThan(2_000);
    expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/script|href|https?:|\son\w+=/i);
  }
});
