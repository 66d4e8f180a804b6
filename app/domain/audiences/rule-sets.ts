/**
 * The normalization that each destination requires before hashing, from the destinations' public documentation.
 * Audience versions record our rule versions, so that a changed rule is visible. Destinations with identical rules
 * share a profile and its hashes. Pure.
 */
const normalizationProfiles = ["google", "uid2", "tiktok", "meta"] as const;
export type NormalizationProfile = (typeof normalizationProfiles)[number];

const ruleSets = {
  google: { family: "google", version: 1 },
  uid2: { family: "uid2", version: 1 },
  // TikTok's documentation contradicts itself about dots and `+…` in addresses and about the `+` of phone numbers;
  // a profile of its own lets it change independently.
  tiktok: { family: "tiktok", version: 1 },
  meta: { family: "meta", version: 1 },
  x: { family: "meta", version: 1 },
  pinterest: { family: "meta", version: 1 },
  snapchat: { family: "meta", version: 1 },
} as const satisfies Record<string, { family: NormalizationProfile; version: number }>;

/** The bit of each profile in a mask of profiles that share a hash. */
export const profileBits: Record<NormalizationProfile, number> = { google: 1, uid2: 2, tiktok: 4, meta: 8 };
export const allProfiles = 15;

/** `google:1 uid2:1 …`: the rule versions that an audience's hashes were created with. */
export const ruleSetVersions = Object.entries(ruleSets)
  .map(([name, { version }]) => `${name}:${version}`)
  .join(" ");
