import { and, desc, eq } from "drizzle-orm";
import { audienceUploads, audienceVersions } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import type { AudienceId } from "../ids.ts";

const newest = 20;

/** What changed who is in the publisher's audience, the newest 20. Counts alone: there are no members to see. */
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
    .limit(newest);
}

export type AudienceVersion = Awaited<ReturnType<typeof listAudienceVersions>>[number];

/** The newest 20 uploads to the publisher's audience, whatever came of them. */
export async function listAudienceUploads(ctx: Ctx<PublisherActor>, id: AudienceId) {
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
    .orderBy(desc(audienceUploads.createdAt), desc(audienceUploads.id))
    .limit(newest);
}

export type AudienceUpload = Awaited<ReturnType<typeof listAudienceUploads>>[number];
