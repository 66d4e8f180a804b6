import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { and, eq } from "drizzle-orm";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { creativeStorageKeys } from "#app/domain/creatives/creative-rows.server.ts";
import { insertCreatives } from "#app/domain/creatives/insert-creatives.server.ts";
import { type CreativeId, newId } from "#app/domain/ids.ts";
import { projectFile } from "#app/project-file.server.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import { creatives } from "#db/schema/index.ts";

/**
 * Inserts an image, or the six-second video, of the folder beside this file as a creative of the actor, and returns its
 * id. The file is not processed like an upload, because it is already clean. The same file again is the same creative.
 */
export async function uploadBanner(ctx: Ctx<TenantActor>, name: `${string}.png` | "camp.mp4"): Promise<CreativeId> {
  const content = await readFile(projectFile(`db/seed/banners/${name}`));
  const sha256 = createHash("sha256").update(content).digest("hex");
  const own = and(eq(creatives.accountId, ctx.actor.accountId), eq(creatives.sha256, sha256));
  const [known] = await ctx.db.select({ id: creatives.id }).from(creatives).where(own);
  if (known) return known.id;
  const id = newId<CreativeId>();
  const storage = await fileStorage();
  const bytes = content.length;
  const about = name === "camp.mp4" ? video : imageOf(content);
  await storage.put(creativeStorageKeys(id).file, Readable.from([content]), { bytes, type: about.type });
  const fresh = { id, ...about, bytes, previewBytes: null, sha256, paths: { file: "", preview: "" } };
  await insertCreatives(ctx, [{ name, sourceSha256: sha256, newCreative: fresh }]);
  return id;
}

const video = { type: "video/mp4", width: 640, height: 360, durationMs: 6_000 } as const;

/** A PNG starts with its header, which contains its size. */
function imageOf(content: Buffer) {
  const [width, height] = [content.readUInt32BE(16), content.readUInt32BE(20)];
  return { type: "image/png", width, height, durationMs: null } as const;
}
