/** Who takes people's money for us. One interface, two implementations: the sandbox, and Stripe (docs/decisions/0026). */

/** A way to pay, as its provider tells of it: never a number of a card. `token` is what the provider takes money by. */
export type ProviderMethod = {
  token: string;
  brand: string;
  lastFour: string;
  type: "card";
  expiresMonth: number;
  expiresYear: number;
};

/** Money to be taken. `amount` in US cents; the same `key` again is the same charge, with the same answer. */
export type ChargeRequest = {
  key: string;
  amount: number;
  token: string;
  description: string;
  /** A path of ours where somebody comes back to who was asked to confirm. */
  returnPath: `/${string}`;
  /** Nobody asked for it just now, as for a plan that goes on: fewer banks want it confirmed then. */
  unattended?: boolean;
  /**
   * When it was asked for first. A provider remembers keys for a day or so: what is older is looked for before it is made, and
   * so is everything without this.
   */
  askedAt?: Date;
};

/**
 * What came of a charge. `declined` is final, `reason` a sentence for people; `needs_confirmation` waits for the person at
 * `url`, an address or a path of ours; `processing` has no end yet and nothing that anybody could do.
 */
export type Charge =
  | { state: "succeeded"; paymentId: string }
  | { state: "declined"; paymentId: string | null; reason: string }
  | { state: "needs_confirmation"; paymentId: string; url: string }
  | { state: "processing"; paymentId: string };

export type ProviderRefund = { state: "succeeded"; refundId: string } | { state: "refused"; reason: string };

/** Where a person adds a way to pay, at the provider's; `reference` asks what came of it. */
export type MethodPage = { reference: string; url: string };

export type MethodPageRequest = { owner: string; returnPath: `/${string}`; cancelPath: `/${string}` };

/** Every method throws a PaymentProviderError when there is no answer: then nobody knows what happened. */
export type PaymentProvider = {
  name: "sandbox" | "stripe";
  /** `owner` names the account; the page ends at `returnPath`, or at `cancelPath` when nothing was added. */
  beginMethod(input: MethodPageRequest): Promise<MethodPage>;
  /** What a reference stands for, to the account that it was made for; undefined when it is none, or not finished. */
  readMethod(input: { reference: string; owner: string }): Promise<ProviderMethod | undefined>;
  /** No money is taken by it any more. */
  forgetMethod(token: string): Promise<void>;
  charge(request: ChargeRequest): Promise<Charge>;
  readCharge(paymentId: string): Promise<Charge>;
  /** Ends a charge that was never confirmed. Gives how it stands then: it may have succeeded meanwhile. */
  cancelCharge(paymentId: string): Promise<Charge>;
  /** Gives back `amount` cents of a payment, once for a `key`, never more in all than was paid. */
  refund(input: { key: string; paymentId: string; amount: number }): Promise<ProviderRefund>;
};

/** No answer, or one that nobody can read. Holds nothing of either. */
export class PaymentProviderError extends Error {
  constructor(cause?: unknown) {
    super("The payment provider gave no answer", { cause });
    this.name = "PaymentProviderError";
  }
}
