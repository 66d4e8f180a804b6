import { and, eq, isNotNull } from "drizzle-orm";
import { campaignEdits } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import { type CampaignRow, toCampaignValues } from "../campaign-rows.server.ts";
import { recordChanges } from "./record-changes.server.ts";

/** Returns the campaign's open edit, if there is one. The caller has locked the campaign. */
export async function findOpenEdit(ctx: Ctx, row: CampaignRow) {
  const [open] = await ctx.db
    .select()
    .from(campaignEdits)
    .where(and(eq(campaignEdits.campaignId, row.id), isNotNull(campaignEdits.before)));
  return open?.before ? { ...open, before: open.before } : undefined;
}

/**
 * Ends the campaign's open edit, with one entry in the history by the person who edited. Every other change of a
 * campaign calls this first, under the campaign's lock, so that the history is in order.
 */
export async function closeEdit(ctx: Ctx, row: CampaignRow): Promise<void> {
  const open = await findOpenEdit(ctx, row);
  if (!open) return;
  const { before, userId, entrypoint } = open;
  const actor: AdvertiserActor = { kind: "advertiser", accountId: row.advertiserId, userId: userId ?? undefined };
  await deleteSessionsBefore(ctx, row);
  await recordChanges({ ...ctx, actor, entrypoint }, { row, before, after: toCampaignValues(row) });
}

/** Leaves the session's row, which still says how far it had saved. */
export async function deleteSessionsBefore(ctx: Ctx, row: CampaignRow): Promise<void> {
  await ctx.db
    .update(campaignEdits)
    .set({ before: null })
    .where(and(eq(campaignEdits.campaignId, row.id), isNotNull(campaignEdits.before)));
}
