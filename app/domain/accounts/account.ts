/** Enumerations and labels of accounts. Pure. */
export const accountTypes = ["advertiser", "publisher"] as const;
export type AccountType = (typeof accountTypes)[number];

/** `pending` is a user without an account: signed in but not registered. */
export const userTypes = ["advertiser", "publisher", "pending"] as const;
export type UserType = (typeof userTypes)[number];

export const accountStatuses = ["pending", "approved", "suspended"] as const;
export type AccountStatus = (typeof accountStatuses)[number];

export const businessVerticals = [
  "ecommerce",
  "saas",
  "finance",
  "healthcare",
  "education",
  "travel",
  "automotive",
  "real_estate",
  "other",
] as const;
export type BusinessVertical = (typeof businessVerticals)[number];
export const businessVerticalLabels: Record<BusinessVertical, string> = {
  ecommerce: "Ecommerce",
  saas: "SaaS",
  finance: "Finance",
  healthcare: "Healthcare",
  education: "Education",
  travel: "Travel",
  automotive: "Automotive",
  real_estate: "Real estate",
  other: "Other",
};
