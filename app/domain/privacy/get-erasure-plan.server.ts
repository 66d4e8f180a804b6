import { and, eq, isNull, ne } from "drizzle-orm";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { UserId } from "#app/domain/ids.ts";
import { users } from "#db/schema/index.ts";
import { findErasure } from "./find-erasure.server.ts";
import { listErasureBlockers } from "./list-erasure-blockers.server.ts";

/**
 * Returns whether erasing a person closes the account, what has to end before, and the day (UTC) for which it is
 * requested, undefined if it is not.
 */
export async function getErasurePlan(ctx: Ctx<TenantActor>, { userId }: { userId: UserId }) {
  const erasure = await findErasure(ctx, { userId });
  const others = and(eq(users.accountId, ctx.actor.accountId), ne(users.id, userId), isNull(users.erasedAt));
  const closesAccount = erasure ? erasure.accountId !== null : (await ctx.db.$count(users, others)) === 0;
  return {
    closesAccount,
    blockers: closesAccount ? await listErasureBlockers(ctx) : [],
    requestedFor: erasure && calendarDateOf(erasure.dueAt),
  };
}
