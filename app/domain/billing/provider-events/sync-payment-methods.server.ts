import { and, eq } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, JobActor, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { ProviderMethod } from "#app/domain/payments/payment-provider.ts";
import { readStripeMethod } from "#app/domain/payments/stripe/stripe-methods.server.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { DecryptionError } from "#app/encryption.server.ts";
import { paymentMethods, paymentSetups } from "#db/schema/index.ts";
import { addPaymentMethod } from "../payment-methods/add-payment-method.server.ts";
import {
  decryptMethodToken,
  lockMethods,
  ownMethods,
  type PaymentMethodRow,
} from "../payment-methods/payment-method-rows.server.ts";
import { removePaymentMethod } from "../payment-methods/remove-payment-method.server.ts";
import { asTenant, findAccountByCustomer } from "./tenant-context.server.ts";

/** Adds the payment method of a completed setup session, once, even if the user closed the window before returning. */
export async function completePaymentMethodSetup(
  ctx: Ctx<JobActor>,
  { reference }: { reference: string },
): Promise<void> {
  const [setup] = await ctx.db
    .select()
    .from(paymentSetups)
    .where(and(eq(paymentSetups.provider, "stripe"), eq(paymentSetups.reference, reference)));
  if (!setup || setup.paymentMethodId) return;
  try {
    await addPaymentMethod(await asTenant(ctx, setup.accountId), { token: reference });
  } catch (error) {
    // The session added no method, or the account has reached the limit or is closed.
    if (!hasCode(error, "invalid_input", "limit_reached", "invalid_transition")) throw error;
  }
}

/**
 * Syncs a payment method with the provider: updates its card details, or removes the method when the provider no longer
 * has it. Throws `unavailable` while the method is being charged.
 */
export async function syncPaymentMethod(
  ctx: Ctx<JobActor>,
  { customer, token }: { customer: string; token: string },
): Promise<void> {
  const accountId = await findAccountByCustomer(ctx, customer);
  if (!accountId) return;
  const tenant = await asTenant(ctx, accountId);
  const methods = await ctx.db.select().from(paymentMethods).where(ownMethods(tenant));
  const row = methods.find((one) => hasToken(one, token));
  if (!row) return;
  const providerMethod = await readStripeMethod(token);
  if (providerMethod?.token === token) return update(tenant, row, providerMethod);
  try {
    await removePaymentMethod(tenant, row);
  } catch (error) {
    if (hasCode(error, "invalid_transition"))
      throw new DomainError("unavailable", "This payment method is being charged");
    // Another process removed the method first.
    if (!hasCode(error, "not_found")) throw error;
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

function hasToken(row: PaymentMethodRow, token: string): boolean {
  try {
    return row.provider === "stripe" && decryptMethodToken(row) === token;
  } catch (error) {
    if (error instanceof DecryptionError) return false;
    throw error;
  }
}

function hasCode(error: unknown, ...codes: DomainError["code"][]): boolean {
  return error instanceof DomainError && codes.includes(error.code);
}
