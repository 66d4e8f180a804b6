import type { MediaType } from "#app/media/media.ts";

/** Enumerations, labels and limits of creatives. Pure. */
export const creativeTypes = [
  "image/jpeg",
  "image/png",
  "image/gif",
  "video/mp4",
] as const satisfies readonly MediaType[];
export type CreativeType = (typeof creativeTypes)[number];

/** Display names of the types. */
export const creativeTypeLabels: Record<CreativeType, string> = {
  "image/jpeg": "JPG",
  "image/png": "PNG",
  "image/gif": "GIF",
  "video/mp4": "MP4",
};

const megabyte = 1024 * 1024;

export const creativeLimits = {
  fileBytes: 50 * megabyte,
  /** Files per upload. */
  perUpload: 10,
  totalBytes: 500 * megabyte,
  /** Creatives per campaign. */
  perCampaign: 20,
  /** Creatives per account. The total size of their files is limited by a setting. */
  perAccount: 10_000,
} as const;

/** A rejected file, with its displayed name and the reason. */
export type RejectedFile = { file: string; message: string };

export function isVideo({ type }: { type: CreativeType }): boolean {
  return type === "video/mp4";
}

/** Formats the storage quota of an account's creatives: `5 GB`. */
export function formatQuota(bytes: number): string {
  return `${(bytes / 1024 ** 3).toLocaleString("en-US", { maximumFractionDigits: 2 })} GB`;
}

/** The URL prefix of creatives' files; the extension of a URL shows the type. */
export const creativesPath = "/creatives/";
export const creativeExtensions: Record<CreativeType, string> = {
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/gif": ".gif",
  "video/mp4": ".mp4",
};
/** The extension of a preview, a small still image, in place of the file's own. */
export const previewExtension = ".preview.webp";
