/** The interface of payment providers, with two implementations: the sandbox, and Stripe (docs/decisions/0026). */

/**
 * A payment method as its provider describes it, never with a card number. `token` identifies the method for charges.
 */
export type ProviderMethod = {
  token: string;
  brand: string;
  lastFour: string;
  type: "card";
  expiresMonth: number;
  expiresYear: number;
};

/** A charge to make. `amount` is in US cents. The same `key` means the same charge, with the same outcome. */
export type ChargeRequest = {
  key: string;
  amount: number;
  token: string;
  description: string;
  /** The path in this app that the user returns to after confirming the payment. */
  returnPath: `/${string}`;
  /** Whether the user is absent, as for a renewal; fewer banks then require confirmation. */
  offSession?: boolean;
  /**
   * When the charge was first requested. Providers forget keys after about a day, so an older charge is searched for
   * before it is made. Without a time it is always searched for.
   */
  firstRequestedAt?: Date;
};

/**
 * The outcome of a charge. `declined` is final, and `reason` is a message for the user. `needs_confirmation` waits for
 * the user at `url`, a URL or a path of this app. `processing` is undecided and needs no action.
 */
export type Charge =
  | { state: "succeeded"; paymentId: string }
  | { state: "declined"; paymentId: string | null; reason: string }
  | { state: "needs_confirmation"; paymentId: string; url: string }
  | { state: "processing"; paymentId: string };

/**
 * The current outcome of a refund. `pending` may still succeed or fail; `refused` is final, also after it succeeded.
 */
export type ProviderRefund =
  | { state: "succeeded" | "pending"; refundId: string }
  | { state: "refused"; reason: string };

/** The provider's page where the user adds a payment method; `reference` reads the result. */
export type SetupSession = { reference: string; url: string };

export type SetupSessionRequest = { owner: string; returnPath: `/${string}`; cancelPath: `/${string}` };

/**
 * A payment provider. Every method throws a PaymentProviderError when there is no response; the operation may or may
 * not have happened.
 */
export type PaymentProvider = {
  name: "sandbox" | "stripe";
  /**
   * Starts a setup session for the account `owner`. It returns to `returnPath`, or to `cancelPath` when no method was
   * added.
   */
  createSetupSession(input: SetupSessionRequest): Promise<SetupSession>;
  /**
   * Reads the method that a session added for its account; undefined when the reference is unknown, the session
   * unfinished, or the account another.
   */
  readMethod(input: { reference: string; owner: string }): Promise<ProviderMethod | undefined>;
  /** Detaches the method, so that it can no longer be charged. */
  detachMethod(token: string): Promise<void>;
  charge(request: ChargeRequest): Promise<Charge>;
  /**
   * Reads the current outcome of a charge. With the `request` of a charge whose outcome is not stored yet, a charge
   * that the user has to confirm is not declined before the user was asked.
   */
  readCharge(paymentId: string, request?: ChargeRequest): Promise<Charge>;
  /** Cancels a charge that was not confirmed. Returns its state afterwards: it may have succeeded meanwhile. */
  cancelCharge(paymentId: string): Promise<Charge>;
  /**
   * Refunds `amount` cents of a payment, once per `key`, never more in total than was paid. The same key again returns
   * the refund as it is now.
   */
  refund(input: { key: string; paymentId: string; amount: number }): Promise<ProviderRefund>;
};

/**
 * Thrown when the provider gives no response or an unreadable one. The message contains nothing of the request or
 * response.
 */
export class PaymentProviderError extends Error {
  constructor(cause?: unknown) {
    super("The payment provider did not respond", { cause });
    this.name = "PaymentProviderError";
  }
}

/**
 * Thrown when the provider rejects our key or a request that it cannot carry out as it is: only the operator can change
 * that. `isUncharged` says that the provider read the request and charged nothing for it.
 */
export class PaymentConfigurationError extends PaymentProviderError {
  readonly isUncharged: boolean;

  constructor(cause: unknown, { isUncharged }: { isUncharged: boolean }) {
    super(cause);
    this.name = "PaymentConfigurationError";
    this.message = "The payment provider rejected the key or the request";
    this.isUncharged = isUncharged;
  }
}
