import { and, eq, ne, sql } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { audiences, audienceUploads, audienceVersions } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { sendAgain } from "../heartbeat.ts";
import type { AudienceId, UploadId } from "../ids.ts";
import { reportError } from "../report-error.ts";
import { inTransaction } from "../transaction.server.ts";
import { defaultCpmCents, minimumAudienceSize, statusOfSize, type UploadFile, type UploadMode } from "./audience.ts";
import { failUpload } from "./fail-upload.server.ts";
import type { FileImporter } from "./files/file-importer.server.ts";
import type { RowCounts } from "./files/row-reader.ts";
import { BlockSink, dropGeneration, newGeneration, readBlocks } from "./members/audience-blocks.server.ts";
import type { Block } from "./members/block.ts";
import { type MergeCounts, mergeMembers } from "./members/merge-members.ts";
import { RemovedMembers } from "./members/removed-members.ts";
import { ruleSetVersions } from "./rule-sets.ts";
import { tellOfFinishedUpload } from "./tell-of-upload.server.ts";
import type { UploadReport } from "./upload-report.ts";

type Merge = {
  id: UploadId;
  audienceId: AudienceId;
  mode: UploadMode;
  importer: FileImporter;
  files: UploadFile[];
  droppedColumns: string[];
  notes: string[];
};

/** Others that change the audience in the meantime make it begin again; after so often they wait for it instead. */
const attemptsBesideOthers = 3;
/** One statement writes or drops megabytes. In milliseconds. */
const deadline = 60_000;

/** The words for a defect of ours: the log has the rest. */
export const uploadFailedOnOurSide = `Something went wrong on our side; the audience is as it was. ${sendAgain}`;

/** Merges what was read into the audience as its next version, or says on the upload why not. Never throws. */
export async function mergeUpload(
  ctx: Ctx<PublisherActor>,
  { id, audienceId, mode, importer, ...read }: Merge,
): Promise<void> {
  let report: UploadReport | undefined;
  try {
    const counts = await importer.counts();
    report = { ...read, ...counts };
    const valid = counts.rowsRead - counts.rowsBlank - counts.rowsInvalid;
    if (valid === 0) {
      await failUpload(ctx, { id, message: nothingUsable(counts), report });
      return;
    }
    const sent = () => importer.members();
    await withDeadline(deadline, () =>
      merge(ctx, { id, audienceId, mode, sent, valid, report: { ...read, ...counts } }),
    );
  } catch (error) {
    const facts = { work: "merge_upload", uploadId: id, audienceId } as const;
    reportError(ctx, error, facts);
    await failUpload(ctx, { id, message: uploadFailedOnOurSide, report }).catch((ending: unknown) =>
      reportError(ctx, ending, { ...facts, step: "ending" }),
    );
  }
}

function nothingUsable({ rowsRead, rowsBlank }: RowCounts): string {
  if (rowsRead === 0) return "The file has names of columns but no rows";
  if (rowsRead === rowsBlank) return "No row has an e-mail address or a phone";
  return "Nothing usable: no row has a valid e-mail address or phone. The report says what is wrong with each.";
}

type Prepared = {
  id: UploadId;
  audienceId: AudienceId;
  mode: UploadMode;
  /** What was read, ascending; each call begins anew. */
  sent: () => AsyncIterable<Block>;
  valid: number;
  report: UploadReport;
};

/** Beside others while that goes well: a merge takes seconds, a call that changes a few people none. */
async function merge(ctx: Ctx<PublisherActor>, prepared: Prepared): Promise<void> {
  for (let attempt = 1; attempt <= attemptsBesideOthers; attempt += 1) {
    if (await mergeOnce(ctx, prepared)) return;
  }
  // All on one connection: those who wait for the lock may have all the others.
  await inTransaction(ctx, async (inside) => {
    await inside.db
      .select({ id: audiences.id })
      .from(audiences)
      .where(eq(audiences.id, prepared.audienceId))
      .for("no key update");
    await mergeOnce(inside, prepared);
  });
}

/** False when the audience changed in the meantime: then nothing of it is left. */
async function mergeOnce(ctx: Ctx<PublisherActor>, prepared: Prepared): Promise<boolean> {
  const { audienceId, mode, sent } = prepared;
  const [audience] = await ctx.db
    .select({ version: audiences.version, generation: audiences.generation })
    .from(audiences)
    .where(and(eq(audiences.id, audienceId), ne(audiences.status, "archived")));
  if (!audience) {
    await failUpload(ctx, { ...prepared, message: "The audience was archived in the meantime" });
    return true;
  }
  const old = { audienceId, generation: audience.generation };
  const next = { audienceId, generation: await newGeneration(ctx.db) };
  const base = () => readBlocks(ctx.db, old);
  const sink = new BlockSink(ctx.db, next);
  const counts = await mergeMembers({
    replace: mode === "replace",
    base: base(),
    sent: mode === "remove" ? [] : sent(),
    removed: mode === "remove" ? await RemovedMembers.gather(sent(), base()) : undefined,
    write: (blocks) => sink.put(blocks),
  });
  await sink.end();
  const committed = await commit(ctx, prepared, { version: audience.version, generation: next.generation, counts });
  // Never "all others": another upload may be writing the next one already.
  await dropGeneration(ctx.db, committed && counts.changed ? old : next);
  return committed;
}

/** False when the audience changed in the meantime. What changes nothing makes no version. */
async function commit(
  ctx: Ctx<PublisherActor>,
  { id, audienceId, mode, valid, report }: Prepared,
  { version, generation, counts }: { version: number; generation: number; counts: MergeCounts },
): Promise<boolean> {
  const { before, size } = counts;
  const peopleAdded = mode === "replace" ? counts.came : Math.max(0, size - before);
  const peopleRemoved = mode === "replace" ? counts.went : Math.max(0, before - size);
  const now = ctx.clock();
  return inTransaction(ctx, async (inside) => {
    const [changed] = await inside.db
      .update(audiences)
      .set({
        refreshedAt: now,
        ...(counts.changed && {
          version: version + 1,
          generation,
          size,
          status: statusOfSize(size),
          cpmCents: sql`coalesce(${audiences.cpmCents}, ${defaultCpmCents})`,
        }),
      })
      .where(and(eq(audiences.id, audienceId), eq(audiences.version, version), ne(audiences.status, "archived")))
      .returning({ id: audiences.id });
    if (!changed) return false;
    const duplicates = mode === "remove" ? 0 : mode === "replace" ? valid - size : valid - peopleAdded;
    const notes = size < minimumAudienceSize ? [...report.notes, underMinimum(size)] : report.notes;
    const [finished] = await inside.db
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
      .where(and(eq(audienceUploads.id, id), eq(audienceUploads.status, "running")))
      .returning({ source: audienceUploads.source });
    if (!finished) throw new Error("the upload was ended by somebody else");
    await tellOfFinishedUpload(inside, { id, audienceId, publisherId: ctx.actor.accountId, ...finished, before, size });
    if (counts.changed) {
      await inside.db.insert(audienceVersions).values({
        audienceId,
        publisherId: ctx.actor.accountId,
        number: version + 1,
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
      await recordAudit(inside, {
        action: "audience.uploaded",
        entity: "audience",
        entityId: audienceId,
        before: { size: before },
        after: { size, mode },
      });
    }
    return true;
  });
}

function underMinimum(size: number): string {
  const words = (count: number) => count.toLocaleString("en-US");
  return `The audience has ${words(size)} people. Campaigns can use it from ${words(minimumAudienceSize)} on: ${words(minimumAudienceSize - size)} are missing.`;
}
