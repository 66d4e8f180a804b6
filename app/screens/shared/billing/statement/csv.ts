import type { LoaderFunctionArgs } from "@remix-run/node";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { statementLabel } from "#app/domain/billing/statements/statement-copy.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { CalendarMonth } from "#app/domain/calendar-month.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { centsToDollars } from "#app/domain/money.ts";
import { pageLimits } from "#app/domain/page.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { csvResponse } from "#app/web/csv.ts";
import { parseStatementSearch } from "./statement-search.server.ts";

/** Exports the statement of the URL's month as CSV: opening balance, every line, closing balance. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = await requireCurrentPortalAccess(request, context);
  const { month } = parseStatementSearch(ctx, request);
  return csvResponse(`statement-${month}.csv`, piecesOf(ctx, month));
}

async function* piecesOf(ctx: Ctx<TenantActor>, month: CalendarMonth) {
  yield [["Date", "Type", "Description", "Amount (USD)"]];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const page = await getStatement(ctx, { month, cursor, limit: pageLimits.max });
    if (first) yield [[`${month}-01`, "Opening balance", null, centsToDollars(page.opening)]];
    yield page.rows.map((line) => [
      ...[calendarDateOf(line.at), statementLabel(line, ctx.actor.kind), line.description, centsToDollars(line.amount)],
    ]);
    cursor = page.nextCursor ?? undefined;
    if (!cursor) yield [[null, "Closing balance", null, centsToDollars(page.closing)]];
  }
}
