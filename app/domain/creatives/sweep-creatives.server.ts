import { inArray } from "drizzle-orm";
import { sweepIncoming } from "#app/storage/incoming-file.server.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import { creatives } from "#db/schema/index.ts";
import { hasAccounts } from "../accounts/has-accounts.server.ts";
import type { Ctx, JobActor } from "../context.ts";
import { type CreativeId, parseId } from "../ids.ts";
import { requireOwnStorage } from "../storage-owner.server.ts";

/** Younger files may belong to an upload that has not inserted its rows yet. In milliseconds. */
const orphanGraceMs = 24 * 3_600_000;
const batchSize = 500;

/**
 * Deletes creatives' files without a row and what interrupted uploads left behind. Returns the number of deleted files.
 * A database without accounts owns none of the files that it finds: it may be about to be restored, and their only copy
 * be here. Throws a StorageError when the storage is another database's.
 */
export async function sweepCreatives(ctx: Ctx<JobActor>): Promise<number> {
  const storage = await fileStorage();
  const before = orphanedBefore(ctx);
  let dropped = await sweepIncoming(before);
  if (!(await hasAccounts(ctx))) return dropped;
  await requireOwnStorage(ctx);
  let keys: string[] = [];
  const sweep = async () => {
    const orphans = await filterOrphans(ctx, keys);
    await storage.delete(orphans);
    dropped += orphans.length;
    keys = [];
  };
  for await (const { key, storedAt } of storage.list("creatives/")) {
    if (storedAt >= before) continue;
    keys.push(key);
    if (keys.length === batchSize) await sweep();
  }
  await sweep();
  // Last, because a bucket's policy may forbid to list them.
  return dropped + (await storage.deleteUnfinished(before));
}

/** Deletes what interrupted uploads left in this machine's folder of incoming files. Returns the number of files. */
export async function sweepIncomingFiles(ctx: Pick<Ctx<JobActor>, "clock">): Promise<number> {
  return sweepIncoming(orphanedBefore(ctx));
}

function orphanedBefore({ clock }: Pick<Ctx<JobActor>, "clock">): Date {
  return new Date(clock().getTime() - orphanGraceMs);
}

async function filterOrphans(ctx: Ctx<JobActor>, keys: readonly string[]): Promise<string[]> {
  const ids = keys.flatMap((key) => creativeIdOfKey(key) ?? []);
  if (ids.length === 0) return [...keys];
  const rows = await ctx.db.select({ id: creatives.id }).from(creatives).where(inArray(creatives.id, ids));
  const existing = new Set(rows.map(({ id }) => id));
  return keys.filter((key) => {
    const id = creativeIdOfKey(key);
    return id === undefined || !existing.has(id);
  });
}

function creativeIdOfKey(key: string): CreativeId | undefined {
  return parseId<CreativeId>(key.split("/").at(-1)?.slice(0, 36));
}
