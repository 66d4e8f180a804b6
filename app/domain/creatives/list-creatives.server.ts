import { and, eq, ilike } from "drizzle-orm";
import { creativeQuotaBytes } from "#app/storage/storage.server.ts";
import { creatives } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { keysetPage } from "../keyset-page.server.ts";
import type { PageRequest } from "../page.ts";
import { likePattern } from "../search.ts";
import type { CreativeType } from "./creative.ts";
import { creativeColumns, toCreative } from "./creative-rows.server.ts";
import { getCreativeUsage } from "./insert-creatives.server.ts";

/** `q` is searched in names. */
export type CreativeFilter = { q?: string; type?: CreativeType };

/** Lists the account's creatives that match the filter, newest first. */
export async function listCreatives(ctx: Ctx<TenantActor>, input: PageRequest & CreativeFilter) {
  const newest = keysetPage(input, creatives.id);
  const rows = await ctx.db
    .select({ ...creativeColumns, createdAt: creatives.createdAt })
    .from(creatives)
    .where(and(whereCreatives(ctx, input), newest.where))
    .orderBy(newest.order)
    .limit(newest.limit);
  const page = newest.page(rows);
  return { ...page, rows: page.rows.map(({ createdAt, ...row }) => ({ ...toCreative(row), createdAt })) };
}

/** Counts the account's creatives that match the filter. */
export async function countCreatives(ctx: Ctx<TenantActor>, filter: CreativeFilter): Promise<number> {
  return ctx.db.$count(creatives, whereCreatives(ctx, filter));
}

/** Names are compared row by row: an account has at most 10,000 creatives, which its index selects. */
function whereCreatives(ctx: Ctx<TenantActor>, { q, type }: CreativeFilter) {
  return and(
    eq(creatives.accountId, ctx.actor.accountId),
    q ? ilike(creatives.name, likePattern(q)) : undefined,
    type ? eq(creatives.type, type) : undefined,
  );
}

/** Returns the storage used by the account's creatives and their quota, in bytes. */
export async function getStorageUsage(ctx: Ctx<TenantActor>): Promise<{ files: number; bytes: number; quota: number }> {
  return { ...(await getCreativeUsage(ctx)), quota: creativeQuotaBytes() };
}
