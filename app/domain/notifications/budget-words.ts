import { formatDate, parseCalendarDate } from "../calendar-date.ts";
import { formatCents, toCents } from "../money.ts";
import type { Notice, NoticeWords } from "./notification.ts";

type BudgetEvent = "budget_nearly_used" | "budget_used_up" | "wallet_low" | "wallet_empty";

/** What an advertiser reads of money that ends: a campaign's budget, or its own. Pure. */
export function wordsOfBudget({
  event,
  campaignId,
  facts,
}: Pick<Notice, "campaignId" | "facts"> & { event: BudgetEvent }): NoticeWords {
  const campaign = `“${facts.campaign ?? "A campaign"}”`;
  const page = {
    action: "View campaign",
    path: campaignId ? (`/campaigns/${campaignId}` as const) : "/campaigns",
  } as const;
  const day = facts.day && parseCalendarDate(facts.day);
  const spent = { label: "Spend", value: dollars(facts.spend) };
  const figures = [spent, { label: "Budget", value: dollars(facts.budget) }];
  switch (event) {
    case "budget_nearly_used":
      return {
        title: `${campaign} has spent 80% of its budget`,
        lines: [
          "It is completed when all of it is spent. To let it run longer, give it more; the publishers decide again.",
        ],
        figures,
        ...page,
      };
    case "budget_used_up":
      return {
        title: `${campaign} has spent its whole budget`,
        lines: ["It delivers no more."],
        figures,
        ...page,
      };
    case "wallet_low":
      return {
        title: "Your wallet is running low",
        lines: [
          `At the pace of the last seven days the ${dollars(facts.amount)} that are left last until ${day ? formatDate(day) : "soon"}. Your campaigns wait when nothing is left.`,
        ],
        action: "Add funds",
        path: "/billing/top-up",
      };
    case "wallet_empty":
      return {
        title: "Your campaigns wait for funds",
        lines: [
          "Your wallet is used up, so nothing is delivered. Your campaigns go on by themselves as soon as you add funds.",
        ],
        action: "Add funds",
        path: "/billing/top-up",
      };
  }
}

function dollars(amount = 0): string {
  return formatCents(toCents(Math.round(amount * 100)));
}
