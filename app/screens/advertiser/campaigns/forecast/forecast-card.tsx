import type { CampaignValues } from "#app/domain/campaigns/campaign-fields.ts";
import { computeForecast, matchShare } from "#app/domain/campaigns/forecast.ts";
import { asCents } from "#app/domain/money.ts";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";
import { forecastLimitCopy, formatCostRange, formatCountRange } from "./forecast-copy.ts";
import type { ForecastFacts } from "./forecast-facts.ts";

/** The part of a forecast that the budget step changes. */
export type ForecastPlan = Pick<
  CampaignValues,
  "totalBudgetCents" | "dailyBudgetCents" | "startDate" | "endDate" | "pacing"
>;

/** What the campaign can deliver, as ranges, or what a forecast still needs. */
export function ForecastCard({ facts, plan }: { facts: ForecastFacts; plan: ForecastPlan }) {
  return (
    <Card title="Forecast">
      <div className="form-grid" aria-live="polite">
        <ForecastBody facts={facts} plan={plan} />
      </div>
    </Card>
  );
}

function ForecastBody({ facts, plan }: { facts: ForecastFacts; plan: ForecastPlan }) {
  const { reach, cpmCents, cap, today, problem, spentCents, isCountryLimited } = facts;
  const { totalBudgetCents, dailyBudgetCents, startDate, endDate, pacing } = plan;
  if (!reach || !cpmCents) return <p className="hint">{problem ?? "Choose audiences in step 3 to see a forecast."}</p>;
  if (!totalBudgetCents || !dailyBudgetCents || !startDate || !endDate || endDate < startDate || endDate < today) {
    return <p className="hint">Enter both budgets and the dates of the flight to see a forecast.</p>;
  }
  const leftCents = asCents(Math.max(0, totalBudgetCents - spentCents));
  const money = { totalBudgetCents: leftCents, dailyBudgetCents };
  const forecast = computeForecast({ reach, cpmCents, ...money, startDate, endDate, today, cap, pacing });
  if (!forecast) return <p className="hint">There is nothing to forecast for this flight.</p>;
  const budgets = [leftCents, dailyBudgetCents];
  const share = `${matchShare.from * 100}% to ${matchShare.to * 100}%`;
  return (
    <>
      <DescriptionList
        facts={[
          { label: "Impressions", value: formatCountRange(forecast.impressions) },
          { label: "People", value: formatCountRange(forecast.people) },
          { label: "Cost", value: formatCostRange(forecast.cost, budgets) },
          { label: "Cost per day", value: formatCostRange(forecast.costPerDay, budgets) },
        ]}
      />
      <p>{forecastLimitCopy[forecast.limit]}</p>
      <p className="hint">
        An estimate from published audience sizes and CPM, if channels find {share} of the people.
        {isCountryLimited ? " Your selected countries can lower it." : ""}
      </p>
    </>
  );
}
