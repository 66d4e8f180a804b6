import { inArray } from "drizzle-orm";
import { sweepIncoming } from "#app/storage/incoming-file.server.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import { creatives } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../context.ts";
import { type CreativeId, parseId } from "../ids.ts";

/** Younger files may belong to an upload that has not written its rows yet. In milliseconds. */
const patience = 24 * 3_600_000;
const batch = 500;

/** Drops files of creatives that have no row, and what broken uploads left behind. Answers how many. */
export async function sweepCreatives(ctx: Ctx<JobActor>): Promise<number> {
  const storage = await fileStorage();
  const before = new Date(ctx.clock().getTime() - patience);
  let dropped = (await sweepIncoming(before)) + (await storage.dropUnfinished(before));
  let keys: string[] = [];
  const sweep = async () => {
    const orphans = await withoutRows(ctx, keys);
    await storage.delete(orphans);
    dropped += orphans.length;
    keys = [];
  };
  for await (const { key, storedAt } of storage.list("creatives/")) {
    if (storedAt >= before) continue;
    keys.push(key);
    if (keys.length === batch) await sweep();
  }
  await sweep();
  return dropped;
}

async function withoutRows(ctx: Ctx<JobActor>, keys: readonly string[]): Promise<string[]> {
  const ids = keys.flatMap((key) => idOf(key) ?? []);
  if (ids.length === 0) return [...keys];
  const rows = await ctx.db.select({ id: creatives.id }).from(creatives).where(inArray(creatives.id, ids));
  const there = new Set(rows.map(({ id }) => id));
  return keys.filter((key) => {
    const id = idOf(key);
    return id === undefined || !there.has(id);
  });
}

function idOf(key: string): CreativeId | undefined {
  return parseId<CreativeId>(key.split("/").at(-1)?.slice(0, 36));
}
