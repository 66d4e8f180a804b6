import { creativeTypeLabels, isVideo } from "#app/domain/creatives/creative.ts";
import type { Creative } from "#app/domain/creatives/creative-rows.server.ts";
import { formatBytes } from "#app/ui/format.ts";

/** The fields of a creative that pages show. */
export type CreativeView = Pick<
  Creative,
  "id" | "name" | "type" | "width" | "height" | "durationMs" | "bytes" | "path" | "previewPath"
>;

/** Formats `PNG · 728 × 90 · 33 KB`; a video or animation also has its duration. */
export function describeCreativeFile({ type, width, height, durationMs, bytes }: CreativeView): string {
  const length = durationMs === null ? [] : [formatDuration(durationMs)];
  const parts = [creativeTypeLabels[type], `${width} × ${height}`, ...length, formatBytes(bytes)];
  // Non-breaking spaces keep each part on one line.
  return parts.map((part) => part.replaceAll(" ", "\u00a0")).join("\u00a0· ");
}

/** Formats `2.5 s`, `12 s`, `1:05 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")} min`;
}

/** Describes what may be wrong with a creative in the format; a warning, not an error. */
export function describeFormatMismatch(adFormat: string | null, creative: CreativeView): string | undefined {
  if (adFormat === "video" && !isVideo(creative)) return "Video ads require an MP4";
  return adFormat === "display" && isVideo(creative) ? "Display ads require an image" : undefined;
}
