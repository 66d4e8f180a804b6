/** The vocabulary of audiences. Pure. */
export const segments = [
  "high-value",
  "frequent-buyers",
  "category-enthusiasts",
  "seasonal-shoppers",
  "new-customers",
  "lapsed-customers",
] as const;
export type Segment = (typeof segments)[number];
export const segmentLabels: Record<Segment, string> = {
  "high-value": "High-value",
  "frequent-buyers": "Frequent buyers",
  "category-enthusiasts": "Category enthusiasts",
  "seasonal-shoppers": "Seasonal shoppers",
  "new-customers": "New customers",
  "lapsed-customers": "Lapsed customers",
};

export const dataSources = ["file", "api", "salesforce", "hubspot", "klaviyo", "segment"] as const;
export const refreshFrequencies = ["daily", "weekly", "monthly", "manual"] as const;
export const audienceStatuses = ["building", "below_minimum", "ready", "archived"] as const;
export type AudienceStatus = (typeof audienceStatuses)[number];

/** Fewer distinct people than this cannot be used in a campaign. */
const minimumAudienceSize = 1_000;

const steps = [1, 2.5, 5];

/**
 * The size an advertiser is shown: rounded down to 1,000, 2,500, 5,000, 10,000, 25,000 … so that nobody can be told
 * from a difference of two counts. 0 under the minimum.
 */
export function roundedSize(people: number): number {
  if (people < minimumAudienceSize) return 0;
  const magnitude = 10 ** Math.floor(Math.log10(people));
  const step = steps.findLast((candidate) => candidate * magnitude <= people) ?? 1;
  return step * magnitude;
}
