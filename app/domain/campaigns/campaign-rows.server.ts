import { and, eq, inArray } from "drizzle-orm";
import { audiences, campaigns, campaignVersions, versionAudiences } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import { notFound } from "../errors.ts";
import type { AccountId, AudienceId, CampaignId } from "../ids.ts";
import { type Cents, toCents } from "../money.ts";
import type { CampaignContent } from "./campaign-content.ts";

/** The rows behind the campaign verbs: reading them under a lock, and the way between rows and content. */
export type CampaignRow = typeof campaigns.$inferSelect;
type ContentRow = Omit<CampaignContent, "audienceIds" | "totalBudgetCents" | "dailyBudgetCents"> & {
  totalBudgetCents: number | null;
  dailyBudgetCents: number | null;
};

/** Locks the advertiser's campaign until the transaction ends: whoever changes a campaign takes this lock first. */
export async function lockOwnCampaign(ctx: Ctx, id: CampaignId, advertiserId: AccountId): Promise<CampaignRow> {
  const [row] = await ctx.db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.id, id), eq(campaigns.advertiserId, advertiserId)))
    .for("no key update");
  if (!row) throw notFound("Campaign");
  return row;
}

export function contentOf(row: ContentRow & { audienceIds: AudienceId[] }): CampaignContent {
  return {
    objective: row.objective,
    adFormat: row.adFormat,
    landingUrl: row.landingUrl,
    creativeIds: row.creativeIds,
    creativePreviewUrl: row.creativePreviewUrl,
    productIds: row.productIds,
    audienceIds: row.audienceIds,
    geolocations: row.geolocations,
    frequencyCapImpressions: row.frequencyCapImpressions,
    frequencyCapPeriod: row.frequencyCapPeriod,
    channelType: row.channelType,
    channels: row.channels,
    totalBudgetCents: centsOrNull(row.totalBudgetCents),
    dailyBudgetCents: centsOrNull(row.dailyBudgetCents),
    startDate: row.startDate,
    endDate: row.endDate,
  };
}

export function centsOrNull(value: number | null): Cents | null {
  return value === null ? null : toCents(value);
}

/** The content of a version that was sent, with all its audiences or one publisher's; undefined when there is none with that number. */
export async function findVersionContent(
  ctx: Ctx,
  id: CampaignId,
  number: number,
  publisherId?: AccountId,
): Promise<CampaignContent | undefined> {
  const [version] = await ctx.db
    .select()
    .from(campaignVersions)
    .where(and(eq(campaignVersions.campaignId, id), eq(campaignVersions.number, number)));
  if (!version) return undefined;
  const chosen = await ctx.db
    .select({ audienceId: versionAudiences.audienceId })
    .from(versionAudiences)
    .where(
      and(
        eq(versionAudiences.campaignId, id),
        eq(versionAudiences.version, number),
        publisherId && eq(versionAudiences.publisherId, publisherId),
      ),
    );
  return contentOf({ ...version, audienceIds: chosen.map((row) => row.audienceId) });
}

/**
 * Those of the audiences that a campaign can use now, with their publishers, kept so until the transaction ends: one that
 * is being archived is waited for, and the other way round. (One that shrinks under the minimum later may stay in use.)
 */
export async function listUsableAudiences(
  ctx: Ctx,
  ids: readonly AudienceId[],
): Promise<{ id: AudienceId; publisherId: AccountId }[]> {
  if (ids.length === 0) return [];
  return ctx.db
    .select({ id: audiences.id, publisherId: audiences.publisherId })
    .from(audiences)
    .where(and(inArray(audiences.id, [...ids]), eq(audiences.status, "ready")))
    .orderBy(audiences.id)
    .for("key share");
}
