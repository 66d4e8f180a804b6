import { and, eq } from "drizzle-orm";
import type { ProviderMethod } from "#app/payments/payment-provider.ts";
import { readStripeMethod } from "#app/payments/stripe/stripe-methods.server.ts";
import { SealError } from "#app/sealed.server.ts";
import { paymentMethods, paymentSetups } from "#db/schema/index.ts";
import { recordAudit } from "../../../audit/record-audit.server.ts";
import type { Ctx, JobActor, TenantActor } from "../../../context.ts";
import { DomainError } from "../../../errors.ts";
import { inTransaction } from "../../../transaction.server.ts";
import { addPaymentMethod } from "../add-payment-method.server.ts";
import { lockMethods, ownMethods, type PaymentMethodRow, tokenOf } from "../payment-method-rows.server.ts";
import { removePaymentMethod } from "../remove-payment-method.server.ts";
import { asTenant, findCustomersAccount } from "./tenant-of.server.ts";

/** A visit to the provider's page came to an end, also of somebody who closed the window then: what was added is taken, once. */
export async function takeAddedMethod(ctx: Ctx<JobActor>, { reference }: { reference: string }): Promise<void> {
  const [setup] = await ctx.db
    .select()
    .from(paymentSetups)
    .where(and(eq(paymentSetups.provider, "stripe"), eq(paymentSetups.reference, reference)));
  if (!setup || setup.paymentMethodId) return;
  try {
    await addPaymentMethod(await asTenant(ctx, setup.accountId), { token: reference });
  } catch (error) {
    // Nothing was added, or there are as many as there may be.
    if (!isOf(error, "invalid_input", "limit_reached")) throw error;
  }
}

/**
 * A way to pay changed at the provider, or is gone there: a new expiry is shown, and what can be charged no more is removed.
 * Throws `unavailable` while it is being charged.
 */
export async function followMethod(
  ctx: Ctx<JobActor>,
  { customer, token }: { customer: string; token: string },
): Promise<void> {
  const accountId = await findCustomersAccount(ctx, customer);
  if (!accountId) return;
  const tenant = await asTenant(ctx, accountId);
  const own = await ctx.db.select().from(paymentMethods).where(ownMethods(tenant));
  const row = own.find((one) => isFor(one, token));
  if (!row) return;
  const found = await readStripeMethod(token);
  if (found?.token === token) return update(tenant, row, found);
  try {
    await removePaymentMethod(tenant, row);
  } catch (error) {
    if (isOf(error, "invalid_transition")) throw new DomainError("unavailable", "It is being charged");
    // Another process was first.
    if (!isOf(error, "not_found")) throw error;
  }
}

async function update(ctx: Ctx<TenantActor>, { id }: PaymentMethodRow, found: ProviderMethod): Promise<void> {
  const { brand, lastFour, expiresMonth, expiresYear } = found;
  await inTransaction(ctx, async (tx) => {
    const row = (await lockMethods(tx)).find((one) => one.id === id);
    const before = row && {
      brand: row.brand,
      last_four: row.lastFour,
      expires: `${row.expiresYear}-${row.expiresMonth}`,
    };
    const after = { brand, last_four: lastFour, expires: `${expiresYear}-${expiresMonth}` };
    if (!before || JSON.stringify(before) === JSON.stringify(after)) return;
    const changed = { brand, lastFour, expiresMonth, expiresYear };
    await tx.db.update(paymentMethods).set(changed).where(eq(paymentMethods.id, id));
    const entry = { action: "payment_method.updated", entity: "payment_method" as const, entityId: id };
    await recordAudit(tx, { ...entry, accountId: tx.actor.accountId, before, after });
  });
}

function isFor(row: PaymentMethodRow, token: string): boolean {
  try {
    return row.provider === "stripe" && tokenOf(row) === token;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}

function isOf(error: unknown, ...codes: DomainError["code"][]): boolean {
  return error instanceof DomainError && codes.includes(error.code);
}
