import type { refreshFrequencies } from "#app/domain/audiences/audience.ts";

type Frequency = (typeof refreshFrequencies)[number];

const day = 24 * 60 * 60 * 1000;
const days: Record<Exclude<Frequency, "manual">, number> = { daily: 1, weekly: 7, monthly: 30 };

/** Returns when a list is fetched next: 1, 7 or 30 days after `now`, or null for manual refreshes. */
export function nextRefresh(frequency: Frequency, now: Date): Date | null {
  return frequency === "manual" ? null : new Date(now.getTime() + days[frequency] * day);
}
