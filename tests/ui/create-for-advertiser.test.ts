import { createElement } from "react";
import { expect, test } from "vitest";
import CreateForAdvertiser from "#app/screens/publisher/campaigns/create-for-advertiser/route.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

const page = "/shop/campaigns/create-for-advertiser";
const loaded = {
  base: "/publisher",
  advertisers: [],
  audiences: [],
  choices: { creatives: [], moreCreatives: false, uploadHref: "/shop/upload" },
  today: "2026-11-20",
  idempotencyKey: "key-of-the-page",
  checks: {},
};

function render(error: Record<string, string[]>, more: { exceedsPlan?: boolean } = {}): Promise<string> {
  const responded = { status: "error", initialValue: { name: "Harbor Picks" }, error, ...more };
  return renderInRouter(page, createElement(CreateForAdvertiser), { loaded, responded });
}

test("a campaign beyond the plan's limit leads to the plans in a new tab, so that the form stays", async () => {
  const html = await render({ "": ["You've reached your Starter plan's limit"] }, { exceedsPlan: true });
  expect(html).toContain("reached your Starter plan");
  expect(html).toMatch(/href="\/publisher\/billing\?tab=subscription" target="_blank"/);
  expect(html).toContain('value="Harbor Picks"');
});

test("without audiences an error of the field leads to what says why there are none", async () => {
  const html = await render({ selected_audiences: ["Choose at least one audience"] });
  expect(html).toContain('href="#selected_audiences"');
  expect(html).toMatch(/id="selected_audiences"[^>]*>.*None of your audiences is ready/);
  expect(html).not.toContain("/publisher/billing");
});
