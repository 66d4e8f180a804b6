import { z } from "zod";
import { findFirstRevenueMonth } from "#app/domain/billing/list-revenue-shares.server.ts";
import { findFirstTransactionMonth } from "#app/domain/billing/list-transactions.server.ts";
import { calendarMonthOf, monthsSince } from "#app/domain/calendar-month.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { asPublisherCtx } from "#app/screens/shared/billing/overview/load-billing.server.ts";
import { cursorParam, monthParam, parseSearchParams } from "#app/web/search-params.server.ts";

const searchSchema = z.object({
  month: monthParam,
  cursor: cursorParam,
});

/** Returns the URL's month; the current month if it is missing or invalid. */
export function parseStatementSearch(ctx: Ctx<TenantActor>, request: Request) {
  const { month, cursor } = parseSearchParams(request, searchSchema);
  return { month: month ?? calendarMonthOf(ctx.clock()), cursor };
}

/** Returns the months that have a statement, newest first. */
export async function listStatementMonths(ctx: Ctx<TenantActor>) {
  const now = calendarMonthOf(ctx.clock());
  const first =
    ctx.actor.kind === "publisher"
      ? await findFirstRevenueMonth(asPublisherCtx(ctx))
      : await findFirstTransactionMonth(ctx);
  return monthsSince(first ?? now, now);
}
