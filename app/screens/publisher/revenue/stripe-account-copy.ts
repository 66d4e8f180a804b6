import type { PayoutAccountStatus } from "#app/domain/billing/payouts/payout-account.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";

type Tone = "good" | "warn" | "bad" | "info";
type Words = { tone: Tone; title: string; text: string; button: string };

const copy: Record<"none" | PayoutAccountStatus["state"], Words> = {
  none: {
    tone: "info",
    title: "Stripe pays your earnings to your bank account",
    text: "On Stripe's site, verify your identity and add your bank account. It takes about ten minutes, and you can finish later.",
    button: "Set up payouts with Stripe",
  },
  information_needed: {
    tone: "warn",
    title: "Stripe needs more information",
    text: "Your earnings stay in your balance until you provide it.",
    button: "Continue on Stripe",
  },
  pending_verification: {
    tone: "info",
    title: "Stripe is verifying your information",
    text: "This usually takes a few minutes, sometimes a few days. You don't need to do anything.",
    button: "View on Stripe",
  },
  enabled: {
    tone: "good",
    title: "Payouts are set up",
    text: "To change your bank account, go to Stripe.",
    button: "Change bank account on Stripe",
  },
  disabled: {
    tone: "bad",
    title: "Stripe has disabled payouts to your account",
    text: "Contact Stripe support. Your earnings stay in your balance.",
    button: "Open Stripe",
  },
};

/** What a publisher's account at Stripe means to it, and what it can do. Pure. */
export function stripeAccountCopy(status: PayoutAccountStatus | null): Words {
  const found = copy[status?.state ?? "none"];
  if (!status?.requirementsDueBy) return found;
  const title = `Stripe needs more information by ${formatDate(status.requirementsDueBy)}`;
  const text = "Payouts continue until then. After that, your earnings stay in your balance.";
  return { tone: "warn", title, text, button: "Continue on Stripe" };
}
