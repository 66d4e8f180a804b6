import { Readable } from "node:stream";
import { shutdownSignal } from "#app/domain/background-tasks.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import type { StoreId } from "#app/domain/ids.ts";
import type { ReceivedFile } from "#app/domain/received-file.ts";
import { reportError } from "#app/domain/report-error.ts";
import { productImports } from "#db/schema/index.ts";
import { type ImportField, importFieldLabels, importFields, importLimits } from "../imports/catalog-import.ts";
import { commitStaged } from "../imports/commit-import.server.ts";
import {
  dropImportData,
  failImport,
  getImportRow,
  ImportEndedError,
  type ImportRow,
  type ImportRun,
  startImportHeartbeat,
  storeInRun,
  updateRunning,
  whereRuns,
} from "../imports/import-rows.server.ts";
import { ProductCollector } from "../imports/parsing/product-collector.ts";
import { stageImport } from "../imports/stage-import.server.ts";
import { stageStorePage } from "../imports/stage-store-page.server.ts";
import { storeImportFile } from "../imports/store-import-file.server.ts";
import { fetchFeed } from "./connectors/fetch-feed.server.ts";
import { createStoreConnector, openStoreCredential } from "./connectors/open-store-connector.server.ts";
import { type StoreConnector, StoreConnectorError } from "./connectors/store-connector.ts";
import { describeStoreProblem, disconnectedDuringSync, uploadStoreInParts } from "./store.ts";
import { getStoreRow, recordStoreCheck, requireConnected, type StoreRow } from "./store-rows.server.ts";

/**
 * The number of attempts where the store fails temporarily or the process dies; after a failure each waits a minute
 * longer than the last.
 */
export const maxAttempts = 6;
/** The heartbeat of a sync whose process stopped in order, which is no failed attempt. */
export const releasedAt = new Date(0);
const minute = 60_000;

/**
 * Fetches a store's products page by page from the import's cursor and commits them to the catalog. A sync that was
 * ended meanwhile, or that another process continues, stays as it is. Never throws.
 */
export async function fetchStoreProducts(ctx: Ctx<TenantActor>, { id, run }: ImportRun): Promise<void> {
  const stopHeartbeat = startImportHeartbeat(ctx, { id, run });
  try {
    const row = { ...(await getImportRow(ctx, id)), run };
    const store = await getStoreRow(ctx, requireStoreId(row));
    const credential = openStoreCredential(store);
    if (credential.kind === "feed") await importFeed(ctx, { row, store, url: credential.url });
    else if (
      isReadCompletely(row) ||
      (await readPages(ctx, { row, connector: createStoreConnector(store.storeUrl, credential, "job") }))
    )
      await commitStaged(ctx, { id, run });
  } catch (error) {
    if (error instanceof ImportEndedError) return;
    // The server shuts down during the download of a feed; another process downloads it again.
    const { aborted, reason } = shutdownSignal();
    if (aborted && (error === reason || error instanceof StoreConnectorError))
      return await releaseSync(ctx, { id, run }, releasedAt);
    const facts = { work: "fetch_store", importId: id } as const;
    if (!(error instanceof StoreConnectorError || isDisconnected(error))) reportError(ctx, error, facts);
    await failOrRetry(ctx, { id, run }, error).catch((failure: unknown) =>
      reportError(ctx, failure, { ...facts, step: "ending" }),
    );
  } finally {
    stopHeartbeat();
  }
}

/** Whether a sync was interrupted after its last page, before its products were committed. */
function isReadCompletely({ rowsRead, cursor }: ImportRow): boolean {
  return rowsRead > 0 && cursor === null;
}

