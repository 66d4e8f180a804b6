import { inArray } from "drizzle-orm";
import { creatives } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import type { CreativeId } from "../ids.ts";
import { creativesPath, previewExtension } from "./creative.ts";

export const creativeColumns = {
  id: creatives.id,
  name: creatives.name,
  type: creatives.type,
  width: creatives.width,
  height: creatives.height,
  durationMs: creatives.durationMs,
  bytes: creatives.bytes,
  path: creatives.path,
  fileKey: creatives.fileKey,
  previewBytes: creatives.previewBytes,
};

type Row = Pick<typeof creatives.$inferSelect, keyof typeof creativeColumns>;

/**
 * A creative as lists and pages show it. `path` is the URL path of its file, `previewPath` that of a small still image.
 */
export type Creative = ReturnType<typeof toCreative>;

export function toCreative({ fileKey, previewBytes, ...row }: Row) {
  return { ...row, previewPath: previewBytes === null ? null : creativesPath + fileKey + previewExtension };
}

/**
 * Returns the creatives with these ids that exist, in the order of the ids, whoever owns them. The caller has checked
 * access to the campaign that uses them.
 */
export async function listCreativesById(ctx: Pick<Ctx, "db">, ids: readonly CreativeId[]): Promise<Creative[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .select(creativeColumns)
    .from(creatives)
    .where(inArray(creatives.id, [...ids]));
  return rows.map(toCreative).sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

/** The storage keys of a creative's file and its preview. */
export function creativeStorageKeys(id: CreativeId): { file: string; preview: string } {
  const file = `creatives/${id.slice(-2)}/${id}`;
  return { file, preview: `${file}-preview` };
}
