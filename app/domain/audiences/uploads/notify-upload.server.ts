import { and, desc, eq, inArray } from "drizzle-orm";
import { minimumAudienceSize, type UploadSource } from "#app/domain/audiences/audience.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { AccountId, AudienceId, UploadId } from "#app/domain/ids.ts";
import { type NotificationInput, notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";
import { audiences, audienceUploads } from "#db/schema/index.ts";

type FinishedUpload = { id: UploadId; audienceId: AudienceId; publisherId: AccountId; source: UploadSource };

/**
 * Notifies a publisher that its file was imported or that the audience has too few people for campaigns. A refresh
 * notifies only when it brings the audience below the minimum; `before` and `size` are the numbers of people before and
 * after, `optedOut` the rows that were left out.
 */
export async function notifyUploadFinished(
  ctx: Ctx,
  { before, size, optedOut, ...upload }: FinishedUpload & { before: number; size: number; optedOut: number },
): Promise<void> {
  const tooFew = size < minimumAudienceSize;
  if (upload.source !== "file" && !(tooFew && before >= minimumAudienceSize)) return;
  const [audience] = await ctx.db
    .select({ name: audiences.name })
    .from(audiences)
    .where(eq(audiences.id, upload.audienceId));
  await notifyAccounts(ctx, [
    {
      ...recipient(upload),
      event: tooFew ? "audience_below_minimum" : "audience_imported",
      key: `upload/${upload.id}`,
      facts: { audience: audience?.name, audienceId: upload.audienceId, people: size, optedOut },
    },
  ]);
}

/**
 * Notifies a publisher that members were removed, or erased, from an audience that has too few people for campaigns
 * since.
 */
export async function notifyBelowMinimum(
  ctx: Ctx<PublisherActor>,
  { audienceId, version, size }: { audienceId: AudienceId; version: number; size: number },
): Promise<void> {
  const [audience] = await ctx.db.select({ name: audiences.name }).from(audiences).where(eq(audiences.id, audienceId));
  await notifyAccounts(ctx, [
    {
      accountId: ctx.actor.accountId,
      subjectId: audienceId,
      event: "audience_below_minimum",
      key: `below_minimum/${audienceId}/${version}`,
      facts: { audience: audience?.name, audienceId, people: size },
    },
  ]);
}

type FailedUpload = FinishedUpload & { error: string | null; finishedAt: Date | null };

/**
 * Notifies publishers that a file import or a refresh failed. An import that is restarted notifies of each of its ends.
 * Failed refreshes of an audience notify only once until one succeeds. A refresh that restarts automatically at once
 * does not notify.
 */
export async function notifyUploadsFailed(ctx: Ctx, failed: readonly FailedUpload[]) {
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
  const audienceById = new Map(named.map((audience) => [audience.id, audience]));
  const lastSuccess = new Map(succeeded.map(({ audienceId, id }) => [audienceId, id]));
  const notifications = failed.flatMap(({ error, finishedAt, ...upload }): NotificationInput[] => {
    const audience = audienceById.get(upload.audienceId);
    const isFile = upload.source === "file";
    const restartsNow = !isFile && audience?.nextRefreshAt && audience.nextRefreshAt <= ctx.clock();
    if (!audience || restartsNow) return [];
    return [
      {
        ...recipient(upload),
        event: isFile ? "audience_import_failed" : "audience_refresh_failed",
        key: isFile
          ? `upload/${upload.id}/failed/${finishedAt?.toISOString()}`
          : `refresh/${upload.audienceId}/${lastSuccess.get(upload.audienceId) ?? "none"}`,
        facts: { audience: audience.name, audienceId: upload.audienceId, reason: error ?? undefined },
      },
    ];
  });
  await notifyAccounts(ctx, notifications);
}

function recipient({ id, publisherId }: FinishedUpload) {
  return { accountId: publisherId, subjectId: id };
}
