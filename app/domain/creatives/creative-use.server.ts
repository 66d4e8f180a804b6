import { eq } from "drizzle-orm";
import { creativeUses } from "#db/schema/index.ts";
import { listCampaignsOfUses } from "../campaigns/list-campaigns-of-uses.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { CreativeId } from "../ids.ts";

/**
 * Lists the newest campaigns, at most 20, that show the creative in an approved or pending version. Completed,
 * withdrawn and rejected versions do not count. The campaigns belong to the creative's owner or are managed by it.
 */
export async function listCreativeBlockingCampaigns(ctx: Ctx<TenantActor>, id: CreativeId) {
  return listCampaignsOfUses(ctx, creativeUses, eq(creativeUses.creativeId, id));
}
