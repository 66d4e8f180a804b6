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

function render(error: Record<string, string[]>): Promise<string> {
  const responded = { status: "error", initialValue: { name: "Harbor Picks" }, error };
  return renderInRouter(page, createElement(CreateForAdvertiser), { loaded, responded });
}

test("without audiences an error of the field leads to what says why there are none", async () => {
  const html = await render({ selected_audiences: ["Choose at least one audience"] });
  expect(html).toContain('href="#selected_audiences"');
  expect(html).toMatch(/id="selected_audiences"[^>]*>.*None of your audiences is ready/);
});
