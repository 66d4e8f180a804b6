import { Link } from "@remix-run/react";
import type { ReactNode } from "react";

export type Stat = { label: string; value: ReactNode; note?: ReactNode; to?: string };

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

function Inside({ label, value, note }: Stat) {
  return (
    <>
      <div className="tile-label">{label}</div>
      <div className="tile-value">{value}</div>
      {note ? <div className="tile-note">{note}</div> : null}
    </>
  );
}
