import { joinWords } from "../join-words.ts";
import type { AnalyticsFilters } from "./analytics.ts";

const filterNames = [
  ["campaign", "campaign"],
  ["category", "product category"],
  ["audience", "audience"],
  ["channel", "channel"],
] as const satisfies readonly (readonly [keyof AnalyticsFilters, string])[];

/** Names the filters that are set, such as `audience and channel`; an empty text without one. Pure. */
export function describeFilters(filters: { [Filter in keyof AnalyticsFilters]?: string | undefined }): string {
  return joinWords(filterNames.flatMap(([filter, name]) => (filters[filter] ? [name] : [])));
}
