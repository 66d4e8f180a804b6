import type { AccountType } from "#app/domain/accounts/account.ts";
import type { StatementLine } from "#app/domain/billing/statements/get-statement.server.ts";
import { statementLabel } from "#app/domain/billing/statements/statement-copy.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatSignedCents } from "#app/domain/money.ts";
import type { Column } from "#app/ui/table/column.ts";
import { RowTitle } from "#app/ui/table/row-title.tsx";

/**
 * The columns of a statement: time, description with an advertiser's publisher, and the signed change of the balance.
 */
export function statementColumns(side: AccountType): Column<StatementLine>[] {
  return [
    {
      header: "Description",
      place: "title",
      cell: (line) => (
        <RowTitle
          name={line.description ?? statementLabel(line, side)}
          detail={detailOf(line, side)}
          narrowDetail={formatDate(line.at)}
        />
      ),
    },
    {
      header: "Date",
      priority: 1,
      cell: ({ at }) => (
        <time className="whitespace-nowrap" dateTime={at.toISOString()}>
          {formatDate(at)}
        </time>
      ),
    },
    { header: "Amount", place: "amount", align: "right", cell: ({ amount }) => formatSignedCents(amount) },
  ];
}

function detailOf(line: StatementLine, side: AccountType): string | undefined {
  const details = [line.description === null ? null : statementLabel(line, side), line.publisherName];
  return details.filter(Boolean).join(" · ") || undefined;
}
