import { and, asc, desc, eq, ilike, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { audiences, lineItems, versionAudiences } from "#db/schema/index.ts";
import { centsOrNull } from "../campaigns/campaign-rows.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { limitOf, type PageRequest, pageOf, readCursor } from "../page.ts";
import { likePattern } from "../search.ts";
import type { AudienceStatus, Segment } from "./audience.ts";
import { usesAudience } from "./audience-use.server.ts";

type Filter = { q?: string; segment?: Segment; status?: AudienceStatus };

/** The publisher's audiences by name, with how many campaigns use each; archived ones only when asked for. */
export async function listOwnAudiences(ctx: Ctx<PublisherActor>, input: PageRequest & Filter) {
  const limit = limitOf(input);
  const position = input.cursor ? readCursor(input.cursor) : undefined;
  const forwards = position?.direction !== "before";
  const usedIn = ctx.db
    .select({ campaigns: sql`count(distinct ${lineItems.id})::int` })
    .from(versionAudiences)
    .innerJoin(lineItems, usesAudience)
    .where(eq(versionAudiences.audienceId, audiences.id));
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
      usedIn: sqlValue(z.number(), sql`(${usedIn})`),
    })
    .from(audiences)
    .where(
      and(
        whereOf(ctx, input),
        position &&
          sql`(${audiences.name}, ${audiences.id}) ${sql.raw(forwards ? ">" : "<")} (${position.value ?? ""}, ${position.id}::uuid)`,
      ),
    )
    .orderBy(forwards ? asc(audiences.name) : desc(audiences.name), forwards ? asc(audiences.id) : desc(audiences.id))
    .limit(limit + 1);
  const page = pageOf(rows, { limit, position, place: (row) => ({ value: row.name, id: row.id }) });
  return { ...page, rows: page.rows.map((row) => ({ ...row, cpmCents: centsOrNull(row.cpmCents) })) };
}

export type OwnAudience = Awaited<ReturnType<typeof listOwnAudiences>>["rows"][number];

/** How many that list has in all. */
export async function countOwnAudiences(ctx: Ctx<PublisherActor>, filter: Filter): Promise<number> {
  return ctx.db.$count(audiences, whereOf(ctx, filter));
}

function whereOf(ctx: Ctx<PublisherActor>, { q, segment, status }: Filter) {
  return and(
    eq(audiences.publisherId, ctx.actor.accountId),
    status ? eq(audiences.status, status) : ne(audiences.status, "archived"),
    segment && eq(audiences.segment, segment),
    q ? ilike(audiences.name, likePattern(q)) : undefined,
  );
}
