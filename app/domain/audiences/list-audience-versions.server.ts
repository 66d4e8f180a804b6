import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { audienceUploads, audienceVersions } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import type { AudienceId } from "../ids.ts";
import type { UploadSort } from "./audience.ts";

const maxRows = 20;

/** Lists the newest 20 changes of the audience's members, with counts only: members themselves are never shown. */
export async function listAudienceVersions(ctx: Ctx<PublisherActor>, id: AudienceId) {
  return ctx.db
    .select({
      number: audienceVersions.number,
      source: audienceVersions.source,
      mode: audienceVersions.mode,
      uploadId: audienceVersions.uploadId,
      peopleAdded: audienceVersions.peopleAdded,
      peopleRemoved: audienceVersions.peopleRemoved,
      size: audienceVersions.size,
      createdAt: audienceVersions.createdAt,
    })
    .from(audienceVersions)
    .where(and(eq(audienceVersions.audienceId, id), eq(audienceVersions.publisherId, ctx.actor.accountId)))
    .orderBy(desc(audienceVersions.number))
    .limit(maxRows);
}

export type AudienceVersion = Awaited<ReturnType<typeof listAudienceVersions>>[number];

const orders: Record<UploadSort, SQL> = {
  newest: desc(audienceUploads.createdAt),
  oldest: asc(audienceUploads.createdAt),
  rows: desc(audienceUploads.rowsRead),
  people: desc(sql`${audienceUploads.peopleAdded} - ${audienceUploads.peopleRemoved}`),
};

/**
 * Lists the first 20 uploads to the publisher's audience in this order, whatever their status; the newest by default.
 */
export async function listAudienceUploads(ctx: Ctx<PublisherActor>, id: AudienceId, sort: UploadSort = "newest") {
  return ctx.db
    .select({
      id: audienceUploads.id,
      mode: audienceUploads.mode,
      source: audienceUploads.source,
      error: audienceUploads.error,
      status: audienceUploads.status,
      files: audienceUploads.files,
      rowsRead: audienceUploads.rowsRead,
      rowsInvalid: audienceUploads.rowsInvalid,
      duplicates: audienceUploads.duplicates,
      peopleAdded: audienceUploads.peopleAdded,
      peopleRemoved: audienceUploads.peopleRemoved,
      createdAt: audienceUploads.createdAt,
    })
    .from(audienceUploads)
    .where(and(eq(audienceUploads.audienceId, id), eq(audienceUploads.publisherId, ctx.actor.accountId)))
    .orderBy(orders[sort], sort === "oldest" ? asc(audienceUploads.id) : desc(audienceUploads.id))
    .limit(maxRows);
}

export type AudienceUpload = Awaited<ReturnType<typeof listAudienceUploads>>[number];
