import { and, eq, ne } from "drizzle-orm";
import type { UploadFile, UploadMode } from "#app/domain/audiences/audience.ts";
import type { ConsentChanges } from "#app/domain/audiences/audience-payloads.ts";
import type { FileImporter } from "#app/domain/audiences/files/file-importer.server.ts";
import type { RowCounts } from "#app/domain/audiences/files/row-reader.ts";
import { dropReplaced } from "#app/domain/audiences/members/audience-deltas.server.ts";
import { openMembers } from "#app/domain/audiences/members/audience-members.server.ts";
import { withoutUnnamedObjects } from "#app/domain/audiences/members/stores/written-objects.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { retryHint } from "#app/domain/heartbeat.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { reportError } from "#app/domain/report-error.ts";
import { allowIdle, inTransaction } from "#app/domain/transaction.server.ts";
import { withDeadline } from "#db/client.server.ts";
import { audiences } from "#db/schema/index.ts";
import { commitMerge, type PreparedUpload } from "./commit-merge.server.ts";
import { failUpload } from "./fail-upload.server.ts";
import { type UploadAttempt, UploadEndedError } from "./upload-attempt.server.ts";
import type { UploadReport } from "./upload-report.ts";
import { writeMerged } from "./write-merged.server.ts";

type MergeInput = UploadAttempt & {
  audienceId: AudienceId;
  mode: UploadMode;
  /** Whether an integration's list is refreshed, false by default. */
  isRefresh?: boolean;
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
 * Merges the files' members into the audience as its next version, or fails the upload with a message. An upload that
 * was ended meanwhile, or sent again to another process, leaves both as they are. Never throws.
 */
export async function mergeUpload(
  ctx: Ctx<PublisherActor>,
  { id, attempt, audienceId, mode, isRefresh = false, consent, importer, ...read }: MergeInput,
): Promise<void> {
  let report: UploadReport | undefined;
  try {
    const counts = await importer.counts();
    report = { ...read, ...counts };
    const valid = counts.rowsRead - counts.rowsBlank - counts.rowsInvalid - counts.rowsOptedOut;
    // A person may have uploaded a list of opt-outs by mistake; an integration's list says who is in the audience.
    if (valid === 0 && !(isRefresh && isEveryoneOut(counts))) {
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

/** Whether there are people in the files and all of them opted out. */
function isEveryoneOut({ rowsRead, rowsBlank, rowsOptedOut }: RowCounts): boolean {
  return rowsOptedOut > 0 && rowsRead === rowsBlank + rowsOptedOut;
}

function describeNoMembers(counts: RowCounts): string {
  const { rowsRead, rowsBlank } = counts;
  if (rowsRead === 0) return "The file has a header but no rows. Add rows and upload it again.";
  if (rowsRead === rowsBlank) return "No row has an email address or phone number";
  if (isEveryoneOut(counts))
    return "Every person in the file opted out or did not agree to marketing. See the report for the columns that say so.";
  return "No row has a valid email address or phone number. See the report for the problem in each row.";
}

/**
 * Merges without a lock first, because a merge takes seconds and requests that change a few people must not wait for
 * it.
 */
async function merge(ctx: Ctx<PublisherActor>, prepared: PreparedUpload): Promise<void> {
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
async function mergeOnce(ctx: Ctx<PublisherActor>, prepared: PreparedUpload): Promise<boolean> {
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
  const isCommitted = await commitMerge(ctx, prepared, { old, next, counts });
  // Deletes only these generations: another upload may already be writing the next one.
  const [kept, dropped] = isCommitted && counts.changed ? [next, old] : [old, next];
  await dropReplaced(ctx.db, { dropped, kept });
  return isCommitted;
}
