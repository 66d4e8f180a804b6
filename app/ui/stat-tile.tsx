import { Link } from "@remix-run/react";
import { ArrowDownRight, ArrowRight, ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";
import { type Spark, Sparkline } from "./chart/sparkline.tsx";
import { formatTrend, type Trend } from "./trend.ts";

export type Stat = {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  to?: string;
  /** Against the previous period (`trendOf`); null where that had nothing to compare with. */
  trend?: Trend | null;
  spark?: Spark;
};

/** Figures side by side. One that has a page behind it is a link. */
export function StatTiles({ stats }: { stats: readonly Stat[] }) {
  return (
    <div className="tiles">
      {stats.map((stat) =>
        stat.to ? (
          <Link key={stat.label} to={stat.to} prefetch="intent" className="tile">
            <Inside {...stat} />
          </Link>
        ) : (
          <div key={stat.label} className="tile">
            <Inside {...stat} />
          </div>
        ),
      )}
    </div>
  );
}

function Inside({ label, value, note, trend, spark }: Stat) {
  return (
    <>
      <div className="tile-label">{label}</div>
      <div className="tile-value">{value}</div>
      {trend ? <TrendLine trend={trend} /> : null}
      {note ? <div className="tile-note">{note}</div> : null}
      {spark ? <Sparkline {...spark} /> : null}
    </>
  );
}

const arrows = { up: ArrowUpRight, down: ArrowDownRight, same: ArrowRight };
const words = { up: "Up", down: "Down", same: "Unchanged," };

function TrendLine({ trend }: { trend: Trend }) {
  const Arrow = arrows[trend.direction];
  return (
    <div className={`tile-trend tile-trend-${trend.direction}`}>
      <Arrow aria-hidden />
      <span className="sr-only">{words[trend.direction]} </span>
      <strong>{formatTrend(trend)}</strong> vs previous
      <span className="sr-only"> period</span>
    </div>
  );
}
