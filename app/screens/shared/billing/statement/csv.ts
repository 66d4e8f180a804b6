import type { LoaderFunctionArgs } from "@remix-run/node";
import { getOpeningBalance, streamStatementLines } from "#app/domain/billing/statements/get-statement.server.ts";
import { statementLabel } from "#app/domain/billing/statements/statement-copy.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { CalendarMonth } from "#app/domain/calendar-month.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { asCents, centsToDollars } from "#app/domain/money.ts";
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
  // A publisher's lines are with the platform alone.
  const publisherCell = (name: string | null) => (ctx.actor.kind === "advertiser" ? [name] : []);
  yield [["Date", "Type", "Description", "Amount (USD)", ...publisherCell("Publisher")]];
  const opening = await getOpeningBalance(ctx, month);
  yield [[`${month}-01`, "Opening balance", null, centsToDollars(opening), ...publisherCell(null)]];
  // Summed instead of read: what is posted while the file is sent would be in a balance, and not among the lines.
  let closing: number = opening;
  for await (const lines of streamStatementLines(ctx, month)) {
    closing = lines.reduce((sum, { amount }) => sum + amount, closing);
    yield lines.map((line) => [
      ...[calendarDateOf(line.at), statementLabel(line, ctx.actor.kind), line.description, centsToDollars(line.amount)],
      ...publisherCell(line.publisherName),
    ]);
  }
  yield [[null, "Closing balance", null, centsToDollars(asCents(closing)), ...publisherCell(null)]];
}
