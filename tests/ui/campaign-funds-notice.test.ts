import { type ComponentProps, createElement } from "react";
import { expect, test } from "vitest";
import type { StatusReason } from "#app/domain/campaigns/status/status-reason.ts";
import { asCents } from "#app/domain/money.ts";
import { CampaignFundsNotice } from "#app/screens/shared/campaigns/status/campaign-funds-notice.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

type Props = ComponentProps<typeof CampaignFundsNotice>;

async function render(input: Partial<Props>): Promise<string> {
  const reason: StatusReason = { code: "draft", publishers: [], of: 0, date: null };
  const props: Props = {
    base: "/advertiser",
    status: "draft",
    reason,
    fundsHold: { shortfall: asCents(0) },
    paymentsEnabled: true,
  };
  const notice = createElement(CampaignFundsNotice, Object.assign(props, input));
  const html = await renderInRouter("/shop/campaigns/x/edit?step=6", notice);
  // React separates adjacent texts.
  return html.replaceAll("<!-- -->", "");
}

test("a draft without funds can be launched, and the top-up comes back to its step", async () => {
  const html = await render({});
  expect(html).toContain("Funds are needed before delivery starts");
  const next = encodeURIComponent("/shop/campaigns/x/edit?step=6");
  expect(html).toContain(`href="/advertiser/billing/top-up?next=${next}"`);
});

test("an approved campaign without funds is on hold", async () => {
  const reason: StatusReason = { code: "insufficient_funds", publishers: ["Harbor Goods"], of: 1, date: null };
  const html = await render({ status: "active", reason });
  expect(html).toContain("On hold: insufficient funds");
  expect(html).toContain("Top up your wallet</a> and the campaign resumes automatically.");
});

test("a top-up has to exceed what is missing, at each stage", async () => {
  const fundsHold = { shortfall: asCents(5_000) };
  expect(await render({ fundsHold })).toContain("Top up your wallet</a> with more than $50.00.");
  const reason: StatusReason = { code: "insufficient_funds", publishers: ["Harbor Goods"], of: 1, date: null };
  expect(await render({ fundsHold, status: "active", reason })).toContain(
    "Top up your wallet</a> with more than $50.00 and the campaign resumes automatically.",
  );
});

test("nothing is shown with funds or for a completed campaign, and no link without a payment provider", async () => {
  expect(await render({ fundsHold: null })).toBe("");
  expect(await render({ status: "completed" })).toBe("");
  expect(await render({ paymentsEnabled: false })).not.toContain("<a ");
});
