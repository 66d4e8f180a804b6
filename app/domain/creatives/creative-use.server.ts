import { desc, eq } from "drizzle-orm";
import { campaigns, creativeUses } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { CreativeId } from "../ids.ts";

const maxCampaigns = 20;

/**
 * Lists the newest campaigns, at most 20, that show the creative in an approved or pending version. Completed,
 * withdrawn and rejected versions do not count. The campaigns belong to the creative's owner or are managed by it.
 */
export async function listCreativeBlockingCampaigns(ctx: Ctx<TenantActor>, id: CreativeId) {
  const uses = ctx.db
    .select({ campaignId: creativeUses.campaignId })
    .from(creativeUses)
    .where(eq(creativeUses.creativeId, id))
    .orderBy(desc(creativeUses.campaignId))
    .limit(maxCampaigns)
    .as("uses");
  return ctx.db
    .select({ id: campaigns.id, name: campaigns.name })
    .from(uses)
    .innerJoin(campaigns, eq(campaigns.id, uses.campaignId))
    .orderBy(desc(campaigns.id));
}
