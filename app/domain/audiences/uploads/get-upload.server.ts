import { and, eq } from "drizzle-orm";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { notFound } from "#app/domain/errors.ts";
import type { UploadId } from "#app/domain/ids.ts";
import { audiences, audienceUploads } from "#db/schema/index.ts";

/** Returns one of the publisher's uploads with its report. Throws `not_found`. */
export async function getUpload(ctx: Ctx<PublisherActor>, id: UploadId) {
  const [row] = await ctx.db
    .select({ upload: audienceUploads, audienceName: audiences.name })
    .from(audienceUploads)
    .innerJoin(audiences, eq(audiences.id, audienceUploads.audienceId))
    .where(and(eq(audienceUploads.id, id), eq(audienceUploads.publisherId, ctx.actor.accountId)));
  if (!row) throw notFound("Upload");
  return { ...row.upload, audienceName: row.audienceName };
}

export type Upload = Awaited<ReturnType<typeof getUpload>>;
