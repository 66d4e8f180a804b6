import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { audiences, audienceUploads } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import { doOnce } from "../idempotency/do-once.server.ts";
import { type AudienceId, idSchema, newId, type UploadId } from "../ids.ts";
import type { UploadMode } from "./audience.ts";

const kept = z.object({ id: idSchema<UploadId>() });

/**
 * The row of an upload that is about to arrive. The same key for the same audience and mode gives the same upload, whose
 * files need not be read again. Throws `not_found`, and `invalid_transition` for an archived audience.
 */
export async function reserveUpload(
  ctx: Ctx<PublisherActor>,
  { audienceId, mode, key }: { audienceId: AudienceId; mode: UploadMode; key: string | undefined },
): Promise<{ id: UploadId; isNew: boolean }> {
  await requireOpenAudience(ctx, audienceId);
  if (key === undefined) return { id: await insertUpload(ctx, { audienceId, mode }), isNew: true };
  const once = { caller: `upload:${ctx.actor.accountId}`, key, request: `${audienceId} ${mode}` };
  const { body, replayed } = await doOnce(ctx, once, async (inside) => {
    const id = await insertUpload(inside, { audienceId, mode });
    return { status: 202, body: JSON.stringify({ id }) };
  });
  return { id: kept.parse(JSON.parse(body)).id, isNew: !replayed };
}

async function insertUpload(
  ctx: Ctx<PublisherActor>,
  { audienceId, mode }: { audienceId: AudienceId; mode: UploadMode },
): Promise<UploadId> {
  const id = newId<UploadId>();
  await ctx.db.insert(audienceUploads).values({
    id,
    audienceId,
    publisherId: ctx.actor.accountId,
    mode,
    createdAt: ctx.clock(),
    createdBy: ctx.actor.userId,
    aliveAt: ctx.clock(),
  });
  return id;
}

/** Throws as `reserveUpload` does, before anything is read. */
export async function requireOpenAudience(ctx: Ctx<PublisherActor>, audienceId: AudienceId): Promise<void> {
  const [audience] = await ctx.db
    .select({ status: audiences.status })
    .from(audiences)
    .where(and(eq(audiences.id, audienceId), eq(audiences.publisherId, ctx.actor.accountId)));
  if (!audience) throw notFound("Audience");
  if (audience.status === "archived") {
    throw new DomainError("invalid_transition", "This audience is archived; nothing can be uploaded to it");
  }
}
