import { and, desc, eq, inArray } from "drizzle-orm";
import { requireOpenAccount } from "#app/domain/accounts/require-open-account.server.ts";
import type { ColumnMapping, FileLayout } from "#app/domain/audiences/files/column-uses.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { notFound } from "#app/domain/errors.ts";
import type { AudienceId, UploadId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { audienceColumnMappings } from "#db/schema/index.ts";
import { getUpload } from "./get-upload.server.ts";

/** The layouts that an account's mappings are remembered for; the one changed first is dropped for another. */
const maxColumnMappings = 200;

/** A file of an upload; `file` counts from 0. */
type FileOfUpload = { uploadId: UploadId; file: number };

/** Returns the account's mappings by the keys of their layouts. */
export async function loadColumnMappings(ctx: Ctx<PublisherActor>): Promise<Record<string, ColumnMapping>> {
  const rows = await ctx.db
    .select({ layout: audienceColumnMappings.layout, mapping: audienceColumnMappings.mapping })
    .from(audienceColumnMappings)
    .where(eq(audienceColumnMappings.publisherId, ctx.actor.accountId))
    .orderBy(desc(audienceColumnMappings.changedAt))
    .limit(maxColumnMappings);
  return Object.fromEntries(rows.map(({ layout, mapping }) => [layout, mapping]));
}

/**
 * Returns a file's columns as they were read, and the mapping that is saved for its layout now. Throws `not_found`,
 * also for a file whose columns are unknown, and for the data of an integration.
 */
export async function getFileLayout(
  ctx: Ctx<PublisherActor>,
  { uploadId, file }: FileOfUpload,
): Promise<{
  audienceId: AudienceId;
  audienceName: string;
  fileName: string;
  layout: FileLayout;
  saved?: ColumnMapping;
}> {
  const { audienceId, audienceName, source, files } = await getUpload(ctx, uploadId);
  const { name: fileName, layout } = files[file] ?? {};
  if (!layout || fileName === undefined || source !== "file") throw notFound("File");
  const saved = (await loadColumnMappings(ctx))[layout.key];
  return { audienceId, audienceName, fileName, layout, ...(saved && { saved }) };
}

/**
 * Saves how the columns of files with this layout are read from the next upload on. Throws `not_found`, and
 * `invalid_transition` when the account is closed.
 */
export async function saveColumnMapping(
  ctx: Ctx<PublisherActor>,
  { mapping, ...place }: FileOfUpload & { mapping: ColumnMapping },
): Promise<void> {
  const { audienceId, layout } = await getFileLayout(ctx, place);
  const { accountId } = ctx.actor;
  const changed = { mapping, changedAt: ctx.clock() };
  await inTransaction(ctx, async (tx) => {
    await requireOpenAccount(tx, accountId);
    await tx.db
      .insert(audienceColumnMappings)
      .values({ publisherId: accountId, layout: layout.key, ...changed })
      .onConflictDoUpdate({
        target: [audienceColumnMappings.publisherId, audienceColumnMappings.layout],
        set: changed,
      });
    const surplus = tx.db
      .select({ layout: audienceColumnMappings.layout })
      .from(audienceColumnMappings)
      .where(eq(audienceColumnMappings.publisherId, accountId))
      .orderBy(desc(audienceColumnMappings.changedAt))
      .offset(maxColumnMappings);
    await tx.db
      .delete(audienceColumnMappings)
      .where(and(eq(audienceColumnMappings.publisherId, accountId), inArray(audienceColumnMappings.layout, surplus)));
    // Names are not unique in a file, so the columns are a list.
    const columns = layout.columns.map(({ name, detected }, index) => {
      const use = mapping.columns[index] ?? detected;
      return { name, use, ...(use !== detected && { detected }) };
    });
    await recordAudit(tx, {
      action: "audience.columns_mapped",
      entity: "audience",
      entityId: audienceId,
      accountId,
      after: { upload_id: place.uploadId, columns, phone_country: mapping.phoneCountry },
    });
  });
}

/** Has the columns of files with this layout detected again from the next upload on. Throws `not_found`. */
export async function deleteColumnMapping(ctx: Ctx<PublisherActor>, place: FileOfUpload): Promise<void> {
  const { audienceId, layout } = await getFileLayout(ctx, place);
  const { accountId } = ctx.actor;
  await inTransaction(ctx, async (tx) => {
    const deleted = await tx.db
      .delete(audienceColumnMappings)
      .where(and(eq(audienceColumnMappings.publisherId, accountId), eq(audienceColumnMappings.layout, layout.key)))
      .returning({ layout: audienceColumnMappings.layout });
    if (deleted.length === 0) return;
    await recordAudit(tx, {
      action: "audience.columns_reset",
      entity: "audience",
      entityId: audienceId,
      accountId,
      after: { upload_id: place.uploadId },
    });
  });
}
