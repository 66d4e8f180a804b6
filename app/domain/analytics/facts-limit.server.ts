import { sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import type { ReadCtx, TenantActor } from "../context.ts";
import { invalidInput } from "../errors.ts";
import type { DeliveryQuery } from "./delivery-query.server.ts";
import { readsParts } from "./delivery-source.server.ts";
import { partsSource } from "./line-item-source.server.ts";

/** The most months and facts of line items that one query of a page or a response sums, about a second's work. */
const maxFacts = 1_000_000;
/** The same for a breakdown, which several queries read. */
export const maxBreakdownFacts: number = 300_000;

const tooManyFacts = "There is too much delivery to show it this way. Choose a campaign or a shorter period.";

/**
 * Throws `invalid_input` for the query's second dimension or its filter when it would sum more of them by audience and
 * channel than that. Stops counting there. A campaign's own are few enough, and totals and rows other than campaigns
 * and a publisher's advertisers have roll-ups.
 */
export async function rejectTooManyFacts(
  ctx: ReadCtx<TenantActor>,
  query: DeliveryQuery,
  max: number = maxFacts,
): Promise<void> {
  if (query.filters.campaign || !readsParts(ctx, query)) return;
  const [found] = await queryRows(
    ctx.db,
    z.object({ facts: z.coerce.number() }),
    sql`select count(*) as facts from (select 1 from (${partsSource(ctx, query)}) part limit ${max + 1}) counted`,
  );
  if ((found?.facts ?? 0) > max) throw invalidInput({ [fieldOf(query)]: [tooManyFacts] }, tooManyFacts);
}

function fieldOf({ split, filters }: DeliveryQuery): string {
  if (split) return "split_by";
  return filters.channel ? "channel" : "audience";
}
