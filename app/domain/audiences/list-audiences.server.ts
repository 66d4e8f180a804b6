import { and, eq, ilike, inArray, sql } from "drizzle-orm";
import { accounts, audiences } from "#db/schema/index.ts";
import { centsOrNull } from "../campaigns/campaign-rows.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { AudienceId } from "../ids.ts";
import type { PageRequest } from "../page.ts";
import { likePattern } from "../search.ts";
import { type SortOrder, sortedPage } from "../sorted-page.server.ts";
import type { AudienceStatus, Segment } from "./audience.ts";
import { isOffered } from "./offered-audiences.server.ts";
import { publishedSizes } from "./snapshots/current-snapshots.server.ts";

const byName: SortOrder = { by: sql`${audiences.name}`, type: "text", descending: false };

/**
 * Lists audiences by name. A publisher sees its own with their exact sizes, archived ones only on request. An
 * advertiser sees those it can select, with their published size and its lower bound. `cpmCents` is in US cents per
 * thousand impressions. `ids` selects rows, archived or not.
 */
export async function listAudiences(
  ctx: Ctx<TenantActor>,
  input: PageRequest & { segment?: Segment; status?: AudienceStatus; q?: string; ids?: readonly AudienceId[] },
) {
  const keyset = sortedPage(input, { order: byName, id: audiences.id });
  const own = ctx.actor.kind === "publisher";
  const rows = await ctx.db
    .select({
      id: audiences.id,
      name: audiences.name,
      description: audiences.description,
      segment: audiences.segment,
      size: audiences.size,
      cpmCents: audiences.cpmCents,
      status: audiences.status,
      publisherName: accounts.companyName,
      sortValue: keyset.sortValue,
    })
    .from(audiences)
    .innerJoin(accounts, eq(accounts.id, audiences.publisherId))
    .where(
      and(
        own ? eq(audiences.publisherId, ctx.actor.accountId) : isOffered(ctx),
        input.ids
          ? inArray(audiences.id, [...input.ids])
          : input.status
            ? eq(audiences.status, input.status)
            : sql`${audiences.status} <> 'archived'`,
        input.segment && eq(audiences.segment, input.segment),
        input.q ? ilike(audiences.name, likePattern(input.q)) : undefined,
        keyset.where,
      ),
    )
    .orderBy(...keyset.orderBy)
    .limit(keyset.limit);
  const page = keyset.page(rows);
  const published = own
    ? undefined
    : await publishedSizes(
        ctx,
        page.rows.map(({ id }) => id),
      );
  return {
    ...page,
    rows: page.rows.map(({ size, cpmCents, sortValue: _, ...row }) => ({
      ...row,
      estimatedSize: published ? (published.get(row.id)?.from ?? 0) : size,
      publishedSize: published?.get(row.id) ?? null,
      cpmCents: centsOrNull(cpmCents),
    })),
  };
}

export type ListedAudience = Awaited<ReturnType<typeof listAudiences>>["rows"][number];
