import type { LoaderFunctionArgs } from "@remix-run/node";
import { getOpeningBalance, streamStatementLines } from "#app/domain/billing/statements/get-statement.server.ts";
import { statementLabel } from "#app/domain/billing/statements/statement-copy.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import { addMonths, type CalendarMonth } from "#app/domain/calendar-month.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { centsToDollars } from "#app/domain/money.ts";
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
  yield [[`${month}-01`, "Opening balance", null, centsToDollars(await getOpeningBalance(ctx, month))]];
  for await (const lines of streamStatementLines(ctx, month)) {
    yield lines.map((line) => [
      ...[calendarDateOf(line.at), statementLabel(line, ctx.actor.kind), line.description, centsToDollars(line.amount)],
    ]);
  }
  // Read after the lines: what is posted meanwhile is one of them.
  const closing = await getOpeningBalance(ctx, addMonths(month, 1));
  yield [[null, "Closing balance", null, centsToDollars(closing)]];
}
