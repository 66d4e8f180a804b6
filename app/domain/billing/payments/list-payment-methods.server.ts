import { desc } from "drizzle-orm";
import { paymentMethods } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { PaymentMethodId } from "../../ids.ts";
import { isExpired, mostPaymentMethods } from "./payment-method.ts";
import { getMethodRow, isUsable, ownMethods, type PaymentMethodRow } from "./payment-method-rows.server.ts";

export type PaymentMethod = Awaited<ReturnType<typeof listPaymentMethods>>[number];

/**
 * The account's ways to pay, the default first, then the newest; last those that were added with another provider. There are few, so that
 * all are on one page.
 */
export async function listPaymentMethods(ctx: Ctx<TenantActor>) {
  const rows = await ctx.db
    .select()
    .from(paymentMethods)
    .where(ownMethods(ctx))
    .orderBy(desc(paymentMethods.isDefault), desc(paymentMethods.id))
    .limit(mostPaymentMethods);
  return [...rows.filter(isUsable), ...rows.filter((row) => !isUsable(row))].map((row) => shown(ctx, row));
}

/** Those of them that can be charged here. */
export async function listUsableMethods(ctx: Ctx<TenantActor>): Promise<PaymentMethod[]> {
  return (await listPaymentMethods(ctx)).filter(({ usable }) => usable);
}

/** One of them. Throws `not_found`. */
export async function getPaymentMethod(ctx: Ctx<TenantActor>, id: PaymentMethodId): Promise<PaymentMethod> {
  return shown(ctx, await getMethodRow(ctx, id));
}

/** Nothing of the token. */
function shown(ctx: Ctx<TenantActor>, row: PaymentMethodRow) {
  const { id, type, brand, lastFour, expiresMonth, expiresYear, createdAt } = row;
  const [expired, usable] = [isExpired(row, ctx.clock()), isUsable(row)];
  const isDefault = row.isDefault && usable;
  return { id, type, brand, lastFour, expiresMonth, expiresYear, expired, usable, isDefault, createdAt };
}
