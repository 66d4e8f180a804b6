import { paymentSetups } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { askProvider } from "./ask-provider.server.ts";
import { paymentProvider } from "./provider-of.server.ts";

type Path = `/${string}`;

/**
 * Opens a page of the provider's where the person adds a way to pay. It ends at `returnPath`, with `setup` naming the visit:
 * then `addPaymentMethod` takes what was added. Throws `unavailable`.
 */
export async function beginPaymentMethod(
  ctx: Ctx<TenantActor>,
  input: { returnPath: Path; cancelPath: Path },
): Promise<{ url: string }> {
  const provider = paymentProvider(ctx);
  const owner = ctx.actor.accountId;
  const { reference, url } = await askProvider(() => provider.beginMethod({ owner, ...input }));
  await ctx.db
    .insert(paymentSetups)
    .values({ provider: provider.name, reference, accountId: owner, createdAt: ctx.clock() });
  return { url };
}
