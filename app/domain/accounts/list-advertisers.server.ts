import { and, asc, desc, eq, ilike, sql } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { limitOf, type PageRequest, pageOf, readCursor } from "../page.ts";
import { likePattern } from "../search.ts";

/** The advertisers that let publishers create campaigns for them, by name. */
export async function listAdvertisers(ctx: Ctx<PublisherActor>, input: PageRequest & { q?: string }) {
  const limit = limitOf(input);
  const position = input.cursor ? readCursor(input.cursor) : undefined;
  const forwards = position?.direction !== "before";
  const order = forwards ? asc : desc;
  const rows = await ctx.db
    .select({ id: accounts.id, companyName: accounts.companyName })
    .from(accounts)
    .where(
      and(
        eq(accounts.type, "advertiser"),
        eq(accounts.status, "approved"),
        eq(accounts.allowsManagedCampaigns, true),
        input.q ? ilike(accounts.companyName, likePattern(input.q)) : undefined,
        position &&
          sql`(${accounts.companyName}, ${accounts.id}) ${sql.raw(forwards ? ">" : "<")} (${position.value ?? ""}, ${position.id}::uuid)`,
      ),
    )
    .orderBy(order(accounts.companyName), order(accounts.id))
    .limit(limit + 1);
  return pageOf(rows, { limit, position, place: (row) => ({ value: row.companyName, id: row.id }) });
}
