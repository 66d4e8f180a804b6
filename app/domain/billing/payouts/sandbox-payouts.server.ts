import { eq } from "drizzle-orm";
import { sandboxTransfers } from "#db/schema/index.ts";
import type { PayoutId } from "../../ids.ts";
import type { PayoutProvider } from "./payout-provider.ts";
import { sandboxAccountOf } from "./sandbox-account.ts";

/**
 * A bank without a network, whose transfers are rows, so that nothing is lost when the process ends. What it took arrives
 * when it is next asked for; what was sent to the closed account comes back.
 */
export const sandboxPayouts: PayoutProvider = {
  async send(ctx, { payoutId, amount, token }) {
    if (!sandboxAccountOf(token)) return { status: "failed", reason: "The bank does not know this account." };
    await ctx.db
      .insert(sandboxTransfers)
      .values({ payoutId, token, amountCents: amount, receivedAt: ctx.clock() })
      .onConflictDoNothing();
    return { status: "accepted", reference: payoutId };
  },
  async follow(ctx, reference) {
    const [transfer] = await ctx.db
      .select({ token: sandboxTransfers.token })
      .from(sandboxTransfers)
      .where(eq(sandboxTransfers.payoutId, reference as PayoutId));
    if (!transfer) throw new Error("the sandbox was never sent this payout");
    return transfer.token === "bank_closed"
      ? { status: "failed", reason: "The bank account is closed. Add another one and request the payout again." }
      : { status: "paid" };
  },
};
