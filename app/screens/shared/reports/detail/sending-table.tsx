import type { ReportFormat } from "#app/domain/reports/report-schedule.ts";
import { SendingBadge } from "#app/screens/shared/reports/report-badges.tsx";
import { reportFormatLabels } from "#app/screens/shared/reports/report-copy.ts";
import { pluralize } from "#app/ui/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";

type Row = {
  id: string;
  at: string;
  days: string;
  isScheduled: boolean;
  missed: number;
  format: ReportFormat;
  sent: number;
  waiting: number;
  failed: number;
  kept: number;
};

/** When a report was sent, with the result and the file. */
export function SendingTable({ rows, page }: { rows: readonly Row[]; page: string }) {
  return (
    <DataTable
      caption="Emails"
      columns={[
        {
          header: "Time",
          place: "title",
          width: 220,
          cell: ({ at, days, missed }) => (
            <RowTitle
              name={at}
              detail={missed > 0 ? `Instead of ${pluralize(missed, "missed email")}` : undefined}
              narrowDetail={days}
            />
          ),
        },
        { header: "Result", place: "status", width: 190, cell: (row) => <SendingBadge {...row} /> },
        { header: "Dates (UTC)", priority: 1, width: 230, cell: ({ days }) => days },
        {
          header: "Reason",
          priority: 2,
          width: 130,
          cell: ({ isScheduled }) => (isScheduled ? "Schedule" : "Send now"),
        },
      ]}
      rows={rows}
      actions={({ id, format, at }) => (
        <a
          className="button button-icon"
          href={`${page}/sendings/${id}`}
          title={`Download ${reportFormatLabels[format]}`}
          aria-label={`Download ${reportFormatLabels[format]} of ${at}`}
        >
          <Icon name="download" />
        </a>
      )}
      hasOneAction
    />
  );
}
