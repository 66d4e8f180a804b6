import { and, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { describeApiEnd } from "#app/outbound/service-apis.ts";
import { productImports, productStores } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { StoreId } from "../../ids.ts";
import { maxStores } from "./store.ts";

/** The columns of a store that are shown, without its credentials. */
const storeColumns = {
  id: productStores.id,
  kind: productStores.kind,
  name: productStores.name,
  storeUrl: productStores.storeUrl,
  frequency: productStores.frequency,
  deriveSku: productStores.deriveSku,
  defaultCategory: productStores.defaultCategory,
  problem: productStores.problem,
  checkedAt: productStores.checkedAt,
  nextSyncAt: productStores.nextSyncAt,
};

export type Store = Awaited<ReturnType<typeof listStores>>[number];

/** Lists the account's connected stores, each with its last sync. */
export async function listStores(ctx: Ctx<TenantActor>) {
  return selectStores(ctx);
}

/** Returns one of them. Throws `not_found`. */
export async function getStore(ctx: Ctx<TenantActor>, id: StoreId): Promise<Store> {
  const [store] = await selectStores(ctx, eq(productStores.id, id));
  if (!store) throw notFound("Store");
  return store;
}

async function selectStores(ctx: Ctx<TenantActor>, where?: SQL) {
  const last = ctx.db
    .select({
      id: productImports.id,
      status: productImports.status,
      created: productImports.created,
      updated: productImports.updated,
      unchanged: productImports.unchanged,
      rejected: productImports.rejected,
      rowsRead: productImports.rowsRead,
      error: productImports.error,
      createdAt: productImports.createdAt,
      finishedAt: productImports.finishedAt,
    })
    .from(productImports)
    .where(and(eq(productImports.storeId, productStores.id), eq(productImports.accountId, ctx.actor.accountId)))
    .orderBy(desc(productImports.id))
    .limit(1)
    .as("last");
  const stores = await ctx.db
    .select({
      ...storeColumns,
      last: {
        id: last.id,
        status: last.status,
        created: last.created,
        updated: last.updated,
        unchanged: last.unchanged,
        rejected: last.rejected,
        rowsRead: last.rowsRead,
        error: last.error,
        createdAt: last.createdAt,
        finishedAt: last.finishedAt,
      },
    })
    .from(productStores)
    .leftJoinLateral(last, sql`true`)
    .where(and(eq(productStores.accountId, ctx.actor.accountId), isNotNull(productStores.credential), where))
    .orderBy(productStores.kind, productStores.id)
    .limit(maxStores);
  const now = ctx.clock();
  return stores.map((store) => ({
    ...store,
    apiEnd: store.kind === "feed" ? undefined : describeApiEnd(store.kind, now),
  }));
}
