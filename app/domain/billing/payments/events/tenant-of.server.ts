import { and, eq } from "drizzle-orm";
import { accounts, paymentCustomers } from "#db/schema/index.ts";
import type { Ctx, JobActor, TenantActor } from "../../../context.ts";
import type { AccountId } from "../../../ids.ts";

/** In the name of an account, by nobody's hand: what its person did at the provider's. */
export async function asTenant(ctx: Ctx<JobActor>, accountId: AccountId): Promise<Ctx<TenantActor>> {
  const [account] = await ctx.db.select({ kind: accounts.type }).from(accounts).where(eq(accounts.id, accountId));
  if (!account) throw new Error("an account's row stays");
  return { ...ctx, actor: { kind: account.kind, accountId } };
}

/** Whose customer it is; undefined for one that is none of ours. */
export async function findCustomersAccount(ctx: Ctx<JobActor>, customer: string): Promise<AccountId | undefined> {
  const [row] = await ctx.db
    .select({ id: paymentCustomers.accountId })
    .from(paymentCustomers)
    .where(and(eq(paymentCustomers.provider, "stripe"), eq(paymentCustomers.reference, customer)));
  return row?.id;
}
