import type { AccountState } from "#app/domain/billing/payouts/payout-account.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";

type Tone = "good" | "warn" | "bad" | "info";
type Words = { tone: Tone; title: string; text: string; button: string };

const words: Record<"none" | AccountState["state"], Words> = {
  none: {
    tone: "info",
    title: "Stripe pays your earnings to your bank account",
    text: "On its own pages it asks who you are and where to pay to. It takes about ten minutes, and you can go on later.",
    button: "Set up payouts at Stripe",
  },
  needs_more: {
    tone: "warn",
    title: "Stripe needs more from you",
    text: "Until it has all it asks for, what you earn stays in your balance.",
    button: "Go on at Stripe",
  },
  checking: {
    tone: "info",
    title: "Stripe is checking what you entered",
    text: "That takes some minutes, at times a few days. There is nothing to do until then.",
    button: "See it at Stripe",
  },
  ready: {
    tone: "good",
    title: "Payouts are set up",
    text: "The bank account is changed at Stripe.",
    button: "Change bank account at Stripe",
  },
  disabled: {
    tone: "bad",
    title: "Stripe does not pay out to your account",
    text: "Ask its support why. What you earn stays in your balance.",
    button: "Open Stripe",
  },
};

/** What a publisher's account at Stripe means to it, and what it can do. Pure. */
export function stripeWords(stands: AccountState | null): Words {
  const found = words[stands?.state ?? "none"];
  if (!stands?.dueBy) return found;
  const title = `Stripe wants to know more by ${formatDate(stands.dueBy)}`;
  const text = "It pays out until then. After that, what you earn stays in your balance.";
  return { tone: "warn", title, text, button: "Answer at Stripe" };
}
