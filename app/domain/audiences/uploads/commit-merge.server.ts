import { and, eq, ne } from "drizzle-orm";
import { describeMissingPeople, minimumAudienceSize, type UploadMode } from "#app/domain/audiences/audience.ts";
import type { ConsentChanges } from "#app/domain/audiences/audience-payloads.ts";
import { insertVersion, versionColumns } from "#app/domain/audiences/audience-version.server.ts";
import type { OpenMembers } from "#app/domain/audiences/members/audience-members.server.ts";
import type { Block } from "#app/domain/audiences/members/block.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { audiences, audienceUploads } from "#db/schema/index.ts";
import { grantConsent } from "./consent-of-upload.server.ts";
import { notifyUploadFinished } from "./notify-upload.server.ts";
import { type UploadAttempt, UploadEndedError, whereAttemptRuns } from "./upload-attempt.server.ts";
import type { UploadReport } from "./upload-report.ts";
import type { Merged } from "./write-merged.server.ts";

/** An upload whose files are read and hashed. */
export type PreparedUpload = UploadAttempt & {
  audienceId: AudienceId;
  mode: UploadMode;
  consent: ConsentChanges | undefined;
  /** The uploaded blocks, ascending; each call starts from the beginning. */
  uploaded: () => AsyncIterable<Block>;
  valid: number;
  report: UploadReport;
};

/** What a merge made of the members that the audience had. */
type MergedInto = Merged & { old: OpenMembers };

/**
 * Makes the merged members those of the audience, and the upload succeed. Returns false when the audience changed in
 * the meantime. A merge that changes nothing creates no version. Throws an UploadEndedError.
 */
export async function commitMerge(
  ctx: Ctx<PublisherActor>,
  prepared: PreparedUpload,
  merged: MergedInto,
): Promise<boolean> {
  const now = ctx.clock();
  const { id, audienceId, mode } = prepared;
  const { before, size, added, removed } = merged.counts;
  const people =
    mode === "replace"
      ? { peopleAdded: added, peopleRemoved: removed }
      : { peopleAdded: Math.max(0, size - before), peopleRemoved: Math.max(0, before - size) };
  return inTransaction(ctx, async (tx) => {
    if (!(await storeMembers(tx, prepared, { ...merged, now }))) return false;
    await finishUpload(tx, prepared, { before, size, ...people, now });
    if (!merged.counts.changed) return true;
    const version = { number: merged.old.version + 1, source: "upload", ...people, before, size } as const;
    await insertVersion(tx, { audienceId, uploadId: id, mode, ...version });
    return true;
  });
}

/** Returns false when the audience is no longer as it was read. */
async function storeMembers(
  ctx: Ctx<PublisherActor>,
  { audienceId }: PreparedUpload,
  { old, next, counts, now }: MergedInto & { now: Date },
): Promise<boolean> {
  const updated = await ctx.db
    .update(audiences)
    .set({
      refreshedAt: now,
      ...(counts.changed && versionColumns({ version: old.version + 1, place: next, size: counts.size })),
    })
    .where(
      and(
        eq(audiences.id, audienceId),
        eq(audiences.version, old.version),
        // The base was merged with its deltas meanwhile, and may have been deleted before it was read to its end.
        eq(audiences.generation, old.generation),
        ne(audiences.status, "archived"),
      ),
    )
    .returning({ id: audiences.id });
  return updated.length > 0;
}

type PeopleChange = { peopleAdded: number; peopleRemoved: number; size: number; now: Date };

/** Stores the upload's result and notifies its publisher. Throws an UploadEndedError. */
async function finishUpload(
  ctx: Ctx<PublisherActor>,
  { id, attempt, audienceId, mode, consent, valid, report }: PreparedUpload,
  { before, size, peopleAdded, peopleRemoved, now }: PeopleChange & { before: number },
): Promise<void> {
  const optedOut = report.rowsOptedOut;
  const notes = [
    ...report.notes,
    ...(optedOut > 0 && mode === "add" && before > 0 ? [optedOutStayNote] : []),
    ...(size < minimumAudienceSize ? [describeMissingPeople(size)] : []),
  ];
  const duplicates = { add: valid - peopleAdded, replace: valid - size, remove: 0 }[mode];
  const [finished] = await ctx.db
    .update(audienceUploads)
    .set({
      ...report,
      notes,
      status: "succeeded",
      duplicates: Math.max(0, duplicates),
      peopleAdded,
      peopleRemoved,
      size,
      finishedAt: now,
    })
    .where(whereAttemptRuns({ id, attempt }))
    .returning({ source: audienceUploads.source, createdAt: audienceUploads.createdAt });
  if (!finished) throw new UploadEndedError();
  if (consent) await grantConsent(ctx, { audienceId, consent, since: finished.createdAt });
  const publisherId = ctx.actor.accountId;
  await notifyUploadFinished(ctx, { id, audienceId, publisherId, source: finished.source, before, size, optedOut });
}

/** Nothing of a row that is left out is hashed, so the people in it cannot be found in the audience. */
const optedOutStayNote =
  "People who opted out but are already in the audience stay in it. To remove them, upload their rows with the mode Remove, or the whole file with the mode Replace.";
