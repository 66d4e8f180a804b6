import { and, eq } from "drizzle-orm";
import type { StripeCustomers } from "#app/payments/stripe/stripe-methods.server.ts";
import { paymentCustomers } from "#db/schema/index.ts";
import type { VisitorCtx } from "../../context.ts";
import type { AccountId } from "../../ids.ts";

/** Which customer of the provider's an account is: one each. */
export function stripeCustomers(ctx: Pick<VisitorCtx, "db" | "clock">): StripeCustomers {
  const of = (owner: string) =>
    and(eq(paymentCustomers.provider, "stripe"), eq(paymentCustomers.accountId, owner as AccountId));
  const find = async (owner: string) => {
    const [row] = await ctx.db.select().from(paymentCustomers).where(of(owner));
    return row?.reference;
  };
  return {
    find,
    async keep(owner, reference, instead) {
      if (instead) await ctx.db.delete(paymentCustomers).where(and(of(owner), eq(paymentCustomers.reference, instead)));
      const row = { provider: "stripe" as const, accountId: owner as AccountId, reference, createdAt: ctx.clock() };
      await ctx.db.insert(paymentCustomers).values(row).onConflictDoNothing();
      return (await find(owner)) ?? reference;
    },
  };
}
