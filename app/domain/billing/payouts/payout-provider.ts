import type { Ctx, JobActor } from "../../context.ts";
import type { PayoutId } from "../../ids.ts";
import type { Cents } from "../../money.ts";

/** What is to be transferred: the same id is the same transfer, however often it is sent. */
type Transfer = { payoutId: PayoutId; amount: Cents; token: string };

type SentTransfer = { status: "accepted"; reference: string } | { status: "failed"; reason: string };
type FollowedTransfer = { status: "in_transit" } | { status: "paid" } | { status: "failed"; reason: string };

/**
 * Who carries payouts out. `send` may be called again with the same payout, and then gives the same answer without a second
 * transfer; `follow` says what came of one. A reason is a sentence for the publisher. What cannot be reached throws.
 */
export type PayoutProvider = {
  send: (ctx: Ctx<JobActor>, transfer: Transfer) => Promise<SentTransfer>;
  follow: (ctx: Ctx<JobActor>, reference: string) => Promise<FollowedTransfer>;
};

/** Why a provider could not be asked: a sentence of ours, which holds nothing of its answer. It is asked again later. */
export class PayoutProviderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "PayoutProviderError";
  }
}
