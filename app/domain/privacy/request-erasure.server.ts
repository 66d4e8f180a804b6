import { and, eq, isNull } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, OperatorActor, TenantActor } from "#app/domain/context.ts";
import { DomainError, notFound } from "#app/domain/errors.ts";
import { type ErasureId, newId, type UserId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { accounts, erasures, users } from "#db/schema/index.ts";
import { describeErasureBlocker, type ErasureBlocker, type ErasureRequester, erasureDelayDays } from "./erasure.ts";
import { findErasure } from "./find-erasure.server.ts";
import { isLastPerson } from "./is-last-person.server.ts";
import { listErasureBlockers } from "./list-erasure-blockers.server.ts";
import { tenantActor } from "./tenant-actor.ts";

/**
 * Requests the erasure of a person's data, which is carried out a week later, or at once for an operator who says so.
 * The account is closed with its last person; those with an open request do not count as others. A repeated request has
 * no effect, unless it is at once and the open one is not due. With `acceptsDebt`, which an operator decides for this
 * one attempt, an account that owes money is closed too. Notifies the account. Throws `not_found`, and
 * `invalid_transition` with what has to end before the account can be closed.
 */
export async function requestErasure(
  ctx: Ctx<TenantActor | OperatorActor>,
  { userId, isImmediate = false, acceptsDebt }: { userId: UserId; isImmediate?: boolean; acceptsDebt?: boolean },
): Promise<{ dueAt: Date }> {
  return inTransaction(ctx, async (tx) => {
    const ownAccount = "accountId" in tx.actor ? eq(users.accountId, tx.actor.accountId) : undefined;
    const [person] = await tx.db
      .select({ accountId: users.accountId, type: accounts.type, status: accounts.status })
      .from(users)
      .leftJoin(accounts, eq(accounts.id, users.accountId))
      .where(and(eq(users.id, userId), isNull(users.erasedAt), ownAccount))
      .for("update", { of: users });
    if (!person) throw notFound("Person");
    const open = await findErasure(tx, { userId });
    const now = tx.clock();
    if (open && !(isImmediate && open.dueAt > now)) return { dueAt: open.dueAt };
    const { accountId, type, status } = person;
    // What is carried out at once comes before the colleagues' open requests.
    const among = isImmediate ? "everybody" : "staying";
    const isLast = accountId !== null && (await isLastPerson(tx, { accountId, userId, among }));
    const closing = isLast ? accountId : null;
    if (isLast && type) {
      const blockers = await listErasureBlockers({ ...tx, actor: tenantActor(type, accountId) }, { acceptsDebt });
      const describe = (one: ErasureBlocker) =>
        describeErasureBlocker(one, type, { isSuspended: status === "suspended" });
      if (blockers.length > 0) throw new DomainError("invalid_transition", blockers.map(describe).join(" "));
    }
    const dueAt = new Date(now.getTime() + (isImmediate ? 0 : erasureDelayDays * 86_400_000));
    const requestedBy: ErasureRequester = tx.actor.kind === "operator" ? "operator" : "person";
    if (open)
      await tx.db.update(erasures).set({ accountId: closing, dueAt, blockers: [] }).where(eq(erasures.id, open.id));
    else
      await tx.db.insert(erasures).values({
        id: newId<ErasureId>(),
        userId,
        accountId: closing,
        requestedBy,
        requestedAt: now,
        dueAt,
      });
    await recordAudit(tx, {
      action: "user.erasure_requested",
      entity: "user",
      entityId: userId,
      ...(accountId && { accountId }),
      after: { due_on: calendarDateOf(dueAt), closes_account: isLast },
      notificationFacts: { day: calendarDateOf(dueAt), closesAccount: isLast },
    });
    return { dueAt };
  });
}
