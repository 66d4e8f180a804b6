import { createElement } from "react";
import { expect, test } from "vitest";
import { InvalidRows } from "#app/screens/publisher/audiences/upload-report/invalid-rows.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

test("the number of a skipped row is named where its column has no head", async () => {
  const problems = [{ file: 0, line: 1_203, reason: "invalid_email", value: "b***" } as const];
  const card = createElement(InvalidRows, { files: [], problems, count: 1 });
  expect(await renderInRouter("/shop/upload", card)).toMatch(/only-narrow">Line <\/span>1,203/);
});
