import { plans } from "../billing/plan.ts";
import { formatInZone } from "../time-zone.ts";
import { formatDollars } from "./copy-formats.ts";
import type { AccountNotification, NotificationCopy, NotificationFacts } from "./notification.ts";

/** Describes a plan's start, change, failed payment or end to the publisher. Pure. */
export function describePlanEvent(
  {
    event,
    facts,
  }: Pick<AccountNotification, "facts"> & {
    event: "subscription_changed" | "subscription_payment_failed" | "subscription_ended";
  },
  zone: string,
): NotificationCopy {
  const page = { action: "View subscription", path: "/billing?tab=subscription" } as const;
  const label = facts.plan ? plans[facts.plan].label : "plan";
  switch (event) {
    case "subscription_changed":
      return { ...describeChange(facts, label), ...page };
    case "subscription_payment_failed":
      return {
        title: `Your plan payment of ${formatDollars(facts.amount)} failed`,
        lines: [
          `Your ${label} plan stays active for now.${facts.at ? ` We'll try the payment again on ${formatInZone(new Date(facts.at), zone)}.` : ""}`,
          facts.isPlanCanceled
            ? "Pay now. You canceled the plan, so we don't charge it automatically."
            : "Pay now, or add another payment method and we'll charge it right away.",
        ],
        quote: facts.reason,
        ...page,
      };
    case "subscription_ended":
      return {
        title: `Your ${label} plan has ended`,
        lines: [
          describeEnding(facts),
          "Running campaigns continue. Without a plan, you can approve a campaign only while none is running.",
        ],
        quote: facts.reason,
        ...page,
      };
  }
}

function describeEnding({ reason, endedBy }: NotificationFacts): string {
  if (endedBy === "reversal") {
    return "The last payment for your plan was reversed. You had canceled the plan, and it was not paid again within a week.";
  }
  if (endedBy === "operator") {
    return "We canceled your plan, whose payment was past due. You won't be charged for it again.";
  }
  return reason
    ? "Your plan was past due, and no payment for it succeeded by its end."
    : "Your plan was canceled and ended with its billing period.";
}

function describeChange(facts: NotificationFacts, label: string): Pick<NotificationCopy, "title" | "lines"> {
  const limit = facts.plan && plans[facts.plan].campaignLimit;
  const capacity = limit === undefined ? "unlimited campaigns" : `${limit} campaigns at a time`;
  if (facts.amount !== undefined) {
    const amount = formatDollars(facts.amount);
    const payment = facts.isPaidFromEarnings ? `${amount} was paid from your earnings.` : `We charged ${amount}.`;
    return { title: `Your ${label} plan is active`, lines: [`${payment} You can approve ${capacity}.`] };
  }
  return facts.reason
    ? {
        title: `You stay on the ${label} plan`,
        lines: [`Your downgrade was canceled. ${facts.reason}`],
      }
    : {
        title: `Your plan is now ${label}`,
        lines: [`The change you scheduled is in effect. You can approve ${capacity}.`],
      };
}
