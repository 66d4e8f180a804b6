import type { Ctx, JobActor } from "../context.ts";
import type { PayoutId } from "../ids.ts";
import type { Cents } from "../money.ts";

/** A transfer to send. The same ID means the same transfer. */
type Transfer = { payoutId: PayoutId; amount: Cents; token: string };

/**
 * The result of sending a transfer. `waiting`: nothing was sent because of a problem that the operator has to resolve,
 * such as insufficient funds.
 */
type TransferReceipt =
  | { status: "accepted"; reference: string }
  | { status: "failed"; reason: string }
  | { status: "waiting"; problem: string };
export type TransferStatus =
  | { status: "in_transit"; problem?: string }
  | { status: "paid" }
  | { status: "failed"; reason: string };

/**
 * A payout provider. `send` may be called again with the same payout; it then returns the same result without a second
 * transfer. `getStatus` returns the current status of a transfer. A reason is a message for the publisher, a problem a
 * code for the operator. Both throw a PayoutProviderError when the provider cannot be reached.
 */
export type PayoutProvider = {
  /** How many days after arrival a payout can still be returned; it is checked until then. */
  returnWindowDays?: number;
  send: (ctx: Ctx<JobActor>, transfer: Transfer) => Promise<TransferReceipt>;
  getStatus: (ctx: Ctx<JobActor>, reference: string) => Promise<TransferStatus>;
};

/**
 * Thrown when a provider cannot be reached. The message contains nothing of its response. The call is retried later.
 */
export class PayoutProviderError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PayoutProviderError";
  }
}
