import { and, eq } from "drizzle-orm";
import { accounts, apiKeys, audiences, users } from "#db/schema/index.ts";
import { centsOrNull } from "../campaigns/campaign-rows.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { consentUse } from "./consent/audience-consent.ts";
import { isOffered } from "./offered-audiences.server.ts";
import { publishedSizes } from "./snapshots/current-snapshots.server.ts";

/**
 * Returns one of the publisher's own audiences with its exact size and the statement about consent. Throws `not_found`.
 */
export async function getAudience(ctx: Ctx<PublisherActor>, id: AudienceId) {
  const [row] = await ctx.db
    .select({
      id: audiences.id,
      publisherName: accounts.companyName,
      name: audiences.name,
      description: audiences.description,
      segment: audiences.segment,
      status: audiences.status,
      size: audiences.size,
      estimatedSize: audiences.estimatedSize,
      cpmCents: audiences.cpmCents,
      dataSource: audiences.dataSource,
      refreshFrequency: audiences.refreshFrequency,
      defaultCountry: audiences.defaultCountry,
      adUserDataConsent: audiences.adUserDataConsent,
      adPersonalizationConsent: audiences.adPersonalizationConsent,
      consentStatedAt: audiences.consentStatedAt,
      /** The person who made the statement, or the API key. */
      consentStatedBy: users.name,
      consentStatedByKey: apiKeys.name,
      version: audiences.version,
      remoteListName: audiences.remoteListName,
      remoteListId: audiences.remoteListId,
      nextRefreshAt: audiences.nextRefreshAt,
      createdAt: audiences.createdAt,
      refreshedAt: audiences.refreshedAt,
      archivedAt: audiences.archivedAt,
    })
    .from(audiences)
    .innerJoin(accounts, eq(accounts.id, audiences.publisherId))
    .leftJoin(users, eq(users.id, audiences.consentStatedBy))
    .leftJoin(apiKeys, eq(apiKeys.id, audiences.consentStatedByKey))
    .where(and(eq(audiences.id, id), eq(audiences.publisherId, ctx.actor.accountId)));
  if (!row) throw notFound("Audience");
  return { ...row, cpmCents: centsOrNull(row.cpmCents) };
}

export type Audience = Awaited<ReturnType<typeof getAudience>>;

/**
 * Returns an audience that advertisers can select, with the lower bound of its published size, and where channels that
 * ask for consent use it; the statement itself is the publisher's. Throws `not_found` for any other audience.
 */
export async function getOfferedAudience(ctx: Ctx<AdvertiserActor>, id: AudienceId) {
  const [row] = await ctx.db
    .select({
      id: audiences.id,
      publisherName: accounts.companyName,
      name: audiences.name,
      description: audiences.description,
      segment: audiences.segment,
      status: audiences.status,
      cpmCents: audiences.cpmCents,
      adUserData: audiences.adUserDataConsent,
      adPersonalization: audiences.adPersonalizationConsent,
    })
    .from(audiences)
    .innerJoin(accounts, eq(accounts.id, audiences.publisherId))
    .where(and(eq(audiences.id, id), isOffered(ctx)));
  if (!row) throw notFound("Audience");
  const { adUserData, adPersonalization, ...audience } = row;
  const published = await publishedSizes(ctx, [id]);
  return {
    ...audience,
    consentUse: consentUse({ adUserData, adPersonalization }),
    estimatedSize: published.get(id)?.from ?? 0,
    cpmCents: centsOrNull(audience.cpmCents),
  };
}

export type OfferedAudience = Awaited<ReturnType<typeof getOfferedAudience>>;
