import { and, eq, ne, sql } from "drizzle-orm";
import {
  defaultCpmCents,
  describeMissingPeople,
  minimumAudienceSize,
  statusForSize,
  type UploadFile,
  type UploadMode,
} from "#app/domain/audiences/audience.ts";
import type { ConsentChanges } from "#app/domain/audiences/audience-payloads.ts";
import type { FileImporter } from "#app/domain/audiences/files/file-importer.server.ts";
import type { RowCounts } from "#app/domain/audiences/files/row-reader.ts";
import { dropReplaced } from "#app/domain/audiences/members/audience-deltas.server.ts";
import { type OpenMembers, openMembers } from "#app/domain/audiences/members/audience-members.server.ts";
import type { Block } from "#app/domain/audiences/members/block.ts";
import { toStoredPlace } from "#app/domain/audiences/members/deltas.ts";
import { withoutUnnamedObjects } from "#app/domain/audiences/members/stores/written-objects.server.ts";
import { ruleSetVersions } from "#app/domain/audiences/rule-sets.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { retryHint } from "#app/domain/heartbeat.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { reportError } from "#app/domain/report-error.ts";
import { allowIdle, inTransaction } from "#app/domain/transaction.server.ts";
import { withDeadline } from "#db/client.server.ts";
import { audiences, audienceUploads, audienceVersions } from "#db/schema/index.ts";
import { grantConsent } from "./consent-of-upload.server.ts";
import { failUpload } from "./fail-upload.server.ts";
import { notifyUploadFinished } from "./notify-upload.server.ts";
import { type UploadAttempt, UploadEndedError, whereAttemptRuns } from "./upload-attempt.server.ts";
import type { UploadReport } from "./upload-report.ts";
import { type Merged, writeMerged } from "./write-merged.server.ts";

type MergeInput = UploadAttempt & {
  audienceId: AudienceId;
  mode: UploadMode;
  /** The statement about consent that the uploader made with the files. */
  consent?: ConsentChanges | undefined;
  importer: FileImporter;
  files: UploadFile[];
  droppedColumns: string[];
  notes: string[];
};

/**
 * A concurrent change of the audience makes the merge restart; after this many merges it locks the audience instead.
 */
const maxOptimisticMerges = 3;
/** One statement writes or deletes megabytes. In milliseconds. */
const timeoutMs = 60_000;

/** The message for internal errors; the log has the details. */
export const uploadFailedOnOurSide = `Something went wrong on our side. The audience was not changed. ${retryHint}`;

/**
 * Merges the files' members into the audience as its next version, or fails the upload with a message. An upload that was
 * ended meanwhile, or sent again to another process, leaves both as they are. Never throws.
 */
export async function mergeUpload(
  ctx: Ctx<PublisherActor>,
  { id, attempt, audienceId, mode, consent, importer, ...read }: MergeInput,
): Promise<void> {
  let report: UploadReport | undefined;
  try {
    const counts = await importer.counts();
    report = { ...read, ...counts };
    const valid = counts.rowsRead - counts.rowsBlank - counts.rowsInvalid - counts.rowsOptedOut;
    if (valid === 0) {
      await failUpload(ctx, { id, attempt, message: describeNoMembers(counts), report });
      return;
    }
    const uploaded = () => importer.members();
    await merge(withDeadline(ctx, timeoutMs), { id, attempt, audienceId, mode, consent, uploaded, valid, report });
  } catch (error) {
    if (error instanceof UploadEndedError) return;
    const facts = { work: "merge_upload", uploadId: id, audienceId } as const;
    reportError(ctx, error, facts);
    await failUpload(ctx, { id, attempt, message: uploadFailedOnOurSide, report }).catch((failure: unknown) =>
      reportError(ctx, failure, { ...facts, step: "ending" }),
    );
  }
}

function describeNoMembers({ rowsRead, rowsBlank, rowsOptedOut }: RowCounts): string {
  if (rowsRead === 0) return "The file has a header but no rows. Add rows and upload it again.";
  if (rowsRead === rowsBlank) return "No row has an email address or phone number";
  if (rowsOptedOut > 0 && rowsRead === rowsBlank + rowsOptedOut)
    return "Every person in the file opted out or did not agree to marketing. See the report for the columns that say so.";
  return "No row has a valid email address or phone number. See the report for the problem in each row.";
}

type Prepared = UploadAttempt & {
  audienceId: AudienceId;
  mode: UploadMode;
  consent: ConsentChanges | undefined;
  /** The uploaded blocks, ascending; each call starts from the beginning. */
  uploaded: () => AsyncIterable<Block>;
  valid: number;
  report: UploadReport;
};

/**
 * Merges without a lock first, because a merge takes seconds and requests that change a few people must not wait for
 * it.
 */