/** Returns false when the server shuts down; another process resumes the sync from the stored cursor. */
async function readPages(
  ctx: Ctx<TenantActor>,
  { row, connector }: { row: ImportRow; connector: StoreConnector },
): Promise<boolean> {
  const { id, run } = row;
  const { deriveSku, defaultCategory, rowsRead, skipped, rejected, warned, derivedSkus, defaultCategories } = row;
  const staged = rowsRead - skipped - rejected;
  const rules = {
    options: { deriveSku, defaultCategory, imageBase: null },
    decimalSeparator: "dot" as const,
    isShopExport: true,
  };
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
      await releaseSync(ctx, { id, run }, releasedAt);
      return false;
    }
    await requireConnected(ctx, requireStoreId(row));
    const page = await connector.readPage(cursor);
    for (let count = 0; count < page.skipped; count += 1) collector.skip();
    for (const product of page.products) collector.add(product, { row: collector.counts.rowsRead + 1 });
    cursor = page.next;
    await stageStorePage(ctx, { id, run, collector, cursor, readColumns: allFields });
    // Also ends the sync of a faulty store whose pages never end.
    if (collector.counts.rowsRead > importLimits.rows) throw new StoreConnectorError("too_large");
    if (cursor !== undefined && seen.has(cursor)) throw new StoreConnectorError("unexpected_response");
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  await recordStoreCheck(ctx, requireStoreId(row), null);
  return true;
}

function requireStoreId({ id, storeId }: ImportRow): StoreId {
  if (!storeId) throw new Error(`product_imports row has no store_id: ${id}`);
  return storeId;
}

/**
 * Downloads a feed's file and imports it like an uploaded one. A file that is interrupted is downloaded again. Throws
 * a StoreConnectorError when it can't be downloaded; why it can't be read is in the import.
 */
async function importFeed(
  ctx: Ctx<TenantActor>,
  { row: { id, run }, store, url }: { row: ImportRow; store: StoreRow; url: string },
): Promise<void> {
  await storeInRun(ctx, { id, run }, (tx) => dropImportData(tx, id));
  const file = {
    name: store.name,
    stream: Readable.from(fetchFeed(url, { stopping: shutdownSignal() })),
    isTruncated: () => false,
  };
  const stored = await storeImportFile(ctx, { id, run }, oneFile(file)).catch((error: unknown) => {
    if (!(error instanceof FileRejectedError)) throw error;
    throw new StoreConnectorError(error.tooLarge ? "too_large" : "not_a_feed");
  });
  await updateRunning(ctx, { id, run }, stored);
  await stageImport(ctx, { id, run });
  await recordStoreCheck(ctx, store.id, null);
}

async function* oneFile(file: ReceivedFile) {
  yield file;
}

/** A store returns all fields. */
const allFields: Partial<Record<ImportField, string[]>> = Object.fromEntries(
  importFields.map((field) => [field, [importFieldLabels[field]]]),
);

async function failOrRetry(ctx: Ctx<TenantActor>, { id, run }: ImportRun, error: unknown): Promise<void> {
  const { storeId, attempts, fileName, run: newest } = await getImportRow(ctx, id);
  if (newest !== run) return;
  if (error instanceof StoreConnectorError && storeId) {
    await recordStoreCheck(ctx, storeId, error.problem);
    const isTemporary = ["rate_limited", "unreachable", "timed_out"].includes(error.problem);
    if (isTemporary && attempts + 1 < maxAttempts) {
      const heartbeatAt = new Date(ctx.clock().getTime() + attempts * minute);
      return releaseSync(ctx, { id, run }, heartbeatAt);
    }
    const advice = error.problem === "too_large" ? ` ${uploadStoreInParts}` : "";
    const message = `${fileName ?? "The store"} ${describeStoreProblem(error.problem)}.${advice} Your catalog was not changed.`;
    return failImport(ctx, { id, run, message });
  }
  const message = isDisconnected(error)
    ? disconnectedDuringSync
    : "Something went wrong on our side. Your catalog was not changed. The next sync tries again.";
  await failImport(ctx, { id, run, message });
}

function isDisconnected(error: unknown): boolean {
  return error instanceof DomainError && error.code === "not_found";
}

/** The job that resumes abandoned syncs picks it up a minute after `heartbeatAt`. */
async function releaseSync(ctx: Ctx<TenantActor>, run: ImportRun, heartbeatAt: Date): Promise<void> {
  await ctx.db.update(productImports).set({ heartbeatAt }).where(whereRuns(ctx, run));
}
