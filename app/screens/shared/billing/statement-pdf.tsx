import type { LoaderFunctionArgs } from "@remix-run/node";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { statementLabel } from "#app/domain/billing/statements/statement-words.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { firstInstantOf, formatMonth } from "#app/domain/calendar-month.ts";
import { formatCents } from "#app/domain/money.ts";
import { productName } from "#app/domain/product.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { moreOnFile, mostOnPaper, pdfAnswer } from "#app/web/pdf-answer.server.ts";
import { readStatementSearch } from "./statement-search.server.ts";

/** The statement of the address's month on paper. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, portal } = await enterThisPortal(request, context);
  const { month } = readStatementSearch(ctx, request);
  const { opening, closing, rows, nextCursor } = await inSnapshot(ctx, (tx) =>
    getStatement(tx, { month, limit: mostOnPaper }),
  );
  const document = {
    title: `Statement for ${formatMonth(month)}`,
    subtitle: viewer.companyName,
    issuer: productName,
    madeAt: firstInstantOf(month),
    facts: [
      { label: "Opening balance", value: formatCents(opening) },
      { label: "Closing balance", value: formatCents(closing) },
    ],
    table: {
      columns: [
        { head: "Date", width: 1.6 },
        { head: "Type", width: 2 },
        { head: "Description", width: 5 },
        { head: "Amount", width: 2, right: true },
      ],
      rows: rows.map(({ at, event, description, amount }) => [
        ...[formatDate(at), statementLabel(event, portal), description ?? "", formatCents(amount)],
      ]),
      totals: ["", "", "Closing balance", formatCents(closing)],
    },
    note: moreOnFile(nextCursor !== null),
  };
  return pdfAnswer(ctx, { request, fileName: `statement-${month}.pdf`, document });
}
