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

export const refreshFrequencyLabels = {
  daily: "Daily",
  weekly: "Weekly",
  monthly: "Monthly",
  manual: "Manual",
} as const;
export const dataSources = ["file", "api", "salesforce", "hubspot", "klaviyo", "segment"] as const;
export const refreshFrequencies = ["daily", "weekly", "monthly", "manual"] as const;
export const audienceStatuses = ["building", "below_minimum", "ready", "archived"] as const;
export type AudienceStatus = (typeof audienceStatuses)[number];

export const audienceStatusLabels: Record<AudienceStatus, string> = {
  building: "Building",
  below_minimum: "Below minimum",
  ready: "Ready",
  archived: "Archived",
};

/** What can change an audience's people. */
export const changeSources = ["upload", "members", "erasure"] as const;
export type ChangeSource = (typeof changeSources)[number];

export const uploadModes = ["add", "replace", "remove"] as const;
export type UploadMode = (typeof uploadModes)[number];
export const uploadModeLabels: Record<UploadMode, string> = { add: "Add", replace: "Replace", remove: "Remove" };
export const uploadStatuses = ["running", "succeeded", "failed"] as const;
export type UploadStatus = (typeof uploadStatuses)[number];

/** Where an upload's people came from: files that somebody sent, or a program that was asked. */
export const uploadSources = ["file", "salesforce", "hubspot", "klaviyo"] as const;
export type UploadSource = (typeof uploadSources)[number];

/** Why an identifier was not taken. */
export const invalidReasons = {
  invalid_email: "Not an e-mail address",
  invalid_phone: "Not a phone number with a country",
  md5: "An MD5 hash; SHA-256 is needed",
  sha1: "A SHA-1 hash; SHA-256 is needed",
  hash_prefix: "A hash with a 0x prefix",
  hash_length: "A hash of another length than SHA-256",
  hash_of_nothing: "The hash of an empty cell",
} as const;
export type InvalidReason = keyof typeof invalidReasons;

/** A row of a file that was not taken; `value` is masked: `j***@e***`. */
export type UploadProblem = { file: number; line: number; reason: InvalidReason; value: string };
export type UploadFile = { name: string; bytes: number; format: string; rows: number };

/** What a file, and all files of an upload together, may have. */
export const uploadLimits = { fileBytes: 100 * 1024 * 1024, files: 20, totalBytes: 1024 * 1024 * 1024 } as const;

/** US cents for a thousand impressions of an audience whose publisher named no price. */
export const defaultCpmCents = 500;

/** Fewer distinct people than this cannot be used in a campaign. */
export const minimumAudienceSize = 1_000;

const steps = [1, 2.5, 5];

/** A number of people rounded down to 1,000, 2,500, 5,000, 10,000, 25,000 … 0 under the minimum. */
export function roundedSize(people: number): number {
  if (people < minimumAudienceSize) return 0;
  const magnitude = 10 ** Math.floor(Math.log10(people));
  const step = steps.findLast((candidate) => candidate * magnitude <= people) ?? 1;
  return step * magnitude;
}

/** A number of people in two digits: 1,317 as 1,300 or 1,400. */
export function toTwoDigits(people: number, round: (value: number) => number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(people)) - 1);
  return round(people / unit) * unit;
}

/** The step above a rounded size. */
export function nextStep(size: number): number {
  if (size === 0) return minimumAudienceSize;
  return String(size).startsWith("1") ? size * 2.5 : size * 2;
}

/** The status that a number of people makes. */
export function statusOfSize(people: number): "below_minimum" | "ready" {
  return people < minimumAudienceSize ? "below_minimum" : "ready";
}
