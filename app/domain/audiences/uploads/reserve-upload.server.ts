import { and, eq, like, or, sql } from "drizzle-orm";
import type { UploadMode } from "#app/domain/audiences/audience.ts";
import type { ConsentChanges } from "#app/domain/audiences/audience-payloads.ts";
import type { ColumnMapping } from "#app/domain/audiences/files/column-uses.ts";
import { updateAudience } from "#app/domain/audiences/update-audience.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError, notFound } from "#app/domain/errors.ts";
import { retryHint, retryLaterHint } from "#app/domain/heartbeat.ts";
import { compareContent, type ReadContent, reserveOnce } from "#app/domain/idempotency/reserve-once.server.ts";
import { type AudienceId, newId, type UploadId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import type { TextEncoding } from "#app/sheets/text/encodings.ts";
import { audiences, audienceUploads } from "#db/schema/index.ts";
import { splitConsent } from "./consent-of-upload.server.ts";
import type { UploadAttempt } from "./upload-attempt.server.ts";

type NewUpload = {
  audienceId: AudienceId;
  mode: UploadMode;
  /** The uploader stated that people who opted out are imported too. */
  includesOptOuts?: boolean | undefined;
  /** The encoding that the uploader chose for text. */
  encoding?: TextEncoding | undefined;
  /** The uses of columns that were sent with the files. */
  mapping?: ColumnMapping | undefined;
  /** The statement about consent that the uploader made with the files; none where it stays as it is. */
  consent?: ConsentChanges | undefined;
};

/**
 * Creates the row of an upload that is about to arrive, and changes the audience's statement about consent if the
 * uploader made one; consent that it grants counts once the upload has succeeded. The same key with the same audience
 * and mode returns the same upload without an attempt, and its files are only compared (`compareUpload`), unless it was
 * interrupted or failed through an internal error: then it restarts as its next attempt. Throws `not_found`, and
 * `invalid_transition` for an archived audience.
 */
export async function reserveUpload(
  ctx: Ctx<PublisherActor>,
  { key, ...upload }: NewUpload & { key: string | undefined },
): Promise<{ id: UploadId; attempt: number | undefined }> {
  const { audienceId, mode, includesOptOuts, encoding, mapping, consent = {} } = upload;
  await requireUnarchivedAudience(ctx, audienceId);
  const statements = Object.entries(consent).flatMap(([name, status]) => (status ? [`${name}=${status}`] : []));
  const choices = [
    ...(includesOptOuts ? ["include_opt_outs"] : []),
    ...(encoding ? [encoding] : []),
    ...statements,
    ...(mapping ? [JSON.stringify(mapping)] : []),
  ];
  const requestFingerprint = [audienceId, mode, ...choices].join(" ");
  const request = { caller: callerOf(ctx), key, requestFingerprint };
  const { id, reserved } = await reserveOnce(ctx, request, (once) =>
    inTransaction(once, (tx) => insertUpload(tx, upload)),
  );
  return { id, attempt: reserved?.attempt ?? (await restartUpload(ctx, { id, audienceId })) };
}

/**
 * Keeps the hash of the form that an upload arrived with, or compares that of a repetition with it, which gets the
 * refusal of the first if its files were too large. Throws `idempotency_conflict` when a repetition sent other files.
 */
export async function compareUpload(
  ctx: Ctx<PublisherActor>,
  { key, refusal, ...read }: ReadContent<UploadId> & { key: string | undefined },
): Promise<DomainError | undefined> {
  // What was unavailable may be sent again, and is then another attempt.
  const kept = refusal?.code === "too_large" ? refusal : undefined;
  return compareContent(ctx, { caller: callerOf(ctx), key }, { ...read, refusal: kept });
}

function callerOf({ actor }: Ctx<PublisherActor>): string {
  return `upload:${actor.accountId}`;
}

/**
 * Returns the next attempt, and undefined when the upload is running or finished. Of several concurrent requests one
 * restarts it.
 */
async function restartUpload(
  ctx: Ctx<PublisherActor>,
  { id, audienceId }: { id: UploadId; audienceId: AudienceId },
): Promise<number | undefined> {
  return inTransaction(ctx, async (tx) => {
    // As the row of a new upload does by its reference: blocks of ended uploads are deleted while none is running.
    await requireUnarchivedAudience(tx, audienceId, { isLocked: true });
    const [restarted] = await tx.db
      .update(audienceUploads)
      .set({
        ...emptyReport,
        status: "running",
        attempt: sql`${audienceUploads.attempt} + 1`,
        error: null,
        finishedAt: null,
        heartbeatAt: tx.clock(),
      })
      .where(
        and(
          eq(audienceUploads.id, id),
          eq(audienceUploads.publisherId, tx.actor.accountId),
          eq(audienceUploads.status, "failed"),
          or(like(audienceUploads.error, `%${retryHint}`), like(audienceUploads.error, `%${retryLaterHint}`)),
        ),
      )
      .returning({ attempt: audienceUploads.attempt });
    return restarted?.attempt;
  });
}

/** An empty report. */
const emptyReport = {
  files: [],
  rowsRead: 0,
  rowsBlank: 0,
  rowsInvalid: 0,
  rowsOptedOut: 0,
  optOuts: [],
  invalidByReason: {},
  problems: [],
  droppedColumns: [],
  notes: [],
};

/** Inserts the upload. The statement that people who opted out are imported is recorded in the audit trail. */
async function insertUpload(
  ctx: Ctx<PublisherActor>,
  { audienceId, mode, includesOptOuts = false, consent }: NewUpload,
): Promise<UploadAttempt> {
  const [id, attempt] = [newId<UploadId>(), 1];
  // An audience that is being archived, or whose account is being closed, is seen as archived.
  await requireUnarchivedAudience(ctx, audienceId, { isLocked: true });
  if (consent) await updateAudience(ctx, { id: audienceId, changes: splitConsent(consent).others });
  await ctx.db.insert(audienceUploads).values({
    id,
    attempt,
    audienceId,
    publisherId: ctx.actor.accountId,
    mode,
    includesOptOuts,
    createdAt: ctx.clock(),
    createdBy: ctx.actor.userId,
    heartbeatAt: ctx.clock(),
  });
  if (includesOptOuts) {
    await recordAudit(ctx, {
      action: "audience.opt_outs_included",
      entity: "audience",
      entityId: audienceId,
      accountId: ctx.actor.accountId,
      after: { upload_id: id, include_opt_outs: true },
    });
  }
  return { id, attempt };
}

/**
 * Throws the same errors as `reserveUpload`, before any file is read. With `isLocked` the audience stays as it is until
 * the caller's transaction ends.
 */
export async function requireUnarchivedAudience(
  ctx: Ctx<PublisherActor>,
  audienceId: AudienceId,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<void> {
  const own = ctx.db
    .select({ status: audiences.status })
    .from(audiences)
    .where(and(eq(audiences.id, audienceId), eq(audiences.publisherId, ctx.actor.accountId)));
  const [audience] = await (isLocked ? own.for("key share") : own);
  if (!audience) throw notFound("Audience");
  if (audience.status === "archived") {
    throw new DomainError("invalid_transition", "Archived audiences don't accept uploads");
  }
}
