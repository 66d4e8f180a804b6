import { z } from "zod";
import { findFirstRevenueMonth } from "#app/domain/billing/list-revenue-shares.server.ts";
import { findFirstTransactionMonth } from "#app/domain/billing/list-transactions.server.ts";
import { calendarMonthOf, monthsSince } from "#app/domain/calendar-month.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { cursorParam, monthParam, readSearch } from "#app/web/search-params.server.ts";
import { asPublisher } from "./load-billing.server.ts";

const searchSchema = z.object({
  month: monthParam,
  cursor: cursorParam,
});

/** The month of the address; the present one when it is none. */
export function readStatementSearch(ctx: Ctx<TenantActor>, request: Request) {
  const { month, cursor } = readSearch(request, searchSchema);
  return { month: month ?? calendarMonthOf(ctx.clock()), cursor };
}

/** The months that there can be a statement of, newest first. */
export async function listStatementMonths(ctx: Ctx<TenantActor>) {
  const now = calendarMonthOf(ctx.clock());
  const first =
    ctx.actor.kind === "publisher"
      ? await findFirstRevenueMonth(asPublisher(ctx))
      : await findFirstTransactionMonth(ctx);
  return monthsSince(first ?? now, now);
}