async function merge(ctx: Ctx<PublisherActor>, prepared: Prepared): Promise<void> {
  for (let merges = 0; merges < maxOptimisticMerges; merges += 1) {
    if (await mergeOnce(ctx, prepared)) return;
  }
  await withoutUnnamedObjects(ctx, (track) =>
    // Uses a single connection: requests that wait for the lock may hold all others.
    inTransaction(ctx, async (tx) => {
      track(tx.db);
      await allowIdle(tx.db, timeoutMs);
      await tx.db
        .select({ id: audiences.id })
        .from(audiences)
        .where(eq(audiences.id, prepared.audienceId))
        .for("no key update");
      await mergeOnce(tx, prepared);
    }),
  );
}

/** Returns false when the audience changed in the meantime; nothing of the merge remains then. */
async function mergeOnce(ctx: Ctx<PublisherActor>, prepared: Prepared): Promise<boolean> {
  const { audienceId } = prepared;
  const [audience] = await ctx.db
    .select({ id: audiences.id })
    .from(audiences)
    .where(and(eq(audiences.id, audienceId), ne(audiences.status, "archived")));
  const old = audience && (await openMembers(ctx.db, audienceId, { withAddresses: true }));
  if (!old) {
    await failUpload(ctx, { ...prepared, message: "The audience was archived during the upload" });
    return true;
  }
  const { counts, next } = await writeMerged(ctx.db, { old, ...prepared, now: ctx.clock() });
  const isCommitted = await commit(ctx, prepared, { old, next, counts });
  // Deletes only these generations: another upload may already be writing the next one.
  const [kept, dropped] = isCommitted && counts.changed ? [next, old] : [old, next];
  await dropReplaced(ctx.db, { dropped, kept });
  return isCommitted;
}

/** What a merge made of the members that the audience had. */
type MergedInto = Merged & { old: OpenMembers };

/**
 * Makes the merged members those of the audience, and the upload succeed. Returns false when the audience changed in the
 * meantime. A merge that changes nothing creates no version. Throws an UploadEndedError.
 */
async function commit(ctx: Ctx<PublisherActor>, prepared: Prepared, merged: MergedInto): Promise<boolean> {
  const now = ctx.clock();
  const { mode } = prepared;
  const { before, size, added, removed } = merged.counts;
  const people =
    mode === "replace"
      ? { peopleAdded: added, peopleRemoved: removed }
      : { peopleAdded: Math.max(0, size - before), peopleRemoved: Math.max(0, before - size) };
  return inTransaction(ctx, async (tx) => {
    if (!(await storeMembers(tx, prepared, { ...merged, now }))) return false;
    await finishUpload(tx, prepared, { before, size, ...people, now });
    if (merged.counts.changed) await insertVersion(tx, prepared, { ...people, ...merged, now });
    return true;
  });
}

/** Returns false when the audience is no longer as it was read. */
async function storeMembers(
  ctx: Ctx<PublisherActor>,
  { audienceId }: Prepared,
  { old, next, counts, now }: MergedInto & { now: Date },
): Promise<boolean> {
  const { size } = counts;
  const version = old.version + 1;
  const updated = await ctx.db
    .update(audiences)
    .set({
      refreshedAt: now,
      ...(counts.changed && {
        version,
        ...toStoredPlace({ ...next, deltas: next.deltas && { ...next.deltas, version } }),
        size,
        status: statusForSize(size),
        cpmCents: sql`coalesce(${audiences.cpmCents}, ${defaultCpmCents})`,
      }),
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
  { id, attempt, audienceId, mode, consent, valid, report }: Prepared,
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

async function insertVersion(
  ctx: Ctx<PublisherActor>,
  { id, audienceId, mode }: Prepared,
  { old, counts, peopleAdded, peopleRemoved, now }: Omit<PeopleChange, "size"> & MergedInto,
): Promise<void> {
  const { before, size } = counts;
  await ctx.db.insert(audienceVersions).values({
    audienceId,
    publisherId: ctx.actor.accountId,
    number: old.version + 1,
    source: "upload",
    mode,
    uploadId: id,
    peopleAdded,
    peopleRemoved,
    size,
    ruleSets: ruleSetVersions,
    createdAt: now,
    createdBy: ctx.actor.userId,
  });
  await recordAudit(ctx, {
    action: "audience.uploaded",
    entity: "audience",
    entityId: audienceId,
    before: { size: before },
    after: { size, mode },
  });
}

/** Nothing of a row that is left out is hashed, so the people in it cannot be found in the audience. */
const optedOutStayNote =
  "People who opted out but are already in the audience stay in it. To remove them, upload their rows with the mode Remove, or the whole file with the mode Replace.";
