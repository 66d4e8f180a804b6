import { z } from "zod";
import { findFirstRevenueMonth } from "#app/domain/billing/list-revenue-shares.server.ts";
import { findFirstTransactionMonth } from "#app/domain/billing/list-transactions.server.ts";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { calendarMonthOf, monthsSince, parseCalendarMonth } from "#app/domain/calendar-month.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { pageLimits } from "#app/domain/page.ts";
import { cursorParam, readSearch } from "#app/web/search-params.server.ts";
import { asPublisher } from "./load-billing.server.ts";

const searchSchema = z.object({
  month: z
    .string()
    .transform((text) => parseCalendarMonth(text))
    .optional()
    .catch(undefined),
  cursor: cursorParam,
});

/** The month of the address; the present one when it is none. */
export function readStatementSearch(ctx: Ctx<TenantActor>, request: Request) {
  const { month, cursor } = readSearch(request, searchSchema);
  return { month: month ?? calendarMonthOf(ctx.clock()), cursor };
}

/** A page of the statement. A cursor of another list is as good as none. */
export async function loadStatement(ctx: Ctx<TenantActor>, search: ReturnType<typeof readStatementSearch>) {
  const asked = { ...search, limit: pageLimits.max };
  try {
    return await getStatement(ctx, asked);
  } catch (error) {
    if (!search.cursor || !(error instanceof DomainError) || error.code !== "invalid_input") throw error;
    return getStatement(ctx, { ...asked, cursor: undefined });
  }
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
