import { and, eq, isNull } from "drizzle-orm";
import { apiKeys } from "#db/schema/index.ts";
import type { Ctx, OperatorActor, TenantActor } from "../context.ts";
import { keysetPage } from "../keyset-page.server.ts";
import type { PageRequest } from "../page.ts";

/** Lists the account's or the operators' keys that are not revoked, newest first. */
export async function listApiKeys(ctx: Ctx<TenantActor | OperatorActor>, input: PageRequest) {
  const newest = keysetPage(input, apiKeys.id);
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
        newest.where,
      ),
    )
    .orderBy(newest.order)
    .limit(newest.limit);
  return newest.page(rows);
}

export type ListedApiKey = Awaited<ReturnType<typeof listApiKeys>>["rows"][number];
