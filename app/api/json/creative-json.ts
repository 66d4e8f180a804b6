import { z } from "zod";
import { absoluteUrl, wire } from "#app/api/wire.ts";
import { creativeTypes } from "#app/domain/creatives/creative.ts";
import type { Creative } from "#app/domain/creatives/creative-rows.server.ts";

export const creativeSchema = z.object({
  id: wire.id,
  url: z.url().describe("Public, permanent URL of the file"),
  preview_url: z.url().nullable().describe("Thumbnail image; null for videos"),
  name: z.string(),
  type: z.enum(creativeTypes),
  width: wire.count,
  height: wire.count,
  duration: z.number().nullable().describe("Duration in seconds, for videos and animations"),
  bytes: wire.count,
});

export function creativeJson(creative: Creative): z.output<typeof creativeSchema> {
  const { id, name, type, width, height, durationMs, bytes, path, previewPath } = creative;
  return {
    id,
    url: absoluteUrl(path),
    preview_url: previewPath === null ? null : absoluteUrl(previewPath),
    name,
    type,
    width,
    height,
    duration: durationMs === null ? null : durationMs / 1_000,
    bytes,
  };
}
