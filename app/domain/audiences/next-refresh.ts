import type { refreshFrequencies } from "./audience.ts";

type Frequency = (typeof refreshFrequencies)[number];

const day = 24 * 60 * 60 * 1000;
const days: Record<Exclude<Frequency, "manual">, number> = { daily: 1, weekly: 7, monthly: 30 };

/** When a list is fetched again after it was fetched `now`: in 1, 7 or 30 days; null when that is left to people. */
export function nextRefresh(frequency: Frequency, now: Date): Date | null {
  return frequency === "manual" ? null : new Date(now.getTime() + days[frequency] * day);
}
