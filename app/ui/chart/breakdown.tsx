import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { formatPercent } from "../format.ts";
import { ChartTable } from "./chart-table.tsx";
import { formatMeasure, isWhole, type MeasureKind } from "./measure.ts";

/** `more` are its figures for the measures that only the table has. */
export type BreakdownPart = {
  id: string;
  label: string;
  /** Stands beside the label, which says what it is. */
  picture?: ReactNode;
  value: number | null;
  more?: readonly (number | null)[];
  to?: string;
};

type Measure = { label: string; kind: MeasureKind };

/**
 * Parts side by side as bars, in the order given, the longest being the largest part. Parts of a sum (money, counts) have
 * their share beside them and a total in the table; rates have neither.
 */
export function Breakdown({
  title,
  of,
  measure,
  also = [],
  parts,
  total: exact,
  empty = "No figures for this period yet.",
}: {
  title: string;
  /** What the parts are: `Channel`. */
  of: string;
  measure: Measure;
  /** What `more` of each part is. */
  also?: readonly Measure[];
  parts: readonly BreakdownPart[];
  /** The sum where it is not that of the values shown, which were each rounded. */
  total?: number;
  empty?: string;
}) {
  if (parts.length === 0) return <p className="chart-empty">{empty}</p>;
  const { label, kind } = measure;
  const most = parts.reduce((max, { value }) => Math.max(max, value ?? 0), 0);
  const added = parts.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const total = isWhole(kind) ? (exact ?? added) : undefined;
  const shareOf = (value: number | null) => (total ? formatPercent(((value ?? 0) / total) * 100) : undefined);
  return (
    <figure className="chart">
      <ul className="bars" aria-label={title}>
        {parts.map(({ id, label: name, picture, value, to }) => (
          <li key={id}>
            <span className={picture ? "bars-label bars-pictured" : "bars-label"}>
              {picture}
              {to ? <Link to={to}>{name}</Link> : <span>{name}</span>}
            </span>
            <span className="bars-value">
              <strong>{formatMeasure(kind, value)}</strong> {shareOf(value)}
            </span>
            <svg aria-hidden width="100%" height="8">
              <rect className="bars-ground" width="100%" height="8" rx="4" />
              {value && most ? (
                <rect className="bars-bar" width={`${Math.round((value / most) * 10_000) / 100}%`} height="8" rx="4" />
              ) : null}
            </svg>
          </li>
        ))}
      </ul>
      <ChartTable
        caption={title}
        columns={[
          { head: of },
          { head: label, right: true },
          ...(total ? [{ head: "Share", right: true }] : []),
          ...also.map((measure) => ({ head: measure.label, right: true })),
        ]}
        rows={parts.map(({ label: name, value, more = [] }) => [
          ...withShare(name, formatMeasure(kind, value), shareOf(value)),
          ...also.map((measure, index) => formatMeasure(measure.kind, more[index] ?? null)),
        ])}
        foot={total === undefined ? undefined : withShare("Total", formatMeasure(kind, total), shareOf(total))}
      />
    </figure>
  );
}

function withShare(name: string, value: string, share: string | undefined): string[] {
  return share === undefined ? [name, value] : [name, value, share];
}
