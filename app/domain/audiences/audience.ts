import type { ReadEncoding } from "#app/sheets/text/encodings.ts";
import type { FileLayout } from "./files/column-uses.ts";

/** Enumerations, labels and limits of audiences. Pure. */
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

/** What can change the members of an audience. */
export const changeSources = ["upload", "members", "erasure"] as const;
export type ChangeSource = (typeof changeSources)[number];

export const uploadModes = ["add", "replace", "remove"] as const;
export type UploadMode = (typeof uploadModes)[number];
/** The orders of a list of uploads: of figures, the highest first. */
export const uploadSorts = ["newest", "oldest", "rows", "people"] as const;
export type UploadSort = (typeof uploadSorts)[number];

export const uploadModeLabels: Record<UploadMode, string> = { add: "Add", replace: "Replace", remove: "Remove" };
export const uploadStatuses = ["running", "succeeded", "failed"] as const;
export type UploadStatus = (typeof uploadStatuses)[number];

/** The origin of an upload's people: uploaded files or a pull integration. */
export const uploadSources = ["file", "salesforce", "hubspot", "klaviyo"] as const;
export type UploadSource = (typeof uploadSources)[number];

/** Why an identifier was rejected. */
export const invalidReasonLabels = {
  invalid_email: "Not a valid email address",
  invalid_phone: "Not a phone number with a country code",
  md5: "MD5 hash. Use SHA-256.",
  sha1: "SHA-1 hash. Use SHA-256.",
  hash_prefix: "Hash with a 0x prefix. Remove the prefix.",
  hash_length: "Hash is not the length of a SHA-256 hash",
  hash_of_nothing: "Hash of an empty value",
  unsaved_formula: "Formula without a saved result. Open the file in a spreadsheet app and save it.",
} as const;
export type InvalidReason = keyof typeof invalidReasonLabels;

/** A rejected row of a file. `value` is masked: `j***@e***`. */
export type UploadProblem = { file: number; line: number; reason: InvalidReason; value: string };
/** `encoding` is that of a text file; `layout` has the columns of the file's first table, if they are known. */
export type UploadFile = {
  name: string;
  bytes: number;
  format: string;
  rows: number;
  encoding?: ReadEncoding;
  layout?: FileLayout;
};

/** Size limits of a file and of all files of an upload together. */
export const uploadLimits = { fileBytes: 100 * 1024 * 1024, files: 20, totalBytes: 1024 * 1024 * 1024 } as const;

/** The CPM, in US cents, of an audience without a price of its own. */
export const defaultCpmCents = 500;

/** The number of distinct people that an audience needs before campaigns can use it. */
export const minimumAudienceSize = 1_000;

const steps = [1, 2.5, 5];

/** Rounds a number of people down to 1,000, 2,500, 5,000, 10,000, 25,000 and so on. Returns 0 below the minimum. */
export function roundedSize(people: number): number {
  if (people < minimumAudienceSize) return 0;
  const magnitude = 10 ** Math.floor(Math.log10(people));
  const step = steps.findLast((candidate) => candidate * magnitude <= people) ?? 1;
  return step * magnitude;
}

/** Rounds a number of people to two significant digits: 1,317 becomes 1,300 or 1,400, depending on `round`. */
export function toTwoDigits(people: number, round: (value: number) => number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(people)) - 1);
  return round(people / unit) * unit;
}

/** Returns the next larger rounded size. */
export function nextStep(size: number): number {
  if (size === 0) return minimumAudienceSize;
  return String(size).startsWith("1") ? size * 2.5 : size * 2;
}

/** Says how many people an audience below the minimum lacks, for its publisher. */
export function describeMissingPeople(people: number): string {
  const format = (count: number) => count.toLocaleString("en-US");
  return `The audience has ${people === 1 ? "1 person" : `${format(people)} people`}. Add ${format(Math.max(0, minimumAudienceSize - people))} more so campaigns can use it (minimum ${format(minimumAudienceSize)}).`;
}

/** Returns the status of an audience with this number of people. */
export function statusForSize(people: number): "below_minimum" | "ready" {
  return people < minimumAudienceSize ? "below_minimum" : "ready";
}
