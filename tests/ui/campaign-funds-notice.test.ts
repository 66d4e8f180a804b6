import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import type { StatusReason } from "#app/domain/campaigns/status/status-reason.ts";
import { CampaignFundsNotice } from "#app/screens/shared/campaigns/status/campaign-funds-notice.tsx";

vi.mock("@remix-run/react", async (original) => ({
  ...(await original<object>()),
  useLocation: () => ({ pathname: "/advertiser/campaigns/x/edit", search: "?step=6" }),
  Link: ({ to, prefetch: _, ...rest }: ComponentProps<"a"> & { to: string; prefetch?: string }) =>
    createElement("a", { href: to, ...rest }),
}));

type Props = ComponentProps<typeof CampaignFundsNotice>;

function render(input: Partial<Props>): string {
  const reason: StatusReason = { code: "draft", publishers: [], of: 0, date: null };
  const props: Props = { base: "/advertiser", status: "draft", reason, onFundsHold: true, paymentsEnabled: true };
  return renderToStaticMarkup(createElement(CampaignFundsNotice, Object.assign(props, input)));
}

test("a draft without funds can be launched, and the top-up comes back to its step", () => {
  const html = render({});
  expect(html).toContain("Funds are needed before delivery starts");
  const next = encodeURIComponent("/advertiser/campaigns/x/edit?step=6");
  expect(html).toContain(`href="/advertiser/billing/top-up?next=${next}"`);
});

test("an approved campaign without funds is on hold", () => {
  const reason: StatusReason = { code: "insufficient_funds", publishers: ["Harbor Goods"], of: 1, date: null };
  expect(render({ status: "active", reason })).toContain("On hold: insufficient funds");
});

test("nothing is shown with funds or for a completed campaign, and no link without a payment provider", () => {
  expect(render({ onFundsHold: false })).toBe("");
  expect(render({ status: "completed" })).toBe("");
  expect(render({ paymentsEnabled: false })).not.toContain("<a ");
});
