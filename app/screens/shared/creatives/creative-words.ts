import { creativeTypeLabels, isFilm } from "#app/domain/creatives/creative.ts";
import type { Creative } from "#app/domain/creatives/creative-rows.server.ts";
import { formatBytes } from "#app/ui/format.ts";

/** What is shown of a creative on pages. */
export type ShownCreative = Pick<
  Creative,
  "id" | "name" | "type" | "width" | "height" | "durationMs" | "bytes" | "path" | "previewPath"
>;

/** `PNG · 728 × 90 · 33 KB`; a film and an animation also say how long they are. */
export function wordsOfFile({ type, width, height, durationMs, bytes }: ShownCreative): string {
  const length = durationMs === null ? [] : [wordsOfDuration(durationMs)];
  const parts = [creativeTypeLabels[type], `${width} × ${height}`, ...length, formatBytes(bytes)];
  // A line breaks between them only.
  return parts.map((part) => part.replaceAll(" ", "\u00a0")).join("\u00a0· ");
}

/** `2.5 s`, `12 s`, `1:05 min` */
export function wordsOfDuration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")} min`;
}

/** What could be wrong with a creative in the format, without standing in its way. */
export function wordsOfMismatch(adFormat: string | null, creative: ShownCreative): string | undefined {
  if (adFormat === "video" && !isFilm(creative)) return "A video ad needs an MP4";
  return adFormat === "display" && isFilm(creative) ? "A display ad is a picture" : undefined;
}
