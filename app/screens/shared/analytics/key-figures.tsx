import type { AccountType } from "#app/domain/accounts/account.ts";
import type { Figures } from "#app/domain/analytics/figures.ts";
import { keyFigures } from "#app/domain/analytics/performance-columns.ts";
import { formatMeasure } from "#app/ui/chart/measure.ts";
import { StatTiles } from "#app/ui/stat-tile.tsx";
import { trendOf } from "#app/ui/trend.ts";
import { type AnalyticsSearch, analyticsQuery } from "./analytics-search.ts";

/** The period's figures against those before. Each leads to its charts. */
export function KeyFigures({
  side,
  search,
  totals,
  previous,
  sparks,
  metric,
}: {
  side: AccountType;
  search: AnalyticsSearch;
  totals: Figures;
  previous: Figures;
  sparks: readonly (readonly (number | null)[])[];
  metric: string;
}) {
  return (
    <StatTiles
      stats={keyFigures[side].map(({ label, kind, of }, place) => {
        const values = sparks[place];
        return {
          label,
          value: formatMeasure(kind, of(totals)),
          note: `${formatMeasure(kind, of(previous))} before`,
          trend: trendOf(of(totals), of(previous)),
          spark: values && { kind, values },
          to: label === metric ? undefined : analyticsQuery(search, { metric: label }),
        };
      })}
    />
  );
}
