import { and, eq, like } from "drizzle-orm";
import { z } from "zod";
import { productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { sendAgain } from "../../heartbeat.ts";
import { doOnce } from "../../idempotency/do-once.server.ts";
import { type ImportId, idSchema, newId } from "../../ids.ts";
import { ownImport } from "./import-rows.server.ts";

const kept = z.object({ id: idSchema<ImportId>() });

/**
 * The row of an import whose file is about to arrive. The same key gives the same import, whose file need not be read
 * again, unless it was cut off or failed through us: then it begins anew.
 */
export async function reserveImport(
  ctx: Ctx<TenantActor>,
  { key }: { key: string | undefined },
): Promise<{ id: ImportId; isNew: boolean }> {
  if (key === undefined) return { id: await insertImport(ctx), isNew: true };
  const once = { caller: `product-import:${ctx.actor.accountId}`, key, request: "product import" };
  const { body, replayed } = await doOnce(ctx, once, async (inside) => {
    const id = await insertImport(inside);
    return { status: 202, body: JSON.stringify({ id }) };
  });
  const { id } = kept.parse(JSON.parse(body));
  return { id, isNew: !replayed || (await beginAgain(ctx, id)) };
}

async function insertImport(ctx: Ctx<TenantActor>): Promise<ImportId> {
  const id = newId<ImportId>();
  const now = ctx.clock();
  await ctx.db.insert(productImports).values({
    id,
    accountId: ctx.actor.accountId,
    createdAt: now,
    createdBy: ctx.actor.userId,
    aliveAt: now,
  });
  return id;
}

/** False when it runs or is at its end. Of several at once one begins. */
async function beginAgain(ctx: Ctx<TenantActor>, id: ImportId): Promise<boolean> {
  const begun = await ctx.db
    .update(productImports)
    .set({ status: "running", error: null, finishedAt: null, aliveAt: ctx.clock() })
    .where(and(ownImport(ctx, id), eq(productImports.status, "failed"), like(productImports.error, `%${sendAgain}`)))
    .returning({ id: productImports.id });
  return begun.length > 0;
}
