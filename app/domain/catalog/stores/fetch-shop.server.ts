import { and, eq } from "drizzle-orm";
import { productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { ImportId } from "../../ids.ts";
import { reportError } from "../../report-error.ts";
import { stoppingImports } from "../../running-imports.server.ts";
import { type ImportField, importFieldLabels, importFields } from "../imports/catalog-import.ts";
import { commitStaged } from "../imports/commit-import.server.ts";
import { failImport, getImportRow, type ImportRow, keepImportAlive, ownImport } from "../imports/import-rows.server.ts";
import { ProductCollector } from "../imports/reading/product-collector.ts";
import { storePage } from "../imports/store-page.server.ts";
import { openShop } from "./connectors/open-shop.server.ts";
import { ShopError } from "./connectors/shop-connector.ts";
import { wordsOfStoreProblem } from "./store.ts";
import { getStoreRow, noteStore } from "./store-rows.server.ts";

/** What passes by itself is tried again so often, each time a minute later than the last. */
const mostTries = 6;
const minute = 60_000;
/** More is no shop, or one that never ends. */
const mostProducts = 250_000;

/** Fetches a shop from where its import stands, page by page, and takes all of it into the catalogue. Never throws. */
export async function fetchShop(ctx: Ctx<TenantActor>, { id }: { id: ImportId }): Promise<void> {
  const stopBeating = keepImportAlive(ctx, id);
  try {
    const row = await getImportRow(ctx, id);
    if (await readPages(ctx, row)) await commitStaged(ctx, { id });
  } catch (error) {
    const facts = { work: "fetch_store", importId: id } as const;
    if (!(error instanceof ShopError || isGone(error))) reportError(ctx, error, facts);
    await end(ctx, id, error).catch((ending: unknown) => reportError(ctx, ending, { ...facts, step: "ending" }));
  } finally {
    stopBeating();
  }
}

/** False when the server stops in between: another process goes on from there. */
async function readPages(ctx: Ctx<TenantActor>, row: ImportRow): Promise<boolean> {
  const { id, storeId } = row;
  if (!storeId) throw new Error("a sync has a shop");
  const shop = openShop(await getStoreRow(ctx, storeId));
  const { deriveSku, defaultCategory, rowsRead, skipped, rejected, warned, derivedSkus, defaultCategories } = row;
  const staged = rowsRead - skipped - rejected;
  const rules = { options: { deriveSku, defaultCategory }, priceStyle: "dot" as const, isShopExport: true };
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
    if (stoppingImports().aborted) {
      await leaveToOthers(ctx, id, new Date(0));
      return false;
    }
    const page = await shop.readPage(cursor);
    for (let count = 0; count < page.skipped; count += 1) collector.skip();
    for (const product of page.products) collector.take(product, { row: collector.counts.rowsRead + 1 });
    cursor = page.next;
    await storePage(ctx, { id, collector, cursor, readColumns: allFields });
    if (collector.counts.rowsRead > mostProducts || (cursor !== undefined && seen.has(cursor))) {
      throw new ShopError("unreadable");
    }
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  await noteStore(ctx, storeId, null);
  return true;
}

/** A shop says something of everything. */
const allFields: Partial<Record<ImportField, string[]>> = Object.fromEntries(
  importFields.map((field) => [field, [importFieldLabels[field]]]),
);

async function end(ctx: Ctx<TenantActor>, id: ImportId, error: unknown): Promise<void> {
  const { storeId, tries, fileName } = await getImportRow(ctx, id);
  if (error instanceof ShopError && storeId) {
    await noteStore(ctx, storeId, error.problem);
    const passes = error.problem === "busy" || error.problem === "unreachable";
    if (passes && tries + 1 < mostTries) {
      await ctx.db
        .update(productImports)
        .set({ tries: tries + 1 })
        .where(ownImport(ctx, id));
      return leaveToOthers(ctx, id, new Date(ctx.clock().getTime() + tries * minute));
    }
    const message = `${fileName ?? "The shop"} ${wordsOfStoreProblem(error.problem)}. The catalog is as it was.`;
    return failImport(ctx, { id, message });
  }
  const message = isGone(error)
    ? "The shop was disconnected in the meantime. The catalog is as it was."
    : "Something went wrong on our side; the catalog is as it was. The next sync tries again.";
  await failImport(ctx, { id, message });
}

function isGone(error: unknown): boolean {
  return error instanceof DomainError && error.code === "not_found";
}

/** The job that looks for syncs without a process takes it up a minute after this time. */
async function leaveToOthers(ctx: Ctx<TenantActor>, id: ImportId, aliveAt: Date): Promise<void> {
  await ctx.db
    .update(productImports)
    .set({ aliveAt })
    .where(and(ownImport(ctx, id), eq(productImports.status, "running")));
}
