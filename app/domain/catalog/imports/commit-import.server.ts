import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { runInBackground } from "#app/domain/background-tasks.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { productImports, products } from "#db/schema/index.ts";
import { lockOpenAccount } from "../../accounts/require-open-account.server.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { reserveOnce } from "../../idempotency/reserve-once.server.ts";
import type { ImportId } from "../../ids.ts";
import { reportError } from "../../report-error.ts";
import { inLongTransaction } from "../../transaction.server.ts";
import { requireConnected } from "../stores/store-rows.server.ts";
import { importFieldLabels } from "./catalog-import.ts";
import {
  dropImportData,
  failImport,
  getImportRow,
  ImportEndedError,
  type ImportRun,
  notInPreview,
  startImportHeartbeat,
  updateRunning,
  whereOwnImport,
} from "./import-rows.server.ts";
import { differsFromProduct, mappedColumns, stagedRows } from "./staged-rows.server.ts";

/** How long a response waits for the background work, in milliseconds. */
const responseWaitMs = 2_000;

/**
 * Commits a previewed import to the catalog; continues in the background after the response when it takes long. A
 * repetition with the same idempotency key changes nothing. Throws `not_found`, and `invalid_transition` when the
 * import is not in preview or lacks a column.
 */
export async function commitImport(
  ctx: Ctx<TenantActor>,
  { id, key }: { id: ImportId; key?: string | undefined },
): Promise<{ isNew: boolean }> {
  const request = { caller: `account:${ctx.actor.accountId}`, key, requestFingerprint: `commit import ${id}` };
  const { reserved } = await reserveOnce(ctx, request, (once) => startCommit(once, id));
  if (!reserved) return { isNew: false };
  const { run } = reserved;
  const facts = { work: "commit_import", importId: id } as const;
  const work = async () => {
    const stopHeartbeat = startImportHeartbeat(ctx, { id, run });
    try {
      await commitStaged(ctx, { id, run });
    } catch (error) {
      if (error instanceof ImportEndedError) return;
      reportError(ctx, error, facts);
      const message = "Something went wrong on our side. Your catalog was not changed. Upload the file again.";
      await failImport(ctx, { id, run, message }).catch((failure: unknown) =>
        reportError(ctx, failure, { ...facts, step: "ending" }),
      );
    } finally {
      stopHeartbeat();
    }
  };
  await Promise.race([runInBackground(ctx, facts, work), sleep(responseWaitMs)]);
  return { isNew: true };
}

async function startCommit(ctx: Ctx<TenantActor>, id: ImportId): Promise<ImportRun> {
  const { missingFields } = await getImportRow(ctx, id);
  const [missing] = missingFields;
  if (missing) throw new DomainError("invalid_transition", `Choose a column for ${importFieldLabels[missing]} first`);
  const [started] = await ctx.db
    .update(productImports)
    .set({ status: "running", commitRequested: true, finishedAt: null, heartbeatAt: ctx.clock() })
    .where(and(whereOwnImport(ctx, id), eq(productImports.status, "previewed")))
    .returning({ id: productImports.id, run: productImports.run });
  if (!started) throw await notInPreview(ctx, id);
  return started;
}

const writtenRow = z.object({ products: z.coerce.number(), created: z.coerce.number(), changed: z.coerce.number() });

/**
 * Commits all staged rows or none, in one statement: a product with a known SKU is updated where the file differs, a
 * new SKU becomes a new product. Rows are written in the order of SKUs, so that two concurrent imports do not deadlock.
 * (Only a store that was read in two runs can contain a SKU twice; the later row wins.) Throws `not_found` when the
 * store of a sync was disconnected, and an ImportEndedError.
 */
export async function commitStaged(ctx: Ctx<TenantActor>, { id, run }: ImportRun): Promise<void> {
  await inLongTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    if (!(await lockOpenAccount(tx, accountId))) throw new ImportEndedError();
    const row = await getImportRow(tx, id);
    const now = tx.clock().toISOString();
    const columns = mappedColumns(row);
    const changes = sql.raw(columns.map((column) => `${column} = excluded.${column}`).join(", "));
    const query = sql`
      with chosen as materialized (
        select distinct on (staged.sku) staged.* from ${stagedRows(id)} order by staged.sku, staged.row desc
      ), written as (
        insert into ${products} (id, account_id, sku, name, category, price_cents, description, inventory, image_url, brand, group_key, listing_status, created_at, updated_at)
        select id, ${accountId}::uuid, sku, name, category, price_cents, description, inventory, image_url, brand, group_key, listing_status,
          ${now}::timestamptz, ${now}::timestamptz
        from chosen order by sku
        on conflict (account_id, sku) do update set ${changes}, updated_at = excluded.updated_at
          where ${differsFromProduct(columns, "excluded")}
        returning (xmax = 0) as is_new
      )
      select (select count(*) from chosen) as products, count(*) filter (where is_new) as created,
        count(*) filter (where not is_new) as changed
      from written`;
    const [written] = await queryRows(tx.db, writtenRow, query);
    if (!written) throw new Error(`counting the written products returned no row: ${id}`);
    // A sync of many pages may have taken minutes.
    if (row.storeId) await requireConnected(tx, row.storeId);
    const { products: all, created, changed } = written;
    const updated = all - created;
    const counts = { created, updated, unchanged: updated - changed };
    await updateRunning(tx, { id, run }, { ...counts, status: "succeeded", finishedAt: tx.clock() });
    await dropImportData(tx, id);
    await recordAudit(tx, {
      action: "products.imported",
      entity: "product_import",
      entityId: id,
      accountId,
      after: { file: row.fileName, ...counts, rejected: row.rejected },
    });
  });
}
