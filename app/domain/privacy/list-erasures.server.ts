import { and, isNull } from "drizzle-orm";
import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { keysetPage } from "#app/domain/keyset-page.server.ts";
import type { PageRequest } from "#app/domain/page.ts";
import { erasures } from "#db/schema/index.ts";

/**
 * Lists the requests for erasure that were not canceled, newest first, for an operator: those that are open, and those
 * that were carried out, at `completedAt`.
 */
export async function listErasures(ctx: Ctx<OperatorActor>, input: PageRequest) {
  const keyset = keysetPage(input, erasures.id);
  const rows = await ctx.db
    .select({
      id: erasures.id,
      userId: erasures.userId,
      dueAt: erasures.dueAt,
      completedAt: erasures.completedAt,
    })
    .from(erasures)
    .where(and(isNull(erasures.canceledAt), keyset.where))
    .orderBy(keyset.order)
    .limit(keyset.limit);
  return keyset.page(rows);
}
