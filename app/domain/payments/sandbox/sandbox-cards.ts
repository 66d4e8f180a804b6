import type { ProviderMethod } from "#app/domain/payments/payment-provider.ts";

type Behavior = { does: "succeed" } | { does: "ask" } | { does: "decline"; reason: string };
type SandboxCard = Omit<ProviderMethod, "token" | "type"> & { label: string; hint: string } & Behavior;

/** The cards of the sandbox, by token. Each card determines the outcome of its charges. Pure. */
export const sandboxCards = {
  tok_visa: {
    brand: "Visa",
    lastFour: "4242",
    expiresMonth: 12,
    expiresYear: 2034,
    label: "Succeeds",
    hint: "Every payment succeeds",
    does: "succeed",
  },
  tok_mastercard: {
    brand: "Mastercard",
    lastFour: "4444",
    expiresMonth: 8,
    expiresYear: 2033,
    label: "Succeeds",
    hint: "Every payment succeeds",
    does: "succeed",
  },
  tok_confirmation: {
    brand: "Visa",
    lastFour: "3220",
    expiresMonth: 6,
    expiresYear: 2032,
    label: "Needs confirmation",
    hint: "The bank asks for confirmation each time. You confirm or decline on a separate page.",
    does: "ask",
  },
  tok_declined: {
    brand: "Visa",
    lastFour: "0002",
    expiresMonth: 11,
    expiresYear: 2031,
    label: "Declined",
    hint: "The bank declines every payment",
    does: "decline",
    reason: "The card was declined. Use another payment method or contact your bank.",
  },
  tok_insufficient_funds: {
    brand: "Visa",
    lastFour: "9995",
    expiresMonth: 10,
    expiresYear: 2031,
    label: "Insufficient funds",
    hint: "Every payment is declined for insufficient funds",
    does: "decline",
    reason: "The card has insufficient funds. Use another payment method.",
  },
  tok_expired: {
    brand: "Mastercard",
    lastFour: "0069",
    expiresMonth: 1,
    expiresYear: 2024,
    label: "Expired",
    hint: "It can be added but is declined when charged",
    does: "decline",
    reason: "The card has expired. Add a new card.",
  },
} as const satisfies Record<string, SandboxCard>;

export type SandboxToken = keyof typeof sandboxCards;
export const sandboxTokens = Object.keys(sandboxCards).filter(isSandboxToken);

export function isSandboxToken(text: string): text is SandboxToken {
  return Object.hasOwn(sandboxCards, text);
}

/** Returns the outcome of charges to a card. */
export function sandboxBehavior(token: SandboxToken): Behavior {
  return sandboxCards[token];
}
