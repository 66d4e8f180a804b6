import { and, eq } from "drizzle-orm";
import { requireOpenAccount } from "#app/domain/accounts/require-open-account.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { callProvider } from "#app/domain/billing/charges/call-provider.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { invalidInput } from "#app/domain/errors.ts";
import { newId, type PaymentMethodId } from "#app/domain/ids.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import type { PaymentProvider, ProviderMethod } from "#app/domain/payments/payment-provider.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { encrypt } from "#app/encryption.server.ts";
import { paymentMethods, paymentSetups } from "#db/schema/index.ts";
import { retryPastDue } from "../subscription/retry-past-due.server.ts";
import { isUsable, lockMethods, methodEncryptionContext, requireCapacity } from "./payment-method-rows.server.ts";
import { setDefaultPaymentMethod } from "./set-default-payment-method.server.ts";

/** A payment method as the provider has it, with the token or the reference that it was read by. */
export type ReadPaymentMethod = {
  reference: string;
  provider: PaymentProvider["name"];
  providerMethod: ProviderMethod;
};

/**
 * Adds a payment method from the provider's token, or from the reference of a setup session. Throws what
 * `readPaymentMethod` and `savePaymentMethod` throw.
 */
export async function addPaymentMethod(
  ctx: Ctx<TenantActor>,
  input: { token: string },
): Promise<{ id: PaymentMethodId }> {
  return savePaymentMethod(ctx, await readPaymentMethod(ctx, input));
}

/** Reads a payment method at the provider. Throws `invalid_input` for an unknown token, and `unavailable`. */
export async function readPaymentMethod(
  ctx: Ctx<TenantActor>,
  { token: reference }: { token: string },
): Promise<ReadPaymentMethod> {
  const provider = paymentProvider(ctx);
  const owner = ctx.actor.accountId;
  const providerMethod = await callProvider(() => provider.readMethod({ reference, owner }));
  if (!providerMethod)
    throw invalidInput({
      token: ["The payment provider does not recognize this token. Add the payment method again."],
    });
  return { reference, provider: provider.name, providerMethod };
}

/**
 * Saves a payment method; a setup session adds one method however often it is used. The first method of the current
 * provider becomes the default. Throws `limit_reached`, and `invalid_transition` for an account that is closed
 * meanwhile.
 */
export async function savePaymentMethod(
  ctx: Ctx<TenantActor>,
  { reference, provider, providerMethod }: ReadPaymentMethod,
): Promise<{ id: PaymentMethodId }> {
  return inTransaction(ctx, async (tx) => {
    const known = await lockMethods(tx);
    const setup = and(eq(paymentSetups.provider, provider), eq(paymentSetups.reference, reference));
    const [before] = await tx.db.select({ id: paymentSetups.paymentMethodId }).from(paymentSetups).where(setup);
    if (before?.id) return { id: before.id };
    await requireOpenAccount(tx, tx.actor.accountId);
    requireCapacity(known);
    const currentDefault = known.find((one) => one.isDefault);
    const isDefault = !currentDefault || !isUsable(currentDefault);
    // A default method of another provider can no longer be charged.
    if (currentDefault && isDefault) await unsetDefault(tx, currentDefault.id);
    const id = await insertMethod(tx, { ...providerMethod, provider, isDefault });
    await tx.db.update(paymentSetups).set({ paymentMethodId: id }).where(setup);
    // A method that is added while the plan is past due becomes the default, so that the plan is charged to it.
    if (await retryPastDue(tx)) await setDefaultPaymentMethod(tx, { id });
    return { id };
  });
}

async function unsetDefault(ctx: Ctx<TenantActor>, id: PaymentMethodId): Promise<void> {
  await ctx.db.update(paymentMethods).set({ isDefault: false }).where(eq(paymentMethods.id, id));
}

async function insertMethod(
  ctx: Ctx<TenantActor>,
  { token, ...method }: ProviderMethod & Pick<typeof paymentMethods.$inferInsert, "provider" | "isDefault">,
): Promise<PaymentMethodId> {
  const { accountId } = ctx.actor;
  const id = newId<PaymentMethodId>();
  const encryptedToken = encrypt(token, methodEncryptionContext({ id, accountId }));
  await ctx.db
    .insert(paymentMethods)
    .values({ id, accountId, ...method, token: encryptedToken, createdAt: ctx.clock() });
  await recordAudit(ctx, {
    action: "payment_method.added",
    entity: "payment_method",
    entityId: id,
    accountId,
    after: { brand: method.brand, last_four: method.lastFour, is_default: method.isDefault },
  });
  return id;
}
