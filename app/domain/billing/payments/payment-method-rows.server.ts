import { and, desc, eq, isNotNull } from "drizzle-orm";
import { paymentsBy } from "#app/payments/payments-by.server.ts";
import { unseal } from "#app/sealed.server.ts";
import { accounts, paymentMethods } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { AccountId, PaymentMethodId } from "../../ids.ts";

export type PaymentMethodRow = typeof paymentMethods.$inferSelect;

/** The account's own, while it is not removed. */
export function ownMethods(ctx: Ctx<TenantActor>, id?: PaymentMethodId) {
  return and(
    eq(paymentMethods.accountId, ctx.actor.accountId),
    isNotNull(paymentMethods.token),
    id && eq(paymentMethods.id, id),
  );
}

/** Throws `not_found`. */
export async function getMethodRow(ctx: Ctx<TenantActor>, id: PaymentMethodId): Promise<PaymentMethodRow> {
  const [row] = await ctx.db.select().from(paymentMethods).where(ownMethods(ctx, id));
  if (!row) throw notFound("Payment method");
  return row;
}

/** Whoever takes money here knows it: what was added with another provider can be removed, and nothing else. */
export function isUsable({ provider }: Pick<PaymentMethodRow, "provider">): boolean {
  return provider === paymentsBy();
}

/** What is charged without asking which: undefined when the account has no way to pay here. */
export async function findDefaultMethodRow(ctx: Ctx<TenantActor>): Promise<PaymentMethodRow | undefined> {
  return findDefaultMethodOf(ctx, ctx.actor.accountId);
}

/** The same for what a job charges. */
export async function findDefaultMethodOf(
  ctx: Pick<Ctx, "db">,
  accountId: AccountId,
): Promise<PaymentMethodRow | undefined> {
  const own = and(eq(paymentMethods.accountId, accountId), isNotNull(paymentMethods.token));
  const [row] = await ctx.db
    .select()
    .from(paymentMethods)
    .where(and(own, eq(paymentMethods.isDefault, true)));
  return row && isUsable(row) ? row : undefined;
}

/** All of the account's, the newest first, with the account locked: so that one is the default, and only one. */
export async function lockMethods(ctx: Ctx<TenantActor>): Promise<PaymentMethodRow[]> {
  const { accountId } = ctx.actor;
  await ctx.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  return ctx.db.select().from(paymentMethods).where(ownMethods(ctx)).orderBy(desc(paymentMethods.id));
}

/** The provider's token. Throws a SealError when this server cannot open it. */
export function tokenOf(row: PaymentMethodRow): string {
  if (!row.token) throw notFound("Payment method");
  return unseal(row.token, methodPlace(row));
}

/** Where a token is sealed for: a copy in another row cannot be opened. */
export function methodPlace({ id, accountId }: { id: PaymentMethodId; accountId: AccountId }): string {
  return `payment_methods/${accountId}/${id}`;
}
