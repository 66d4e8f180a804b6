import { createElement } from "react";
import { expect, test } from "vitest";
import { NoCampaigns } from "#app/screens/publisher/campaigns/no-campaigns.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

test.each([
  { hasAny: false, leads: true },
  { hasAny: true, leads: false },
])(
  "a publisher's empty list has the specification's texts (with campaigns elsewhere: $hasAny)",
  async ({ hasAny, leads }) => {
    const html = await renderInRouter("/shop/approval", createElement(NoCampaigns, { base: "/publisher", hasAny }));
    expect(html).toContain("No campaigns found");
    expect(html).toContain("No campaigns match the current filter");
    expect(html.includes('href="/publisher/audiences"')).toBe(leads);
  },
);
