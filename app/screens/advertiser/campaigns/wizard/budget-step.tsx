import { useCallback, useEffect, useRef, useState } from "react";
import { parseCalendarDate } from "#app/domain/calendar-date.ts";
import { pacings } from "#app/domain/campaigns/campaign.ts";
import { parseDollars } from "#app/domain/money.ts";
import { ForecastCard, type ForecastPlan } from "#app/screens/advertiser/campaigns/forecast/forecast-card.tsx";
import { BudgetFields } from "#app/screens/shared/campaigns/fields/budget-fields.tsx";
import { PacingField } from "#app/screens/shared/campaigns/fields/pacing-field.tsx";
import { ScheduleFields } from "#app/screens/shared/campaigns/fields/schedule-fields.tsx";
import { type FieldsProps, fieldText } from "#app/ui/form/form-values.ts";
import { Card } from "#app/ui/page-header.tsx";
import type { StepOptions } from "./step-options.ts";
import { stepTitle } from "./steps.ts";

/** Budgets and flight on the left, what they deliver beside them; with scripting the forecast follows what is typed. */
export function BudgetStep({ choices, ...fields }: FieldsProps & { choices: StepOptions }) {
  const { forecast } = choices;
  const place = useRef<HTMLDivElement>(null);
  const [plan, setPlan] = useState(() => planOf((name) => fieldText(fields.values, name)));
  const sync = useCallback(() => {
    const form = place.current?.closest("form");
    if (form) setPlan(planOf((name) => String(new FormData(form).get(name) ?? "")));
  }, []);
  // The browser may have restored or accepted input before hydration.
  useEffect(sync, [sync]);
  return (
    <div className={forecast ? "main-and-aside" : undefined} ref={place} onInput={sync}>
      <Card title={stepTitle(5)}>
        <div className="form-grid">
          <BudgetFields {...fields} />
          <ScheduleFields {...fields} today={choices.today} />
          <PacingField {...fields} />
        </div>
      </Card>
      {forecast ? <ForecastCard facts={forecast} plan={plan} /> : null}
    </div>
  );
}

function planOf(read: (name: string) => string): ForecastPlan {
  return {
    totalBudgetCents: parseDollars(read("budget")) ?? null,
    dailyBudgetCents: parseDollars(read("daily_budget")) ?? null,
    startDate: parseCalendarDate(read("start_date")) ?? null,
    endDate: parseCalendarDate(read("end_date")) ?? null,
    pacing: pacings.find((pacing) => pacing === read("pacing")) ?? "even",
  };
}
