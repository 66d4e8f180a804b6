import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import { apiKeys } from "#db/schema/index.ts";
import type { Ctx, OperatorActor, TenantActor } from "../context.ts";
import { limitOf, type PageRequest, pageOf, readCursor } from "../page.ts";

/** The keys that are not revoked, newest first: the account's, or the operators'. */
export async function listApiKeys(ctx: Ctx<TenantActor | OperatorActor>, input: PageRequest) {
  const limit = limitOf(input);
  const position = input.cursor ? readCursor(input.cursor) : undefined;
  const down = position?.direction !== "before";
  const rows = await ctx.db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      prefix: apiKeys.prefix,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .where(
      and(
        ctx.actor.kind === "operator" ? isNull(apiKeys.accountId) : eq(apiKeys.accountId, ctx.actor.accountId),
        isNull(apiKeys.revokedAt),
        position && sql`${apiKeys.id} ${sql.raw(down ? "<" : ">")} ${position.id}::uuid`,
      ),
    )
    .orderBy(down ? desc(apiKeys.id) : asc(apiKeys.id))
    .limit(limit + 1);
  return pageOf(rows, { limit, position, place: (row) => ({ value: null, id: row.id }) });
}

export type ListedApiKey = Awaited<ReturnType<typeof listApiKeys>>["rows"][number];
