import { randomBytes } from "node:crypto";
import { and, eq, or, sql } from "drizzle-orm";
import { z } from "zod";
import { creativeQuotaBytes } from "#app/storage/storage.server.ts";
import { sqlValue } from "#db/query-rows.server.ts";
import { creatives } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { CreativeId } from "../ids.ts";
import { creativeLimits, formatQuota, type RejectedFile } from "./creative.ts";
import type { NewCreative, PreparedCreative } from "./prepare-creative.server.ts";

/**
 * Inserts the rows of stored files in the caller's transaction: those that are new and within the account's storage
 * quota. The account's row is locked, so that concurrent uploads cannot exceed the quota together. Throws
 * `invalid_transition` when the account is closed.
 */
export async function insertCreatives(
  ctx: Ctx<TenantActor>,
  prepared: readonly PreparedCreative[],
): Promise<{ ids: CreativeId[]; errors: RejectedFile[] }> {
  const { accountId } = ctx.actor;
  await requireOpenAccount(ctx, accountId, "no key update");
  const usage = await getCreativeUsage(ctx);
  const ids = new Set<CreativeId>();
  const errors: RejectedFile[] = [];
  for (const one of prepared) {
    const existing = await findExisting(ctx, one);
    if (existing) ids.add(existing);
    else if (!one.newCreative)
      errors.push({ file: one.name, message: "The file was deleted during the upload. Upload it again." });
    else if (usage.files >= creativeLimits.perAccount || usage.bytes + one.newCreative.bytes > creativeQuotaBytes()) {
      errors.push({ file: one.name, message: overQuota(usage.files) });
    } else {
      await insert(ctx, one, one.newCreative);
      ids.add(one.newCreative.id);
      usage.files += 1;
      usage.bytes += one.newCreative.bytes;
    }
  }
  return { ids: [...ids], errors };
}

/** Returns the number of the account's creatives and their total size in bytes. */
export async function getCreativeUsage(ctx: Ctx<TenantActor>): Promise<{ files: number; bytes: number }> {
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
  if (files >= creativeLimits.perAccount) {
    return `You've reached the limit of ${creativeLimits.perAccount.toLocaleString("en-US")} creatives. Delete some first.`;
  }
  return `This file exceeds your ${formatQuota(creativeQuotaBytes())} storage limit. Delete some creatives first.`;
}

/** Finds the account's creative with the same file, by the hash of the uploaded or of the processed file. */
async function findExisting(ctx: Ctx<TenantActor>, { sourceSha256, newCreative }: PreparedCreative) {
  const same = or(eq(creatives.sourceSha256, sourceSha256), newCreative && eq(creatives.sha256, newCreative.sha256));
  const [row] = await ctx.db
    .select({ id: creatives.id })
    .from(creatives)
    .where(and(eq(creatives.accountId, ctx.actor.accountId), same))
    .limit(1);
  return row?.id;
}

async function insert(ctx: Ctx<TenantActor>, prepared: PreparedCreative, newCreative: NewCreative): Promise<void> {
  const { accountId, userId } = ctx.actor;
  const { name, sourceSha256 } = prepared;
  const { paths: _, ...read } = newCreative;
  const fileKey = randomBytes(24).toString("base64url");
  const own = { accountId, createdBy: userId, createdAt: ctx.clock() };
  await ctx.db.insert(creatives).values({ ...read, ...own, name, sourceSha256, fileKey });
  await recordAudit(ctx, {
    action: "creative.uploaded",
    entity: "creative",
    entityId: newCreative.id,
    accountId,
    after: { name, type: read.type, width: read.width, height: read.height, bytes: read.bytes, sha256: read.sha256 },
  });
}
