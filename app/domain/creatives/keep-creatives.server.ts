import { randomBytes } from "node:crypto";
import { and, eq, or, sql } from "drizzle-orm";
import { z } from "zod";
import { storageQuota } from "#app/storage/storage.server.ts";
import { sqlValue } from "#db/query-rows.server.ts";
import { accounts, creatives } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { CreativeId } from "../ids.ts";
import { creativeLimits, type FileError, wordsOfQuota } from "./creative.ts";
import type { FreshCreative, PreparedCreative } from "./prepare-creative.server.ts";

/**
 * The rows of files that were stored, in the caller's transaction: those that are new, within what the account may store. Its
 * uploads take turns here, so that many at once do not go over it together.
 */
export async function keepCreatives(
  ctx: Ctx<TenantActor>,
  prepared: readonly PreparedCreative[],
): Promise<{ ids: CreativeId[]; errors: FileError[] }> {
  const { accountId } = ctx.actor;
  await ctx.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  const taken = await countStored(ctx);
  const ids = new Set<CreativeId>();
  const errors: FileError[] = [];
  for (const one of prepared) {
    const known = await findKnown(ctx, one);
    if (known) ids.add(known);
    else if (!one.fresh) errors.push({ file: one.name, message: "The file was deleted meanwhile. Upload it again." });
    else if (taken.files >= creativeLimits.most || taken.bytes + one.fresh.bytes > storageQuota()) {
      errors.push({ file: one.name, message: overQuota(taken.files) });
    } else {
      await insert(ctx, one, one.fresh);
      ids.add(one.fresh.id);
      taken.files += 1;
      taken.bytes += one.fresh.bytes;
    }
  }
  return { ids: [...ids], errors };
}

/** How many creatives the account has, and their bytes. */
export async function countStored(ctx: Ctx<TenantActor>): Promise<{ files: number; bytes: number }> {
  const [sum] = await ctx.db
    .select({
      files: sqlValue(z.number(), sql`count(*)::int`),
      bytes: sqlValue(z.string(), sql`coalesce(sum(${creatives.bytes}), 0)::bigint`),
    })
    .from(creatives)
    .where(eq(creatives.accountId, ctx.actor.accountId));
  return { files: sum?.files ?? 0, bytes: Number(sum?.bytes ?? 0) };
}

function overQuota(files: number): string {
  if (files >= creativeLimits.most) {
    return `You have ${creativeLimits.most.toLocaleString("en-US")} creatives, and no more can be kept. Delete some first.`;
  }
  return `There is no room for this file: your creatives may take ${wordsOfQuota(storageQuota())}. Delete some first.`;
}

/** The account's creative that is the same file, as it was sent or as it is kept. */
async function findKnown(ctx: Ctx<TenantActor>, { sourceSha256, fresh }: PreparedCreative) {
  const same = or(eq(creatives.sourceSha256, sourceSha256), fresh && eq(creatives.sha256, fresh.sha256));
  const [row] = await ctx.db
    .select({ id: creatives.id })
    .from(creatives)
    .where(and(eq(creatives.accountId, ctx.actor.accountId), same))
    .limit(1);
  return row?.id;
}

async function insert(ctx: Ctx<TenantActor>, prepared: PreparedCreative, fresh: FreshCreative): Promise<void> {
  const { accountId, userId } = ctx.actor;
  const { name, sourceSha256 } = prepared;
  const { paths: _, ...read } = fresh;
  const fileKey = randomBytes(24).toString("base64url");
  const own = { accountId, createdBy: userId, createdAt: ctx.clock() };
  await ctx.db.insert(creatives).values({ ...read, ...own, name, sourceSha256, fileKey });
  await recordAudit(ctx, {
    action: "creative.uploaded",
    entity: "creative",
    entityId: fresh.id,
    accountId,
    after: { name, type: read.type, width: read.width, height: read.height, bytes: read.bytes, sha256: read.sha256 },
  });
}
