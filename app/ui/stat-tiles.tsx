import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { Link } from "./link.tsx";
import { formatTrend, type Trend, type TrendMeaning, trendMeaning } from "./trend.ts";

export type Stat = {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  to?: string;
  /** Whether the page shows this metric in detail; absent where tiles lead to other pages. */
  isCurrent?: boolean;
  /** Says how the page shows this metric beside the current one, for screen readers; the tile is marked. */
  mark?: string;
  /** The change from the previous period (`computeTrend`); null if that had no comparable value. */
  trend?: Trend | null;
  /** What a rise means: better unless it says otherwise. The color of the trend follows it. */
  rise?: TrendMeaning;
  /** A `Sparkline`, which most tiles lack: the tiles themselves load no script of charts. */
  spark?: ReactNode;
};

/** Metrics side by side. A metric with a page of its own is a link. */
export function StatTiles({ stats }: { stats: readonly Stat[] }) {
  return (
    <div className="tiles">
      {stats.map((stat) =>
        stat.to ? (
          <Link
            key={stat.label}
            to={stat.to}
            prefetch="intent"
            className={stat.mark ? "tile tile-second" : "tile"}
            preventScrollReset={stat.isCurrent !== undefined}
            aria-current={stat.isCurrent || undefined}
          >
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

function Inside({ label, mark, value, note, trend, rise, spark }: Stat) {
  return (
    <>
      <div className="tile-label">
        {label}
        {mark ? <span className="sr-only">, {mark}</span> : null}
      </div>
      <div className={isFigure(value) ? "tile-value tile-figure" : "tile-value"}>{value}</div>
      {trend ? <TrendLine trend={trend} rise={rise} /> : null}
      {note ? <div className="tile-note">{note}</div> : null}
      {spark}
    </>
  );
}

/** Whether the value is one word, such as an amount, which must not break. */
function isFigure(value: ReactNode): boolean {
  return typeof value === "number" || (typeof value === "string" && !/\s/.test(value));
}

const arrows = { up: "arrow-up-right", down: "arrow-down-right", same: "arrow-right" } as const;
const words = { up: "Up", down: "Down", same: "Unchanged," };

function TrendLine({ trend, rise }: { trend: Trend; rise?: TrendMeaning }) {
  return (
    <div className={`tile-trend tile-trend-${trendMeaning(trend, rise)}`}>
      <Icon name={arrows[trend.direction]} />
      <span className="sr-only">{words[trend.direction]} </span>
      <strong>{formatTrend(trend)}</strong> vs previous
      <span className="sr-only"> period</span>
    </div>
  );
}
