import { and, eq } from "drizzle-orm";
import { shutdownSignal } from "#app/domain/background-tasks.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { ImportId } from "#app/domain/ids.ts";
import { reportError } from "#app/domain/report-error.ts";
import { productImports } from "#db/schema/index.ts";
import { type ImportField, importFieldLabels, importFields } from "../imports/catalog-import.ts";
import { commitStaged } from "../imports/commit-import.server.ts";
import {
  failImport,
  getImportRow,
  type ImportRow,
  startImportHeartbeat,
  whereOwnImport,
} from "../imports/import-rows.server.ts";
import { ProductCollector } from "../imports/parsing/product-collector.ts";
import { stageStorePage } from "../imports/stage-store-page.server.ts";
import { openStoreConnector } from "./connectors/open-store-connector.server.ts";
import { StoreConnectorError } from "./connectors/store-connector.ts";
import { describeStoreProblem } from "./store.ts";
import { getStoreRow, recordStoreCheck } from "./store-rows.server.ts";

/** The number of attempts after temporary failures; each waits a minute longer than the last. */
const maxAttempts = 6;
const minute = 60_000;
/** A store with more products is treated as a faulty one whose pages never end. */
const maxProducts = 250_000;

/** Fetches a store's products page by page from the import's cursor and commits them to the catalog. Never throws. */
export async function fetchStoreProducts(ctx: Ctx<TenantActor>, { id }: { id: ImportId }): Promise<void> {
  const stopHeartbeat = startImportHeartbeat(ctx, id);
  try {
    const row = await getImportRow(ctx, id);
    if (await readPages(ctx, row)) await commitStaged(ctx, { id });
  } catch (error) {
    const facts = { work: "fetch_store", importId: id } as const;
    if (!(error instanceof StoreConnectorError || isDisconnected(error))) reportError(ctx, error, facts);
    await failOrRetry(ctx, id, error).catch((failure: unknown) =>
      reportError(ctx, failure, { ...facts, step: "ending" }),
    );
  } finally {
    stopHeartbeat();
  }
}

/** Returns false when the server shuts down; another process resumes the sync from the stored cursor. */
async function readPages(ctx: Ctx<TenantActor>, row: ImportRow): Promise<boolean> {
  const { id, storeId } = row;
  if (!storeId) throw new Error(`product_imports row has no store_id: ${id}`);
  const store = openStoreConnector(await getStoreRow(ctx, storeId));
  const { deriveSku, defaultCategory, rowsRead, skipped, rejected, warned, derivedSkus, defaultCategories } = row;
  const staged = rowsRead - skipped - rejected;
  const rules = { options: { deriveSku, defaultCategory }, decimalSeparator: "dot" as const, isShopExport: true };
  const collector = new ProductCollector(rules, {
    rowsRead,
    staged,
    skipped,
    rejected,
    warned,
    derivedSkus,
    defaultCategories,
  });
  const seen = new Set<string>();
  let cursor = row.cursor ?? undefined;
  do {
    if (shutdownSignal().aborted) {
      await releaseSync(ctx, id, new Date(0));
      return false;
    }
    const page = await store.readPage(cursor);
    for (let count = 0; count < page.skipped; count += 1) collector.skip();
    for (const product of page.products) collector.add(product, { row: collector.counts.rowsRead + 1 });
    cursor = page.next;
    await stageStorePage(ctx, { id, collector, cursor, readColumns: allFields });
    if (collector.counts.rowsRead > maxProducts || (cursor !== undefined && seen.has(cursor))) {
      throw new StoreConnectorError("unexpected_response");
    }
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  await recordStoreCheck(ctx, storeId, null);
  return true;
}

/** A store returns all fields. */
const allFields: Partial<Record<ImportField, string[]>> = Object.fromEntries(
  importFields.map((field) => [field, [importFieldLabels[field]]]),
);

async function failOrRetry(ctx: Ctx<TenantActor>, id: ImportId, error: unknown): Promise<void> {
  const { storeId, attempts, fileName } = await getImportRow(ctx, id);
  if (error instanceof StoreConnectorError && storeId) {
    await recordStoreCheck(ctx, storeId, error.problem);
    const isTemporary = error.problem === "rate_limited" || error.problem === "unreachable";
    if (isTemporary && attempts + 1 < maxAttempts) {
      await ctx.db
        .update(productImports)
        .set({ attempts: attempts + 1 })
        .where(whereOwnImport(ctx, id));
      return releaseSync(ctx, id, new Date(ctx.clock().getTime() + attempts * minute));
    }
    const message = `${fileName ?? "The store"} ${describeStoreProblem(error.problem)}. Your catalog was not changed.`;
    return failImport(ctx, { id, message });
  }
  const message = isDisconnected(error)
    ? "The store was disconnected during the sync. Your catalog was not changed."
    : "Something went wrong on our side. Your catalog was not changed. The next sync tries again.";
  await failImport(ctx, { id, message });
}

function isDisconnected(error: unknown): boolean {
  return error instanceof DomainError && error.code === "not_found";
}

/** The job that resumes abandoned syncs picks it up a minute after `heartbeatAt`. */
async function releaseSync(ctx: Ctx<TenantActor>, id: ImportId, heartbeatAt: Date): Promise<void> {
  await ctx.db
    .update(productImports)
    .set({ heartbeatAt })
    .where(and(whereOwnImport(ctx, id), eq(productImports.status, "running")));
}
