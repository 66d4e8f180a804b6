import { and, eq } from "drizzle-orm";
import type { Ctx, JobActor, TenantActor } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { invariant } from "#app/domain/invariant.ts";
import { accounts, paymentCustomers } from "#db/schema/index.ts";

/** Returns a context that acts for an account without a user, for what its user did at the provider. */
export async function asTenant(ctx: Ctx<JobActor>, accountId: AccountId): Promise<Ctx<TenantActor>> {
  const [account] = await ctx.db.select({ kind: accounts.type }).from(accounts).where(eq(accounts.id, accountId));
  invariant(account, "accounts row vanished", { id: accountId });
  return { ...ctx, actor: { kind: account.kind, accountId } };
}

/** Returns the account of a Stripe customer; undefined for an unknown customer. */
export async function findAccountByCustomer(ctx: Ctx<JobActor>, customer: string): Promise<AccountId | undefined> {
  const [row] = await ctx.db
    .select({ id: paymentCustomers.accountId })
    .from(paymentCustomers)
    .where(and(eq(paymentCustomers.provider, "stripe"), eq(paymentCustomers.reference, customer)));
  return row?.id;
}
