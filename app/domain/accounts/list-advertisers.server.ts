import { and, asc, desc, eq, getTableName, ilike, sql } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { clampPageLimit, decodeCursor, type PageRequest, toPage } from "../page.ts";
import { likePattern } from "../search.ts";

/** Lists by name the advertisers that allow publishers to create campaigns for them. */
export async function listAdvertisers(ctx: Ctx<PublisherActor>, input: PageRequest & { q?: string }) {
  const limit = clampPageLimit(input);
  const list = getTableName(accounts);
  const position = input.cursor ? decodeCursor(input.cursor, list) : undefined;
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
  return toPage(rows, { list, limit, position, cursorKey: (row) => ({ value: row.companyName, id: row.id }) });
}
