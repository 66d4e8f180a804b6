import { and, eq } from "drizzle-orm";
import { storageQuota } from "#app/storage/storage.server.ts";
import { creatives } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { newestFirst } from "../newest-first.server.ts";
import type { PageRequest } from "../page.ts";
import { creativeColumns, toCreative } from "./creative-rows.server.ts";
import { countStored } from "./keep-creatives.server.ts";

/** The account's creatives, newest first. */
export async function listCreatives(ctx: Ctx<TenantActor>, input: PageRequest) {
  const newest = newestFirst(input, creatives.id);
  const rows = await ctx.db
    .select({ ...creativeColumns, createdAt: creatives.createdAt })
    .from(creatives)
    .where(and(eq(creatives.accountId, ctx.actor.accountId), newest.beyond))
    .orderBy(newest.order)
    .limit(newest.most);
  const page = newest.page(rows);
  return { ...page, rows: page.rows.map(({ createdAt, ...row }) => ({ ...toCreative(row), createdAt })) };
}

/** What the account's creatives take and may take, in bytes. */
export async function measureStorage(ctx: Ctx<TenantActor>): Promise<{ files: number; bytes: number; quota: number }> {
  return { ...(await countStored(ctx)), quota: storageQuota() };
}
