import { formatDay, formatDollars } from "./copy-formats.ts";
import type { AccountNotification, NotificationCopy } from "./notification.ts";

type BudgetEvent = "budget_nearly_used" | "budget_used_up" | "wallet_low" | "wallet_empty";

/** Describes a budget or wallet that runs low or out to the advertiser. Pure. */
export function describeBudgetEvent({
  event,
  campaignId,
  facts,
}: Pick<AccountNotification, "campaignId" | "facts"> & { event: BudgetEvent }): NotificationCopy {
  const campaign = `“${facts.campaign ?? "A campaign"}”`;
  const page = {
    action: "View campaign",
    path: campaignId ? (`/campaigns/${campaignId}` as const) : "/campaigns",
  } as const;
  const spent = { label: "Spend", value: formatDollars(facts.spend) };
  const figures = [spent, { label: "Budget", value: formatDollars(facts.budget) }];
  switch (event) {
    case "budget_nearly_used":
      return {
        title: `${campaign} has spent 80% of its budget`,
        lines: [
          "The campaign ends when the budget is spent. To keep it running, raise the budget; publishers will review the change.",
        ],
        figures,
        ...page,
      };
    case "budget_used_up":
      return {
        title: `${campaign} has spent its full budget`,
        lines: ["The campaign has stopped delivering."],
        figures,
        ...page,
      };
    case "wallet_low":
      return {
        title: "Your wallet is running low",
        lines: [
          `At your current pace, your funds of ${formatDollars(facts.amount)} last until ${formatDay(facts) ?? "soon"}. When they run out, your campaigns go on hold.`,
        ],
        action: "Top up",
        path: "/billing/top-up",
      };
    case "wallet_empty":
      return {
        title: "Campaigns on hold: insufficient funds",
        lines: [
          "Your funds are used up. Your campaigns resume automatically once a top-up or payment exceeds what is missing.",
        ],
        action: "Top up",
        path: "/billing/top-up",
      };
  }
}
