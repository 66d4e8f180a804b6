import { callProvider } from "#app/domain/billing/charges/call-provider.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import { paymentMethods, paymentSetups } from "#db/schema/index.ts";
import { ownMethods, requireCapacity } from "./payment-method-rows.server.ts";

type Path = `/${string}`;

/**
 * Starts a setup session at the provider, where the user adds a payment method. The session returns to `returnPath`
 * with its reference in `setup`; `addPaymentMethod` then adds the method. Throws `limit_reached`, before the user has
 * entered anything, and `unavailable`.
 */
export async function startPaymentMethodSetup(
  ctx: Ctx<TenantActor>,
  input: { returnPath: Path; cancelPath: Path },
): Promise<{ url: string }> {
  const provider = paymentProvider(ctx);
  const owner = ctx.actor.accountId;
  requireCapacity(await ctx.db.select().from(paymentMethods).where(ownMethods(ctx)));
  const { reference, url } = await callProvider(() => provider.createSetupSession({ owner, ...input }));
  await ctx.db
    .insert(paymentSetups)
    .values({ provider: provider.name, reference, accountId: owner, createdAt: ctx.clock() });
  return { url };
}
