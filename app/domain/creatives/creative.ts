import type { MediaType } from "#app/media/media.ts";

/** The vocabulary of creatives: what ads are made of. Pure. */
export const creativeTypes = [
  "image/jpeg",
  "image/png",
  "image/gif",
  "video/mp4",
] as const satisfies readonly MediaType[];
export type CreativeType = (typeof creativeTypes)[number];

/** What people call them. */
export const creativeTypeLabels: Record<CreativeType, string> = {
  "image/jpeg": "JPG",
  "image/png": "PNG",
  "image/gif": "GIF",
  "video/mp4": "MP4",
};

const megabyte = 1024 * 1024;

export const creativeLimits = {
  fileBytes: 50 * megabyte,
  /** At once. */
  files: 10,
  totalBytes: 500 * megabyte,
  /** In one campaign. */
  chosen: 20,
  /** Of one account. Its bytes have a limit of their own, a setting. */
  most: 10_000,
} as const;

/** A file that was rejected, by the name that is shown of it, and why. */
export type FileError = { file: string; message: string };

export function isFilm({ type }: { type: CreativeType }): boolean {
  return type === "video/mp4";
}

/** `5 GB`: what an account's creatives may take. */
export function wordsOfQuota(bytes: number): string {
  return `${(bytes / 1024 ** 3).toLocaleString("en-US", { maximumFractionDigits: 2 })} GB`;
}

/** Where files are served, and how the end of an address says what they are. */
export const creativesPath = "/creatives/";
export const creativeExtensions: Record<CreativeType, string> = {
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/gif": ".gif",
  "video/mp4": ".mp4",
};
/** In place of the file's own: a small still picture of it. */
export const previewExtension = ".preview.webp";
