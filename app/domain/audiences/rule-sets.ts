/**
 * How each destination wants an identifier written before it is hashed. Facts from the destinations' public
 * documentation; the versions are ours and are kept on an audience's versions, so that a changed rule is seen.
 * Destinations that agree in everything share a family, and with it one set of hashes. Pure.
 */
const ruleFamilies = ["google", "uid2", "tiktok", "meta"] as const;
export type RuleFamily = (typeof ruleFamilies)[number];

const ruleSets = {
  google: { family: "google", version: 1 },
  uid2: { family: "uid2", version: 1 },
  // Its pages contradict each other about dots and `+…`, and about the `+` of phones: kept apart, so that it can change alone.
  tiktok: { family: "tiktok", version: 1 },
  meta: { family: "meta", version: 1 },
  x: { family: "meta", version: 1 },
  pinterest: { family: "meta", version: 1 },
  snapchat: { family: "meta", version: 1 },
} as const satisfies Record<string, { family: RuleFamily; version: number }>;

/** The bit of a family in a mask of families that share a hash. */
export const familyBits: Record<RuleFamily, number> = { google: 1, uid2: 2, tiktok: 4, meta: 8 };
export const allFamilies = 15;

/** `google:1 uid2:1 …`: what an audience's hashes were made by. */
export const ruleSetVersions = Object.entries(ruleSets)
  .map(([name, { version }]) => `${name}:${version}`)
  .join(" ");
