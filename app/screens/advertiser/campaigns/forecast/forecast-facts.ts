import type { ForecastInput } from "#app/domain/campaigns/forecast.ts";

/** What a forecast takes from the campaign's other steps. Reach or price is absent while there is none. */
export type ForecastFacts = Pick<ForecastInput, "cap" | "today"> &
  Partial<Pick<ForecastInput, "reach" | "cpmCents">> & {
    /** Why there is no reach. */
    problem?: string;
    isCountryLimited: boolean;
  };
