import { and, eq } from "drizzle-orm";
import type { ProviderMethod } from "#app/payments/payment-provider.ts";
import { seal } from "#app/sealed.server.ts";
import { paymentMethods, paymentSetups } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError, invalidInput } from "../../errors.ts";
import { newId, type PaymentMethodId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { retryOverdue } from "../subscription/retry-overdue.server.ts";
import { askProvider } from "./ask-provider.server.ts";
import { chooseDefaultMethod } from "./choose-default-method.server.ts";
import { mostPaymentMethods } from "./payment-method.ts";
import { isUsable, lockMethods, methodPlace } from "./payment-method-rows.server.ts";
import { paymentProvider } from "./provider-of.server.ts";

/**
 * Adds a way to pay by what the provider gave for it: a token, or the reference of a visit to its page, which makes one method
 * however often it comes. The first of the provider's is the default. Throws `invalid_input` for a token that stands for nothing, `limit_reached`,
 * `unavailable`.
 */
export async function addPaymentMethod(
  ctx: Ctx<TenantActor>,
  { token: reference }: { token: string },
): Promise<{ id: PaymentMethodId }> {
  const provider = paymentProvider(ctx);
  const owner = ctx.actor.accountId;
  const found = await askProvider(() => provider.readMethod({ reference, owner }));
  if (!found) throw invalidInput({ token: ["The payment provider does not know this token"] });
  return inTransaction(ctx, async (tx) => {
    const known = await lockMethods(tx);
    const setup = and(eq(paymentSetups.provider, provider.name), eq(paymentSetups.reference, reference));
    const [before] = await tx.db.select({ id: paymentSetups.paymentMethodId }).from(paymentSetups).where(setup);
    if (before?.id) return { id: before.id };
    if (known.length >= mostPaymentMethods) {
      throw new DomainError("limit_reached", `An account has at most ${mostPaymentMethods} payment methods`);
    }
    const present = known.find((one) => one.isDefault);
    const isDefault = !present || !isUsable(present);
    // Of another provider, it can be charged no more.
    if (present && isDefault) await resign(tx, present.id);
    const id = await insertMethod(tx, { ...found, provider: provider.name, isDefault });
    await tx.db.update(paymentSetups).set({ paymentMethodId: id }).where(setup);
    // Whoever adds one while a plan is not paid means that one to pay it.
    if (await retryOverdue(tx)) await chooseDefaultMethod(tx, { id });
    return { id };
  });
}

async function resign(ctx: Ctx<TenantActor>, id: PaymentMethodId): Promise<void> {
  await ctx.db.update(paymentMethods).set({ isDefault: false }).where(eq(paymentMethods.id, id));
}

async function insertMethod(
  ctx: Ctx<TenantActor>,
  { token, ...method }: ProviderMethod & Pick<typeof paymentMethods.$inferInsert, "provider" | "isDefault">,
): Promise<PaymentMethodId> {
  const { accountId } = ctx.actor;
  const id = newId<PaymentMethodId>();
  const sealed = seal(token, methodPlace({ id, accountId }));
  await ctx.db.insert(paymentMethods).values({ id, accountId, ...method, token: sealed, createdAt: ctx.clock() });
  await recordAudit(ctx, {
    action: "payment_method.added",
    entity: "payment_method",
    entityId: id,
    accountId,
    after: { brand: method.brand, last_four: method.lastFour, is_default: method.isDefault },
  });
  return id;
}
