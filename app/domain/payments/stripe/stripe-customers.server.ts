import { and, eq } from "drizzle-orm";
import type { VisitorCtx } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";
import type { StripeCustomers } from "#app/domain/payments/stripe/stripe-methods.server.ts";
import { paymentCustomers } from "#db/schema/index.ts";

/** Stores the Stripe customer of each account, one per account. */
export function stripeCustomers(ctx: Pick<VisitorCtx, "db" | "clock">): StripeCustomers {
  const isCustomerOf = (owner: string) =>
    and(eq(paymentCustomers.provider, "stripe"), eq(paymentCustomers.accountId, owner as AccountId));
  const find = async (owner: string) => {
    const [row] = await ctx.db.select().from(paymentCustomers).where(isCustomerOf(owner));
    return row?.reference;
  };
  return {
    find,
    async save(owner, reference, instead) {
      if (instead)
        await ctx.db.delete(paymentCustomers).where(and(isCustomerOf(owner), eq(paymentCustomers.reference, instead)));
      const row = { provider: "stripe" as const, accountId: owner as AccountId, reference, createdAt: ctx.clock() };
      await ctx.db.insert(paymentCustomers).values(row).onConflictDoNothing();
      return (await find(owner)) ?? reference;
    },
  };
}
