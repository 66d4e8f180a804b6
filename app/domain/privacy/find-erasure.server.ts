import { and, eq, isNull } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { UserId } from "#app/domain/ids.ts";
import { erasures } from "#db/schema/index.ts";

/** The request is neither canceled nor carried out. */
export const isOpenErasure = and(isNull(erasures.canceledAt), isNull(erasures.completedAt));

/** Returns the person's open request to have their data erased. */
export async function findErasure(ctx: Pick<Ctx, "db">, { userId }: { userId: UserId }) {
  const [erasure] = await ctx.db
    .select({ id: erasures.id, dueAt: erasures.dueAt, accountId: erasures.accountId, blockers: erasures.blockers })
    .from(erasures)
    .where(and(eq(erasures.userId, userId), isOpenErasure));
  return erasure;
}
