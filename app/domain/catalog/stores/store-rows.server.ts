import { and, eq, isNotNull } from "drizzle-orm";
import { productStores } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { StoreId } from "../../ids.ts";
import { disconnectedDuringSync, type StoreProblem } from "./store.ts";

export type StoreRow = typeof productStores.$inferSelect;

/** The condition for one of the account's stores while it is connected. */
export function whereOwnStore(ctx: Ctx<TenantActor>, id: StoreId) {
  return and(
    eq(productStores.id, id),
    eq(productStores.accountId, ctx.actor.accountId),
    isNotNull(productStores.credential),
  );
}

/** Returns one of the account's connected stores. Throws `not_found`. */
export async function getStoreRow(ctx: Ctx<TenantActor>, id: StoreId): Promise<StoreRow> {
  const [row] = await ctx.db.select().from(productStores).where(whereOwnStore(ctx, id));
  if (!row) throw notFound("Store");
  return row;
}

/** Throws `not_found`, with the message for the report of a sync, when the store was disconnected. */
export async function requireConnected(ctx: Ctx<TenantActor>, id: StoreId): Promise<void> {
  if ((await ctx.db.$count(productStores, whereOwnStore(ctx, id))) > 0) return;
  throw new DomainError("not_found", disconnectedDuringSync);
}

/** Records the outcome of the last request, so that the store's status is shown. */
export async function recordStoreCheck(
  ctx: Ctx<TenantActor>,
  id: StoreId,
  problem: StoreProblem | null,
): Promise<void> {
  await ctx.db.update(productStores).set({ problem, checkedAt: ctx.clock() }).where(whereOwnStore(ctx, id));
}
