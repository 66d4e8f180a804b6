import type { ForecastInput } from "#app/domain/campaigns/forecast.ts";
import type { Cents } from "#app/domain/money.ts";

/** What a forecast takes from the campaign's other steps. Reach or price is absent while there is none. */
export type ForecastFacts = Pick<ForecastInput, "cap" | "today"> &
  Partial<Pick<ForecastInput, "reach" | "cpmCents">> & {
    /** Why there is no reach. */
    problem?: string;
    /** What the campaign has spent of its budget. */
    spentCents: Cents;
    isCountryLimited: boolean;
  };
