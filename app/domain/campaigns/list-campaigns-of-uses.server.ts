import { desc, eq, type SQL } from "drizzle-orm";
import { campaigns, type creativeUses, type productUses } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";

const maxCampaigns = 20;

/** Lists the newest campaigns, at most 20, of the rows of `uses` that the condition leaves. */
export async function listCampaignsOfUses(
  ctx: Ctx<TenantActor>,
  uses: typeof creativeUses | typeof productUses,
  condition: SQL | undefined,
) {
  const newest = ctx.db
    .select({ campaignId: uses.campaignId })
    .from(uses)
    .where(condition)
    .orderBy(desc(uses.campaignId))
    .limit(maxCampaigns)
    .as("uses");
  return ctx.db
    .select({ id: campaigns.id, name: campaigns.name })
    .from(newest)
    .innerJoin(campaigns, eq(campaigns.id, newest.campaignId))
    .orderBy(desc(campaigns.id));
}
