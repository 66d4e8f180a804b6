import type { LoaderFunctionArgs } from "@remix-run/node";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { statementLabel } from "#app/domain/billing/statements/statement-copy.ts";
import { appName } from "#app/domain/branding.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { firstInstantOf, formatMonth } from "#app/domain/calendar-month.ts";
import { formatCents, formatSignedCents } from "#app/domain/money.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { maxPdfLines, pdfResponse, pdfTruncationNote } from "#app/web/pdf-response.server.ts";
import { parseStatementSearch } from "./statement-search.server.ts";

/** Exports the statement of the URL's month as PDF. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, portal } = await requireCurrentPortalAccess(request, context);
  const { month } = parseStatementSearch(ctx, request);
  const { opening, closing, rows, nextCursor } = await getStatement(ctx, { month, limit: maxPdfLines });
  const document = {
    title: `Statement for ${formatMonth(month)}`,
    subtitle: viewer.companyName,
    issuer: appName,
    createdAt: firstInstantOf(month),
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
      rows: rows.map((line) => [
        ...[formatDate(line.at), statementLabel(line, portal)],
        ...[[line.description, line.publisherName].filter(Boolean).join(" · "), formatSignedCents(line.amount)],
      ]),
      totals: ["", "", "Closing balance", formatCents(closing)],
    },
    note: pdfTruncationNote(nextCursor !== null),
  };
  return pdfResponse(ctx, { request, fileName: `statement-${month}.pdf`, document });
}
