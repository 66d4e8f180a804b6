/** The kinds of objects that endpoints take the id of. */
export const exampleKinds = [
  "key",
  "product",
  "creative",
  "import",
  "store",
  "webhook",
  "delivery",
  "report",
  "payment_method",
  "campaign",
  "review",
  "audience",
  "invoice",
  "upload",
  "payout",
  "connection",
  "advertiser",
] as const;
export type ExampleKind = (typeof exampleKinds)[number];

export type ExampleIds = Partial<Record<ExampleKind, string>>;

/** Returns the id of an example, or the shell variable that stands for it, such as `$CAMPAIGN_ID`. */
export function exampleId(ids: ExampleIds, kind: ExampleKind): string {
  return ids[kind] ?? `$${kind === "review" ? "CAMPAIGN" : kind.toUpperCase()}_ID`;
}
