import type { ReactNode } from "react";
import { formatPercent } from "../format.ts";
import { Link } from "../link.tsx";
import { ChartTable, numberColumn } from "./chart-table.tsx";
import { formatMetric, isAdditive, type MetricFormat } from "./metric-format.ts";

/** `more` are the part's values of the measures that only the table shows. */
export type BreakdownPart = {
  id: string;
  label: string;
  /** Shown beside the label, which names it. */
  image?: ReactNode;
  value: number | null;
  more?: readonly (number | null)[];
  to?: string;
};

/** The values of a ratio, such as CPM, have no sum. */
type Measure = { label: string; kind: MetricFormat; isRatio?: boolean };

export type BreakdownProps = {
  title: string;
  /** The dimension's name, such as `Channel`. */
  dimension: string;
  measure: Measure;
  /** The measures of each part's `more`. */
  tableOnly?: readonly Measure[];
  parts: readonly BreakdownPart[];
  /** The exact sum, if it differs from that of the rounded values shown. */
  total?: number;
  empty?: string;
};

/**
 * A bar per part, in the given order. Additive metrics (money, counts) also show each part's share and a total, and
 * their bars are scaled to the whole: 29% is 29% of the bar. Rates have no whole, so theirs are scaled to the largest.
 */
export function Breakdown({
  title,
  dimension,
  measure,
  tableOnly = [],
  parts,
  total: exact,
  empty = "No data for this period yet.",
}: BreakdownProps) {
  if (parts.length === 0) return <p className="chart-empty">{empty}</p>;
  const { label, kind, isRatio = !isAdditive(kind) } = measure;
  const most = parts.reduce((max, { value }) => Math.max(max, value ?? 0), 0);
  const added = parts.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const total = isRatio ? undefined : (exact ?? added);
  const whole = total !== undefined && total > 0 ? total : most;
  const shareOf = (value: number | null) => (total ? formatPercent(((value ?? 0) / total) * 100) : undefined);
  return (
    <figure className="chart">
      <ul className="bars" aria-label={title}>
        {parts.map(({ id, label: name, image, value, to }) => (
          <li key={id}>
            <span className={image ? "bars-label bars-with-image" : "bars-label"}>
              {image}
              {to ? <Link to={to}>{name}</Link> : <span>{name}</span>}
            </span>
            <span className="bars-value">
              <strong>{formatMetric(kind, value)}</strong> {shareOf(value)}
            </span>
            <svg aria-hidden width="100%" height="8">
              <rect className="bars-track" width="100%" height="8" rx="4" />
              {value && whole ? (
                <rect
                  className="bars-bar"
                  width={`${Math.min(100, Math.round((value / whole) * 10_000) / 100)}%`}
                  height="8"
                  rx="4"
                />
              ) : null}
            </svg>
          </li>
        ))}
      </ul>
      <ChartTable
        caption={title}
        columns={[
          { head: dimension },
          numberColumn(label),
          ...(total ? [numberColumn("Share")] : []),
          ...tableOnly.map((measure) => numberColumn(measure.label)),
        ]}
        rows={parts.map(({ label: name, value, more = [] }) => [
          ...withShare(name, formatMetric(kind, value), shareOf(value)),
          ...tableOnly.map((measure, index) => formatMetric(measure.kind, more[index] ?? null)),
        ])}
        foot={total === undefined ? undefined : withShare("Total", formatMetric(kind, total), shareOf(total))}
      />
    </figure>
  );
}

function withShare(name: string, value: string, share: string | undefined): string[] {
  return share === undefined ? [name, value] : [name, value, share];
}
