import { and, eq } from "drizzle-orm";
import { creatives } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { CreativeId } from "../ids.ts";
import { creativeColumns, toCreative } from "./creative-rows.server.ts";

/** Returns one of the account's creatives. Throws `not_found`. */
export async function getCreative(ctx: Ctx<TenantActor>, id: CreativeId) {
  const [row] = await ctx.db
    .select({ ...creativeColumns, createdAt: creatives.createdAt })
    .from(creatives)
    .where(and(eq(creatives.id, id), eq(creatives.accountId, ctx.actor.accountId)));
  if (!row) throw notFound("Creative");
  const { createdAt, ...rest } = row;
  return { ...toCreative(rest), createdAt };
}
