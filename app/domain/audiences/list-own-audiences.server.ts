import { and, eq, ilike, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { audiences } from "#db/schema/index.ts";
import { centsOrNull } from "../campaigns/campaign-rows.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import type { PageRequest } from "../page.ts";
import { likePattern } from "../search.ts";
import { type SortOrder, sortedPage } from "../sorted-page.server.ts";
import type { AudienceStatus, Segment } from "./audience.ts";
import { usesOf } from "./audience-use.server.ts";

type Filter = { q?: string; segment?: Segment; status?: AudienceStatus };

export const audienceSorts = ["name", "size", "cpm", "used", "refreshed"] as const;
export type AudienceSort = (typeof audienceSorts)[number];

/**
 * Lists the publisher's audiences, by name by default, with the number of campaigns that use each; archived ones only
 * on request. A publisher has few audiences, so no order has an index of its own.
 */
export async function listOwnAudiences(
  ctx: Ctx<PublisherActor>,
  input: PageRequest & Filter & { sort?: AudienceSort },
) {
  const usedIn = usesOf(audiences.id);
  const orders: Record<AudienceSort, SortOrder> = {
    name: { by: sql`${audiences.name}`, type: "text", descending: false },
    size: { by: sql`${audiences.size}`, type: "bigint", descending: true },
    cpm: { by: sql`coalesce(${audiences.cpmCents}, -1)`, type: "bigint", descending: true },
    used: { by: usedIn, type: "bigint", descending: true },
    refreshed: {
      by: sql`coalesce((extract(epoch from ${audiences.refreshedAt}) * 1000000)::bigint, -1)`,
      type: "bigint",
      descending: true,
    },
  };
  const { where, orderBy, limit, sortValue, page } = sortedPage(input, {
    order: orders[input.sort ?? "name"],
    id: audiences.id,
  });
  const rows = await ctx.db
    .select({
      id: audiences.id,
      name: audiences.name,
      description: audiences.description,
      segment: audiences.segment,
      status: audiences.status,
      size: audiences.size,
      cpmCents: audiences.cpmCents,
      refreshedAt: audiences.refreshedAt,
      usedIn: sqlValue(z.coerce.number(), usedIn),
      sortValue,
    })
    .from(audiences)
    .where(and(whereMatches(ctx, input), where))
    .orderBy(...orderBy)
    .limit(limit);
  const found = page(rows);
  return {
    ...found,
    rows: found.rows.map(({ sortValue: _, ...row }) => ({ ...row, cpmCents: centsOrNull(row.cpmCents) })),
  };
}

export type OwnAudience = Awaited<ReturnType<typeof listOwnAudiences>>["rows"][number];

/** Counts all audiences that match the filter of that list. */
export async function countOwnAudiences(ctx: Ctx<PublisherActor>, filter: Filter): Promise<number> {
  return ctx.db.$count(audiences, whereMatches(ctx, filter));
}

function whereMatches(ctx: Ctx<PublisherActor>, { q, segment, status }: Filter) {
  return and(
    eq(audiences.publisherId, ctx.actor.accountId),
    status ? eq(audiences.status, status) : ne(audiences.status, "archived"),
    segment && eq(audiences.segment, segment),
    q ? ilike(audiences.name, likePattern(q)) : undefined,
  );
}
