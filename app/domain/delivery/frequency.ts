import type { FrequencyCapPeriod } from "../campaigns/campaign.ts";

/** How many of a cap's periods a day has. */
const periodsInDay: Record<FrequencyCapPeriod, number> = { hour: 24, day: 1, week: 1 / 7, month: 1 / 30 };

/**
 * How many impressions a person of an audience had on average in a period of the frequency cap, over the days on which the
 * audience was delivered to (less than a period counts as one). It is of all who could be reached, not of those who were:
 * reports do not say who saw an ad. Null where nobody can be told to have been reached. Pure.
 */
export function averageFrequency({
  impressions,
  people,
  days,
  period,
}: {
  impressions: number;
  people: number;
  days: number;
  period: FrequencyCapPeriod;
}): number | null {
  if (people <= 0 || days <= 0) return null;
  return impressions / people / Math.max(1, days * periodsInDay[period]);
}
