import { and, between, desc, eq, sql } from "drizzle-orm";
import { auditEntries } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx, PublisherActor, TenantActor } from "../context.ts";
import type { CampaignId } from "../ids.ts";

const maxEntries = 200;

/**
 * Lists the history of a campaign, newest first, at most 200 entries. The advertiser sees each event once; a publisher
 * sees only the entries about its own line item. The list is empty when the campaign is not the caller's.
 */
export async function listHistory(ctx: Ctx<TenantActor>, campaignId: CampaignId) {
  return ctx.db
    .select(entryColumns)
    .from(auditEntries)
    .where(and(ofCampaign(campaignId), visibleTo(ctx.actor)))
    .orderBy(desc(auditEntries.id))
    .limit(maxEntries);
}

/**
 * The campaign is stated twice: without statistics PostgreSQL believes that an account has as few entries as a
 * campaign, and reads all of both.
 */
function ofCampaign(id: CampaignId) {
  return and(eq(auditEntries.campaignId, id), between(auditEntries.campaignId, id, id));
}

/** The columns of an entry that the lists return. */
export const entryColumns = {
  id: auditEntries.id,
  at: auditEntries.at,
  action: auditEntries.action,
  campaignId: auditEntries.campaignId,
  actorKind: auditEntries.actorKind,
  actorAccountId: auditEntries.actorAccountId,
  actorName: auditEntries.actorName,
  entrypoint: auditEntries.entrypoint,
  before: auditEntries.before,
  after: auditEntries.after,
};

export type HistoryEntry = Awaited<ReturnType<typeof listHistory>>[number];

/**
 * Excludes the per-publisher entries that a verb writes beside the campaign's own entry: the advertiser would see the
 * same event twice.
 */
export const isNotCampaignDuplicate = sql`${auditEntries.action} not in ('line_item.sent', 'line_item.withdrawn', 'line_item.paused_with_campaign', 'line_item.resumed_with_campaign', 'line_item.completed')`;

function visibleTo(actor: AdvertiserActor | PublisherActor) {
  return actor.kind === "advertiser"
    ? and(eq(auditEntries.ownerId, actor.accountId), isNotCampaignDuplicate)
    : eq(auditEntries.accountId, actor.accountId);
}
