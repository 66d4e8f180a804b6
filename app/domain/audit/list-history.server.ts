import { and, desc, eq, sql } from "drizzle-orm";
import { auditEntries } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx, PublisherActor, TenantActor } from "../context.ts";
import type { CampaignId } from "../ids.ts";

const most = 200;

/**
 * What happened to a campaign, newest first, at most 200 entries. Its advertiser sees all of it once; a publisher only
 * what concerns its own line item. For a campaign that is not the caller's the list is empty.
 */
export async function listHistory(ctx: Ctx<TenantActor>, campaignId: CampaignId) {
  return ctx.db
    .select(entryColumns)
    .from(auditEntries)
    .where(and(eq(auditEntries.campaignId, campaignId), visibleTo(ctx.actor)))
    .orderBy(desc(auditEntries.id))
    .limit(most);
}

/** What is read of an entry. */
export const entryColumns = {
  id: auditEntries.id,
  at: auditEntries.at,
  action: auditEntries.action,
  campaignId: auditEntries.campaignId,
  actorKind: auditEntries.actorKind,
  actorAccountId: auditEntries.actorAccountId,
  actorName: auditEntries.actorName,
  door: auditEntries.door,
  before: auditEntries.before,
  after: auditEntries.after,
};

export type HistoryEntry = Awaited<ReturnType<typeof listHistory>>[number];

/** What one verb writes for each publisher beside the campaign's own entry would be said twice to the advertiser. */
export const saidWithTheCampaign = sql`${auditEntries.action} not in ('line_item.sent', 'line_item.withdrawn', 'line_item.paused_with_campaign', 'line_item.resumed_with_campaign', 'line_item.completed')`;

function visibleTo(actor: AdvertiserActor | PublisherActor) {
  return actor.kind === "advertiser"
    ? and(eq(auditEntries.ownerId, actor.accountId), saidWithTheCampaign)
    : eq(auditEntries.accountId, actor.accountId);
}
