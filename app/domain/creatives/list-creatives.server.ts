import { and, asc, desc, eq, sql } from "drizzle-orm";
import { storageQuota } from "#app/storage/storage.server.ts";
import { creatives } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { limitOf, type PageRequest, pageOf, readCursor } from "../page.ts";
import { creativeColumns, toCreative } from "./creative-rows.server.ts";
import { countStored } from "./keep-creatives.server.ts";

/** The account's creatives, newest first. */
export async function listCreatives(ctx: Ctx<TenantActor>, input: PageRequest) {
  const limit = limitOf(input);
  const position = input.cursor ? readCursor(input.cursor) : undefined;
  const down = position?.direction !== "before";
  const rows = await ctx.db
    .select({ ...creativeColumns, createdAt: creatives.createdAt })
    .from(creatives)
    .where(
      and(
        eq(creatives.accountId, ctx.actor.accountId),
        position && sql`${creatives.id} ${sql.raw(down ? "<" : ">")} ${position.id}::uuid`,
      ),
    )
    .orderBy(down ? desc(creatives.id) : asc(creatives.id))
    .limit(limit + 1);
  const page = pageOf(rows, { limit, position, place: (row) => ({ value: null, id: row.id }) });
  return { ...page, rows: page.rows.map(({ createdAt, ...row }) => ({ ...toCreative(row), createdAt })) };
}

/** What the account's creatives take and may take, in bytes. */
export async function measureStorage(ctx: Ctx<TenantActor>): Promise<{ files: number; bytes: number; quota: number }> {
  return { ...(await countStored(ctx)), quota: storageQuota() };
}
