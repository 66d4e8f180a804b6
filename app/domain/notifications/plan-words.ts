import { plans } from "../billing/plan.ts";
import { formatCents, toCents } from "../money.ts";
import { formatInZone } from "../time-zone.ts";
import type { Notice, NoticeWords, NotificationFacts } from "./notification.ts";

/** What a publisher reads of its plan: that it holds from now on, that it was not paid, that it is over. Pure. */
export function wordsOfPlan(
  {
    event,
    facts,
  }: Pick<Notice, "facts"> & {
    event: "subscription_changed" | "subscription_payment_failed" | "subscription_ended";
  },
  zone: string,
): NoticeWords {
  const page = { action: "View subscription", path: "/billing?tab=subscription" } as const;
  const label = facts.plan ? plans[facts.plan].label : "plan";
  switch (event) {
    case "subscription_changed":
      return { ...changed(facts, label), ...page };
    case "subscription_payment_failed":
      return {
        title: `The payment of ${amountOf(facts)} for your plan failed`,
        lines: [
          `Your ${label} plan goes on for now.${facts.at ? ` The payment is tried again on ${formatInZone(new Date(facts.at), zone)}.` : ""}`,
          "You can pay now, or add another payment method: then it is tried with that one at once.",
        ],
        quote: facts.reason,
        ...page,
      };
    case "subscription_ended":
      return {
        title: `Your ${label} plan has ended`,
        lines: [
          facts.reason
            ? "It could not be paid, and was tried for a week."
            : "It ended with the period that was paid, as you asked.",
          "What runs goes on. Until you choose a plan again, you can approve a campaign only while none of yours runs.",
        ],
        quote: facts.reason,
        ...page,
      };
  }
}

function changed(facts: NotificationFacts, label: string): Pick<NoticeWords, "title" | "lines"> {
  const limit = facts.plan && plans[facts.plan].campaignLimit;
  const room = limit === undefined ? "as many campaigns as you like" : `${limit} campaigns at a time`;
  if (facts.amount !== undefined) {
    return {
      title: `Your ${label} plan is active`,
      lines: [`${amountOf(facts)} was paid for it. It holds from now on: you can approve ${room}.`],
    };
  }
  return facts.reason
    ? {
        title: `You stay on the ${label} plan`,
        lines: [`The smaller plan that you chose has no room. ${facts.reason}`],
      }
    : { title: `Your plan is ${label} now`, lines: [`As you asked, with the new period. You can approve ${room}.`] };
}

function amountOf({ amount = 0 }: Pick<NotificationFacts, "amount">): string {
  return formatCents(toCents(Math.round(amount * 100)));
}
