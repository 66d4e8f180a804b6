import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { UserId } from "#app/domain/ids.ts";
import { findErasure } from "./find-erasure.server.ts";
import { isLastPerson } from "./is-last-person.server.ts";
import { listErasureBlockers } from "./list-erasure-blockers.server.ts";

/**
 * Returns whether erasing a person closes the account, and the day (UTC) for which it is requested, undefined if it is
 * not.
 */
export async function getErasureScope(ctx: Ctx<TenantActor>, { userId }: { userId: UserId }) {
  const erasure = await findErasure(ctx, { userId });
  const closesAccount = erasure
    ? erasure.accountId !== null
    : await isLastPerson(ctx, { accountId: ctx.actor.accountId, userId, among: "staying" });
  return { closesAccount, requestedFor: erasure && calendarDateOf(erasure.dueAt) };
}

/** Returns the scope of erasing a person, and what has to end before. */
export async function getErasurePlan(ctx: Ctx<TenantActor>, { userId }: { userId: UserId }) {
  const scope = await getErasureScope(ctx, { userId });
  return { ...scope, blockers: scope.closesAccount ? await listErasureBlockers(ctx) : [] };
}
