import { requireOpenAccount } from "#app/domain/accounts/require-open-account.server.ts";
import { callProvider } from "#app/domain/billing/charges/call-provider.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { paymentMethods, paymentSetups } from "#db/schema/index.ts";
import { ownMethods, requireCapacity } from "./payment-method-rows.server.ts";

type Path = `/${string}`;

/**
 * Starts a setup session at the provider, where the user adds a payment method. The session returns to `returnPath`
 * with its reference in `setup`; `addPaymentMethod` then adds the method. Throws `limit_reached`, before the user has
 * entered anything, `invalid_transition` when the account is closed, and `unavailable`.
 */
export async function startPaymentMethodSetup(
  ctx: Ctx<TenantActor>,
  input: { returnPath: Path; cancelPath: Path },
): Promise<{ url: string }> {
  const provider = paymentProvider(ctx);
  const owner = ctx.actor.accountId;
  requireCapacity(await ctx.db.select().from(paymentMethods).where(ownMethods(ctx)));
  const { reference, url } = await callProvider(() => provider.createSetupSession({ owner, ...input }));
  await inTransaction(ctx, async (tx) => {
    await requireOpenAccount(tx, owner);
    const setup = { provider: provider.name, reference, accountId: owner, createdAt: tx.clock() };
    await tx.db.insert(paymentSetups).values(setup);
  });
  return { url };
}
