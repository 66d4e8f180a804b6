import { createElement } from "react";
import { expect, test } from "vitest";
import { type LineItemId, newId } from "#app/domain/ids.ts";
import { ReviewForm } from "#app/screens/publisher/campaigns/review/review-form.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

const page = "/shop/approval/x?status=pending";

function render(
  message: string,
  { values = {}, ...more }: { exceedsPlan?: boolean; values?: Record<string, string> },
): Promise<string> {
  const rejected = {
    status: "error" as const,
    initialValue: { version: "1", notes: "Please", ...values },
    error: { "": [message] },
    ...more,
  };
  const campaign = { lineItemId: newId<LineItemId>(), version: 1 };
  const sent = { base: "/publisher" as const, campaign, checks: {}, closeTo: "/shop", rejected };
  const props = { ...sent, children: "A campaign" };
  return renderInRouter(page, createElement(ReviewForm, props));
}

test("an approval beyond the plan's limit leads to the plans in a new tab, so that the review stays", async () => {
  const html = await render("You've reached your Starter plan's limit", { exceedsPlan: true });
  expect(html).toMatch(/href="\/publisher\/billing\?tab=subscription" target="_blank"/);
  expect(html).toContain(">Please</textarea>");
});

test("any other rejected decision does not lead to the plans", async () => {
  const html = await render("This campaign's end date has passed, so it can't be approved", {});
  expect(html).toContain("has passed");
  expect(html).not.toContain("/publisher/billing");
});

test("a rejection without a reason that failed shows that it was to be without one", async () => {
  const message = "The advertiser changed this campaign";
  const html = await render(message, { values: { notes: "", without_reason: "on" } });
  expect(html).toMatch(/<details open=""/);
  expect(html).toMatch(/<input[^>]*name="without_reason"[^>]* checked=""/);
  expect(await render(message, {})).toMatch(/<details><summary/);
});
