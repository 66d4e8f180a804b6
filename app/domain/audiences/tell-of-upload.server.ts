import { and, desc, eq, inArray } from "drizzle-orm";
import { audiences, audienceUploads } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import type { AccountId, AudienceId, UploadId } from "../ids.ts";
import { type Telling, tellAccounts } from "../notifications/tell-accounts.server.ts";
import { minimumAudienceSize, type UploadSource } from "./audience.ts";

type Ended = { id: UploadId; audienceId: AudienceId; publisherId: AccountId; source: UploadSource };

/**
 * Tells a publisher that its file is in, or that there are too few people for campaigns. Of a refresh it hears only when that
 * brought the audience below the minimum: `before` and `size` are the people that it had and has.
 */
export async function tellOfFinishedUpload(
  ctx: Ctx,
  { before, size, ...upload }: Ended & { before: number; size: number },
): Promise<void> {
  const tooFew = size < minimumAudienceSize;
  if (upload.source !== "file" && !(tooFew && before >= minimumAudienceSize)) return;
  const [audience] = await ctx.db
    .select({ name: audiences.name })
    .from(audiences)
    .where(eq(audiences.id, upload.audienceId));
  await tellAccounts(ctx, [
    {
      ...about(upload),
      event: tooFew ? "audience_below_minimum" : "audience_imported",
      key: `upload/${upload.id}`,
      facts: { audience: audience?.name, audienceId: upload.audienceId, people: size },
    },
  ]);
}

/**
 * Tells publishers that a file was not taken in, or that a refresh failed: of the same audience's refreshes once, until one
 * succeeds again. A refresh that begins again by itself at once is nobody's concern.
 */
export async function tellOfFailedUploads(ctx: Ctx, failed: readonly (Ended & { error: string | null })[]) {
  if (failed.length === 0) return;
  const ids = failed.map(({ audienceId }) => audienceId);
  const [named, succeeded] = await Promise.all([
    ctx.db
      .select({ id: audiences.id, name: audiences.name, nextRefreshAt: audiences.nextRefreshAt })
      .from(audiences)
      .where(inArray(audiences.id, ids)),
    ctx.db
      .selectDistinctOn([audienceUploads.audienceId], {
        audienceId: audienceUploads.audienceId,
        id: audienceUploads.id,
      })
      .from(audienceUploads)
      .where(and(inArray(audienceUploads.audienceId, ids), eq(audienceUploads.status, "succeeded")))
      .orderBy(audienceUploads.audienceId, desc(audienceUploads.createdAt)),
  ]);
  const audienceOf = new Map(named.map((audience) => [audience.id, audience]));
  const lastGood = new Map(succeeded.map(({ audienceId, id }) => [audienceId, id]));
  const tellings = failed.flatMap(({ error, ...upload }): Telling[] => {
    const audience = audienceOf.get(upload.audienceId);
    const isFile = upload.source === "file";
    const goesOn = !isFile && audience?.nextRefreshAt && audience.nextRefreshAt <= ctx.clock();
    if (!audience || goesOn) return [];
    return [
      {
        ...about(upload),
        event: isFile ? "audience_import_failed" : "audience_refresh_failed",
        key: isFile
          ? `upload/${upload.id}`
          : `refresh/${upload.audienceId}/${lastGood.get(upload.audienceId) ?? "none"}`,
        facts: { audience: audience.name, audienceId: upload.audienceId, reason: error ?? undefined },
      },
    ];
  });
  await tellAccounts(ctx, tellings);
}

function about({ id, publisherId }: Ended) {
  return { accountId: publisherId, subjectId: id };
}
