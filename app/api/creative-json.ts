import { z } from "zod";
import { creativeTypes } from "#app/domain/creatives/creative.ts";
import type { Creative } from "#app/domain/creatives/creative-rows.server.ts";
import { absoluteUrl, wire } from "./wire.ts";

export const creativeSchema = z.object({
  id: wire.id,
  url: z.url().describe("Who knows it may see the file; it never changes"),
  preview_url: z.url().nullable().describe("A small still picture of it; null for a film"),
  name: z.string(),
  type: z.enum(creativeTypes),
  width: wire.count,
  height: wire.count,
  duration: z.number().nullable().describe("Seconds, of films and animations"),
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
