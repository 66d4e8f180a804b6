import { eq } from "drizzle-orm";
import type { PayoutId } from "#app/domain/ids.ts";
import type { PayoutProvider } from "#app/domain/payments/payout-provider.ts";
import { sandboxTransfers } from "#db/schema/index.ts";
import { findSandboxBankAccount } from "./sandbox-bank-accounts.ts";

/**
 * A simulated payout provider whose transfers are rows, so that they survive a restart. An accepted transfer has
 * arrived by the next status check; a transfer to the closed account is returned.
 */
export const sandboxPayouts: PayoutProvider = {
  async send(ctx, { payoutId, amount, token }) {
    if (!findSandboxBankAccount(token))
      return {
        status: "failed",
        reason: "The bank account was not found. Add another one and request the payout again.",
      };
    await ctx.db
      .insert(sandboxTransfers)
      .values({ payoutId, token, amountCents: amount, receivedAt: ctx.clock() })
      .onConflictDoNothing();
    return { status: "accepted", reference: payoutId };
  },
  async getStatus(ctx, reference) {
    const [transfer] = await ctx.db
      .select({ token: sandboxTransfers.token })
      .from(sandboxTransfers)
      .where(eq(sandboxTransfers.payoutId, reference as PayoutId));
    if (!transfer) throw new Error(`sandbox_transfers row vanished ${JSON.stringify({ payoutId: reference })}`);
    return transfer.token === "bank_closed"
      ? { status: "failed", reason: "The bank account is closed. Add another one and request the payout again." }
      : { status: "paid" };
  },
};
