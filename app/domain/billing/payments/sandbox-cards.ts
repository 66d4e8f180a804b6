import type { ProviderMethod } from "#app/payments/payment-provider.ts";

type Behaviour = { does: "succeed" } | { does: "ask" } | { does: "decline"; reason: string };
type SandboxCard = Omit<ProviderMethod, "token" | "type"> & { label: string; hint: string } & Behaviour;

/** The cards of the sandbox, by the tokens of the contract. What each does is all there is to it. Pure. */
export const sandboxCards = {
  tok_visa: {
    brand: "Visa",
    lastFour: "4242",
    expiresMonth: 12,
    expiresYear: 2034,
    label: "Succeeds",
    hint: "Every payment goes through",
    does: "succeed",
  },
  tok_mastercard: {
    brand: "Mastercard",
    lastFour: "4444",
    expiresMonth: 8,
    expiresYear: 2033,
    label: "Succeeds",
    hint: "Every payment goes through",
    does: "succeed",
  },
  tok_confirmation: {
    brand: "Visa",
    lastFour: "3220",
    expiresMonth: 6,
    expiresYear: 2032,
    label: "Needs confirmation",
    hint: "The bank asks each time; you confirm or refuse on a page",
    does: "ask",
  },
  tok_declined: {
    brand: "Visa",
    lastFour: "0002",
    expiresMonth: 11,
    expiresYear: 2031,
    label: "Is declined",
    hint: "The bank refuses every payment",
    does: "decline",
    reason: "The card was declined. Use another payment method, or ask the bank that issued it.",
  },
  tok_insufficient_funds: {
    brand: "Visa",
    lastFour: "9995",
    expiresMonth: 10,
    expiresYear: 2031,
    label: "Has too little on it",
    hint: "Every payment is refused for want of funds",
    does: "decline",
    reason: "The card has insufficient funds. Use another payment method.",
  },
  tok_expired: {
    brand: "Mastercard",
    lastFour: "0069",
    expiresMonth: 1,
    expiresYear: 2024,
    label: "Has expired",
    hint: "It can be added, and is refused when it is used",
    does: "decline",
    reason: "The card has expired. Add a new one.",
  },
} as const satisfies Record<string, SandboxCard>;

export type SandboxToken = keyof typeof sandboxCards;
export const sandboxTokens = Object.keys(sandboxCards).filter(isSandboxToken);

export function isSandboxToken(text: string): text is SandboxToken {
  return Object.hasOwn(sandboxCards, text);
}

/** What a card does when money is asked of it. */
export function sandboxBehaviour(token: SandboxToken): Behaviour {
  return sandboxCards[token];
}
