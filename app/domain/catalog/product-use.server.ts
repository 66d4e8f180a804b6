import { and, eq, type SQL, sql } from "drizzle-orm";
import { products, productUses } from "#db/schema/index.ts";
import { listCampaignsOfUses } from "../campaigns/list-campaigns-of-uses.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { ProductId } from "../ids.ts";

/**
 * The condition for products that campaigns of the account show or will show once approved, in approved versions and
 * those pending a decision, which must not be deleted. Completed, withdrawn and rejected versions do not count. Each
 * product is looked up by its key.
 */
export function isInUse(ctx: Ctx<TenantActor>): SQL {
  return sql`exists (select from ${productUses} where ${productUses.advertiserId} = ${ctx.actor.accountId} and ${productUses.productId} = ${products.id} offset 0)`;
}

/** Returns whether campaigns of the account show one of these products, which need not exist. */
export async function areAnyInUse(ctx: Ctx<TenantActor>, ids: readonly ProductId[]): Promise<boolean> {
  const found = await ctx.db.execute(
    sql`select from unnest(${sql.param(ids)}::uuid[]) deleted (id)
      where exists (select from ${productUses} where ${productUses.advertiserId} = ${ctx.actor.accountId} and ${productUses.productId} = deleted.id offset 0) limit 1`,
  );
  return found.length > 0;
}

/** Lists the newest campaigns, at most 20, that show the product or will show it once approved. */
export async function listProductBlockingCampaigns(ctx: Ctx<TenantActor>, id: ProductId) {
  const isOwn = and(eq(productUses.advertiserId, ctx.actor.accountId), eq(productUses.productId, id));
  return listCampaignsOfUses(ctx, productUses, isOwn);
}
