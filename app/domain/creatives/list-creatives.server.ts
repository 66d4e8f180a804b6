import { and, eq, ilike } from "drizzle-orm";
import { storageQuota } from "#app/storage/storage.server.ts";
import { creatives } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { newestFirst } from "../newest-first.server.ts";
import type { PageRequest } from "../page.ts";
import { likePattern } from "../search.ts";
import type { CreativeType } from "./creative.ts";
import { creativeColumns, toCreative } from "./creative-rows.server.ts";
import { countStored } from "./keep-creatives.server.ts";

/** `q` is searched for in names. */
export type CreativeFilter = { q?: string; type?: CreativeType };

/** The account's creatives that the filter finds, newest first. */
export async function listCreatives(ctx: Ctx<TenantActor>, input: PageRequest & CreativeFilter) {
  const newest = newestFirst(input, creatives.id);
  const rows = await ctx.db
    .select({ ...creativeColumns, createdAt: creatives.createdAt })
    .from(creatives)
    .where(and(whereCreatives(ctx, input), newest.beyond))
    .orderBy(newest.order)
    .limit(newest.most);
  const page = newest.page(rows);
  return { ...page, rows: page.rows.map(({ createdAt, ...row }) => ({ ...toCreative(row), createdAt })) };
}

/** How many of the account's creatives the filter finds. */
export async function countCreatives(ctx: Ctx<TenantActor>, filter: CreativeFilter): Promise<number> {
  return ctx.db.$count(creatives, whereCreatives(ctx, filter));
}

/** Names are compared one by one: an account has 10,000 at most, which its own index finds. */
function whereCreatives(ctx: Ctx<TenantActor>, { q, type }: CreativeFilter) {
  return and(
    eq(creatives.accountId, ctx.actor.accountId),
    q ? ilike(creatives.name, likePattern(q)) : undefined,
    type ? eq(creatives.type, type) : undefined,
  );
}

/** What the account's creatives take and may take, in bytes. */
export async function measureStorage(ctx: Ctx<TenantActor>): Promise<{ files: number; bytes: number; quota: number }> {
  return { ...(await countStored(ctx)), quota: storageQuota() };
}
