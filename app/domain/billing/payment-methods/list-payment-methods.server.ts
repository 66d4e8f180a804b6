import { and, desc, eq } from "drizzle-orm";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { notFound } from "#app/domain/errors.ts";
import type { PaymentMethodId } from "#app/domain/ids.ts";
import { paymentMethods } from "#db/schema/index.ts";
import { isExpired, maxPaymentMethods, methodName } from "./payment-method.ts";
import { getMethodRow, isUsable, ownMethods, type PaymentMethodRow } from "./payment-method-rows.server.ts";

export type PaymentMethod = Awaited<ReturnType<typeof listPaymentMethods>>[number];

/**
 * Lists the account's payment methods: the default first, then the newest, last those of another provider. The limit
 * per account is low, so one page holds them all.
 */
export async function listPaymentMethods(ctx: Ctx<TenantActor>) {
  const rows = await ctx.db
    .select()
    .from(paymentMethods)
    .where(ownMethods(ctx))
    .orderBy(desc(paymentMethods.isDefault), desc(paymentMethods.id))
    .limit(maxPaymentMethods);
  return [...rows.filter(isUsable), ...rows.filter((row) => !isUsable(row))].map((row) => toPaymentMethod(ctx, row));
}

/** Lists the account's payment methods that the current provider can charge. */
export async function listUsableMethods(ctx: Ctx<TenantActor>): Promise<PaymentMethod[]> {
  return (await listPaymentMethods(ctx)).filter(({ usable }) => usable);
}

/** Reads one of the account's payment methods. Throws `not_found`. */
export async function getPaymentMethod(ctx: Ctx<TenantActor>, id: PaymentMethodId): Promise<PaymentMethod> {
  return toPaymentMethod(ctx, await getMethodRow(ctx, id));
}

/**
 * Returns the name of one of the account's payment methods, also of a removed one, whose row stays. Throws `not_found`.
 */
export async function getMethodName(ctx: Ctx<TenantActor>, id: PaymentMethodId): Promise<string> {
  const own = and(eq(paymentMethods.id, id), eq(paymentMethods.accountId, ctx.actor.accountId));
  const [row] = await ctx.db.select().from(paymentMethods).where(own);
  if (!row) throw notFound("Payment method");
  return methodName(row);
}

/** Returns the public fields, without the token. */
function toPaymentMethod(ctx: Ctx<TenantActor>, row: PaymentMethodRow) {
  const { id, type, brand, lastFour, expiresMonth, expiresYear, createdAt } = row;
  const [expired, usable] = [isExpired(row, ctx.clock()), isUsable(row)];
  const isDefault = row.isDefault && usable;
  return { id, type, brand, lastFour, expiresMonth, expiresYear, expired, usable, isDefault, createdAt };
}
