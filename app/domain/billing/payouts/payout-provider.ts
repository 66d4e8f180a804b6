import type { Ctx, JobActor } from "../../context.ts";
import type { PayoutId } from "../../ids.ts";
import type { Cents } from "../../money.ts";

/** What is to be transferred: the same id is the same transfer, however often it is sent. */
type Transfer = { payoutId: PayoutId; amount: Cents; token: string };

/** `waiting`: nothing was sent, for what is the operator's to clear up, as when there is too little money to send. */
type SentTransfer =
  | { status: "accepted"; reference: string }
  | { status: "failed"; reason: string }
  | { status: "waiting"; problem: string };
export type FollowedTransfer =
  | { status: "in_transit"; problem?: string }
  | { status: "paid" }
  | { status: "failed"; reason: string };

/**
 * Who carries payouts out. `send` may be called again with the same payout, and then gives the same answer without a second
 * transfer; `follow` says what came of one. A reason is a sentence for the publisher, a problem a word for the operator. What cannot
 * be reached throws.
 */
export type PayoutProvider = {
  /** For so long after it arrived a payout may come back: it is followed on. */
  returnsWithinDays?: number;
  send: (ctx: Ctx<JobActor>, transfer: Transfer) => Promise<SentTransfer>;
  follow: (ctx: Ctx<JobActor>, reference: string) => Promise<FollowedTransfer>;
};

/** Why a provider could not be asked: a sentence of ours, which holds nothing of its answer. It is asked again later. */
export class PayoutProviderError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PayoutProviderError";
  }
}
