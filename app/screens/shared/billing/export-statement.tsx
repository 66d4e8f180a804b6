import type { LoaderFunctionArgs } from "@remix-run/node";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { statementLabel } from "#app/domain/billing/statements/statement-words.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { CalendarMonth } from "#app/domain/calendar-month.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { pageLimits } from "#app/domain/page.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { csvAnswer } from "#app/web/csv.ts";
import { readStatementSearch } from "./statement-search.server.ts";

/** The statement of the address's month as a file: opening, every line, closing. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = await enterThisPortal(request, context);
  const { month } = readStatementSearch(ctx, request);
  return csvAnswer(`statement-${month}.csv`, piecesOf(ctx, month));
}

async function* piecesOf(ctx: Ctx<TenantActor>, month: CalendarMonth) {
  yield [["Date", "Type", "Description", "Amount (USD)"]];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const page = await getStatement(ctx, { month, cursor, limit: pageLimits.max });
    if (first) yield [[`${month}-01`, "Opening balance", null, dollarsOf(page.opening)]];
    yield page.rows.map(({ at, event, description, amount }) => [
      ...[calendarDateOf(at), statementLabel(event, ctx.actor.kind), description, dollarsOf(amount)],
    ]);
    cursor = page.nextCursor ?? undefined;
    if (!cursor) yield [[null, "Closing balance", null, dollarsOf(page.closing)]];
  }
}
