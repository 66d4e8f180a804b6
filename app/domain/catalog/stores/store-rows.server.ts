import { and, eq, isNotNull } from "drizzle-orm";
import { productStores } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { StoreId } from "../../ids.ts";
import type { StoreProblem } from "./store.ts";

export type StoreRow = typeof productStores.$inferSelect;

/** One of the account's shops while it is connected. */
export function ownStore(ctx: Ctx<TenantActor>, id: StoreId) {
  return and(
    eq(productStores.id, id),
    eq(productStores.accountId, ctx.actor.accountId),
    isNotNull(productStores.credential),
  );
}

/** Throws `not_found`. */
export async function getStoreRow(ctx: Ctx<TenantActor>, id: StoreId): Promise<StoreRow> {
  const [row] = await ctx.db.select().from(productStores).where(ownStore(ctx, id));
  if (!row) throw notFound("Store");
  return row;
}

/** Keeps what came of the last request, so that a shop's state is shown as it is. */
export async function noteStore(ctx: Ctx<TenantActor>, id: StoreId, problem: StoreProblem | null): Promise<void> {
  await ctx.db.update(productStores).set({ problem, checkedAt: ctx.clock() }).where(ownStore(ctx, id));
}
