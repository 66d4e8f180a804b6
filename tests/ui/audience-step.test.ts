import { type ComponentProps, createElement } from "react";
import { expect, test } from "vitest";
import { AudienceStep } from "#app/screens/advertiser/campaigns/wizard/audience-step.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

type Choices = ComponentProps<typeof AudienceStep>["choices"];

test.each([
  ["no audience is offered", {}, "No audiences available"],
  ["a search finds none", { find: "tea" }, "No audiences found"],
])("the checklist's link to the audiences leads somewhere while %s", async (_, search, text) => {
  const choices: Choices = {
    audiences: [],
    products: [],
    more: false,
    hasCreative: false,
    creatives: [],
    moreCreatives: false,
    uploadHref: "/shop/upload",
    ad: { adFormat: null, brand: "", headline: "", landingUrl: null },
    reach: { ids: [] },
    reachHref: "/shop/reach",
    today: "2026-11-20",
    ...search,
  };
  const html = await renderInRouter("/shop/edit", createElement(AudienceStep, { choices, values: {}, errors: {} }));
  expect(html).toContain('id="selected_audiences"');
  expect(html).toContain(text);
});
