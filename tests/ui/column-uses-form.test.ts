import { createElement } from "react";
import { expect, test } from "vitest";
import { ColumnUsesForm } from "#app/screens/publisher/audiences/upload-columns/column-uses-form.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

const column = { name: "Contact", use: "email" as const, detected: "email" as const, samples: [] };
const screen = { headerless: false, phoneCountry: "", countries: [], checks: {}, back: "/publisher/audiences" };

test.each([
  ["the only column of a file", [column], "ignored"],
  ["each of several columns", [column, { ...column, name: "Other" }], ["ignored", "ignored"]],
])("a rejected form keeps the use that was chosen of %s", async (_, columns, sent) => {
  const rejected = { status: "error" as const, initialValue: { columns: sent }, error: { columns: ["Choose one"] } };
  const form = createElement(ColumnUsesForm, { ...screen, columns, rejected });
  const html = await renderInRouter("/shop/audiences", form);
  expect(html.match(/value="ignored" selected=""/g)).toHaveLength(columns.length);
  expect(html).not.toContain('value="email" selected=""');
});
