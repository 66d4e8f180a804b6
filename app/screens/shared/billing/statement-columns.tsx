import type { AccountType } from "#app/domain/accounts/account.ts";
import type { StatementLine } from "#app/domain/billing/statements/get-statement.server.ts";
import { statementLabel } from "#app/domain/billing/statements/statement-words.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import type { Column } from "#app/ui/table.tsx";

/** When, what, and how it moved the balance: with its sign. */
export function statementColumns(side: AccountType): Column<StatementLine>[] {
  return [
    {
      head: "Line",
      wide: true,
      cell: ({ event, description }) => (
        <>
          <strong>{description ?? statementLabel(event, side)}</strong>
          {description === null ? null : <small>{statementLabel(event, side)}</small>}
        </>
      ),
    },
    {
      head: "Date",
      cell: ({ at }) => (
        <time className="whitespace-nowrap" dateTime={at.toISOString()}>
          {formatDate(at)}
        </time>
      ),
    },
    { head: "Amount", right: true, cell: ({ amount }) => `${amount > 0 ? "+" : ""}${formatCents(amount)}` },
  ];
}
