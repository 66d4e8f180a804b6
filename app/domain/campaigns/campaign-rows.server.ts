import { and, eq, inArray, or } from "drizzle-orm";
import { audiences, campaigns, campaignVersions, versionAudiences } from "#db/schema/index.ts";
import { isOfApprover, isOffered } from "../audiences/offered-audiences.server.ts";
import type { Ctx } from "../context.ts";
import { notFound } from "../errors.ts";
import type { AccountId, AudienceId, CampaignId } from "../ids.ts";
import { asCents, type Cents } from "../money.ts";
import {
  type CampaignContent,
  type CampaignValues,
  mapContent,
  mapUnreviewed,
  type UnreviewedValues,
} from "./campaign-fields.ts";

/** The rows behind the campaign verbs: locking them, and converting between rows and content. */
export type CampaignRow = typeof campaigns.$inferSelect;
type ContentRow = {
  [Key in keyof CampaignContent]: CampaignContent[Key] extends Cents | null ? number | null : CampaignContent[Key];
};

/**
 * Locks the advertiser's campaign until the transaction ends. Every change of a campaign takes this lock first. Throws
 * `not_found`.
 */
export async function lockOwnCampaign(ctx: Ctx, id: CampaignId, advertiserId: AccountId): Promise<CampaignRow> {
  const [row] = await ctx.db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.id, id), eq(campaigns.advertiserId, advertiserId)))
    .for("no key update");
  if (!row) throw notFound("Campaign");
  return row;
}

export function toCampaignContent(row: ContentRow): CampaignContent {
  return mapContent(({ key, fromColumn }) => fromColumn(Reflect.get(row, key)));
}

/** The values that no version holds. */
export function toUnreviewedValues(row: UnreviewedValues): UnreviewedValues {
  return mapUnreviewed(({ key, fromColumn }) => fromColumn(Reflect.get(row, key)));
}

export function centsOrNull(value: number | null): Cents | null {
  return value === null ? null : asCents(value);
}

/** All values of a campaign's fields. */
export function toCampaignValues(row: ContentRow & UnreviewedValues): CampaignValues {
  return { ...toUnreviewedValues(row), ...toCampaignContent(row) };
}

/**
 * Returns the content of a sent version, with all its audiences or those of one publisher; undefined when no version
 * has this number.
 */
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
  return toCampaignContent({ ...version, audienceIds: chosen.map((row) => row.audienceId) });
}

/** Audiences of a campaign, which may be new. */
type UseOfAudiences = { ids: readonly AudienceId[]; campaignId?: CampaignId };

/**
 * Returns the audiences that a campaign can use now, with their publishers: those that are offered, and those of
 * publishers that have approved it, who may have been suspended since. (An audience that shrinks below the minimum
 * later may stay in use.)
 */
export async function listUsableAudiences(ctx: Ctx, use: UseOfAudiences) {
  return use.ids.length === 0 ? [] : usableAudiences(ctx, use);
}

/**
 * Returns the same and locks them until the transaction ends: a concurrent archiving waits, and the other way round.
 */
export async function lockUsableAudiences(ctx: Ctx, use: UseOfAudiences) {
  return use.ids.length === 0 ? [] : usableAudiences(ctx, use).for("key share");
}

function usableAudiences(ctx: Ctx, { ids, campaignId }: UseOfAudiences) {
  return ctx.db
    .select({ id: audiences.id, publisherId: audiences.publisherId })
    .from(audiences)
    .where(
      and(inArray(audiences.id, [...ids]), eq(audiences.status, "ready"), or(isOffered(ctx), isOfApprover(campaignId))),
    )
    .orderBy(audiences.id);
}
