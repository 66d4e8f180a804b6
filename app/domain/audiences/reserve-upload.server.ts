import { and, eq, like } from "drizzle-orm";
import { z } from "zod";
import { audiences, audienceUploads } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import { sendAgain } from "../heartbeat.ts";
import { doOnce } from "../idempotency/do-once.server.ts";
import { type AudienceId, idSchema, newId, type UploadId } from "../ids.ts";
import type { UploadMode } from "./audience.ts";

const kept = z.object({ id: idSchema<UploadId>() });

/**
 * The row of an upload that is about to arrive. The same key for the same audience and mode gives the same upload, whose
 * files need not be read again, unless it was cut off or failed through us: then it begins anew. Throws `not_found`, and `invalid_transition` for an archived audience.
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
  const { id } = kept.parse(JSON.parse(body));
  return { id, isNew: !replayed || (await beginAgain(ctx, id)) };
}

/** False when it runs or is at its end. Of several at once one begins. */
async function beginAgain(ctx: Ctx<PublisherActor>, id: UploadId): Promise<boolean> {
  const begun = await ctx.db
    .update(audienceUploads)
    .set({ ...unread, status: "running", error: null, finishedAt: null, aliveAt: ctx.clock() })
    .where(
      and(
        eq(audienceUploads.id, id),
        eq(audienceUploads.publisherId, ctx.actor.accountId),
        eq(audienceUploads.status, "failed"),
        like(audienceUploads.error, `%${sendAgain}`),
      ),
    )
    .returning({ id: audienceUploads.id });
  return begun.length > 0;
}

/** A report of nothing. */
const unread = {
  files: [],
  rowsRead: 0,
  rowsBlank: 0,
  rowsInvalid: 0,
  invalidByReason: {},
  problems: [],
  droppedColumns: [],
  notes: [],
};

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
