import { type ComponentProps, createElement } from "react";
import { expect, test } from "vitest";
import type { StatusReason } from "#app/domain/campaigns/status/status-reason.ts";
import { CampaignFundsNotice } from "#app/screens/shared/campaigns/status/campaign-funds-notice.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

type Props = ComponentProps<typeof CampaignFundsNotice>;

function render(input: Partial<Props>): Promise<string> {
  const reason: StatusReason = { code: "draft", publishers: [], of: 0, date: null };
  const props: Props = { base: "/advertiser", status: "draft", reason, onFundsHold: true, paymentsEnabled: true };
  return renderInRouter(
    "/shop/campaigns/x/edit?step=6",
    createElement(CampaignFundsNotice, Object.assign(props, input)),
  );
}

test("a draft without funds can be launched, and the top-up comes back to its step", async () => {
  const html = await render({});
  expect(html).toContain("Funds are needed before delivery starts");
  const next = encodeURIComponent("/shop/campaigns/x/edit?step=6");
  expect(html).toContain(`href="/advertiser/billing/top-up?next=${next}"`);
});

test("an approved campaign without funds is on hold", async () => {
  const reason: StatusReason = { code: "insufficient_funds", publishers: ["Harbor Goods"], of: 1, date: null };
  expect(await render({ status: "active", reason })).toContain("On hold: insufficient funds");
});

test("nothing is shown with funds or for a completed campaign, and no link without a payment provider", async () => {
  expect(await render({ onFundsHold: false })).toBe("");
  expect(await render({ status: "completed" })).toBe("");
  expect(await render({ paymentsEnabled: false })).not.toContain("<a ");
});
