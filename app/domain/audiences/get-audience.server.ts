import { and, eq } from "drizzle-orm";
import { accounts, audiences } from "#db/schema/index.ts";
import { centsOrNull } from "../campaigns/campaign-rows.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { publishedSizes } from "./snapshots/current-snapshots.server.ts";

/** Returns one of the publisher's own audiences with its exact size. Throws `not_found`. */
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
    .where(and(eq(audiences.id, id), eq(audiences.publisherId, ctx.actor.accountId)));
  if (!row) throw notFound("Audience");
  return { ...row, cpmCents: centsOrNull(row.cpmCents) };
}

export type Audience = Awaited<ReturnType<typeof getAudience>>;

/**
 * Returns an audience that advertisers can select, with the lower bound of its published size. Throws `not_found` for
 * any other audience.
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
    })
    .from(audiences)
    .innerJoin(accounts, eq(accounts.id, audiences.publisherId))
    .where(and(eq(audiences.id, id), eq(audiences.status, "ready")));
  if (!row) throw notFound("Audience");
  const published = await publishedSizes(ctx, [id]);
  return { ...row, estimatedSize: published.get(id)?.from ?? 0, cpmCents: centsOrNull(row.cpmCents) };
}

export type OfferedAudience = Awaited<ReturnType<typeof getOfferedAudience>>;
