import { and, eq, ilike, sql } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import type { PageRequest } from "../page.ts";
import { likePattern } from "../search.ts";
import { type SortOrder, sortedPage } from "../sorted-page.server.ts";

const byName: SortOrder = { by: sql`${accounts.companyName}`, type: "text", descending: false };

/** Lists by name the advertisers that allow publishers to create campaigns for them. */
export async function listAdvertisers(ctx: Ctx<PublisherActor>, input: PageRequest & { q?: string }) {
  const keyset = sortedPage(input, { order: byName, id: accounts.id });
  const rows = await ctx.db
    .select({ id: accounts.id, companyName: accounts.companyName, sortValue: keyset.sortValue })
    .from(accounts)
    .where(
      and(
        eq(accounts.type, "advertiser"),
        eq(accounts.status, "approved"),
        eq(accounts.allowsManagedCampaigns, true),
        input.q ? ilike(accounts.companyName, likePattern(input.q)) : undefined,
        keyset.where,
      ),
    )
    .orderBy(...keyset.orderBy)
    .limit(keyset.limit);
  const page = keyset.page(rows);
  return { ...page, rows: page.rows.map(({ id, companyName }) => ({ id, companyName })) };
}
