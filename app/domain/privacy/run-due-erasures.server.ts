import { and, asc, eq, lte } from "drizzle-orm";
import type { Ctx, JobActor, OperatorActor, TenantActor } from "#app/domain/context.ts";
import type { CreativeId, ErasureId, UserId } from "#app/domain/ids.ts";
import { reportError } from "#app/domain/report-error.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { accounts, audiences, erasures, users } from "#db/schema/index.ts";
import { closeAccount } from "./close-account.server.ts";
import { erasePerson } from "./erase-person.server.ts";
import { isOpenErasure } from "./find-erasure.server.ts";
import { isLastPerson } from "./is-last-person.server.ts";
import { listErasureBlockers } from "./list-erasure-blockers.server.ts";
import { hasOtherParts, removeAccountParts } from "./remove-account-parts.server.ts";
import { tenantActor } from "./tenant-actor.ts";

const retryMs = 86_400_000;

/**
 * Carries out the requests that are due. One whose account cannot be closed, because money moved meanwhile, and one
 * that fails, which is reported, is tried again a day later. The account of the person `acceptsDebtOf` is closed also
 * if it owes money, which stays in the books. Returns how many were carried out.
 */
export async function runDueErasures(
  ctx: Ctx<JobActor | OperatorActor>,
  { acceptsDebtOf }: { acceptsDebtOf?: UserId } = {},
): Promise<number> {
  const due = await ctx.db
    .select({ id: erasures.id })
    .from(erasures)
    .where(and(isOpenErasure, lte(erasures.dueAt, ctx.clock())))
    .orderBy(asc(erasures.dueAt));
  let completed = 0;
  for (const { id } of due) {
    if (ctx.stopping?.aborted) break;
    try {
      completed += await runErasure(ctx, { id, acceptsDebtOf });
    } catch (error) {
      // One request that fails, such as while the payment provider is down, does not keep the others from it.
      reportError(ctx, error, { work: "erase_person", erasureId: id });
      const dueAt = new Date(ctx.clock().getTime() + retryMs);
      await ctx.db
        .update(erasures)
        .set({ dueAt })
        .where(and(eq(erasures.id, id), isOpenErasure));
    }
  }
  return completed;
}

async function runErasure(
  ctx: Ctx<JobActor | OperatorActor>,
  { id, acceptsDebtOf }: { id: ErasureId; acceptsDebtOf: UserId | undefined },
): Promise<0 | 1> {
  const found = await findPerson(ctx, id);
  if (!found) return 0;
  const { userId, account } = found;
  const acceptsDebt = userId === acceptsDebtOf;
  const closesAccount = (db: Ctx["db"]) =>
    account && isLastPerson({ db }, { accountId: account.accountId, userId, among: "everybody" });
  // Files, drafts and cards go one by one before the rest; what remains of an interrupted run goes with the next one.
  let stayingCreatives: CreativeId[] | undefined;
  if (
    account &&
    (await closesAccount(ctx.db)) &&
    (await listErasureBlockers({ ...ctx, actor: account }, { acceptsDebt })).length === 0
  ) {
    stayingCreatives = await removeAccountParts({ ...ctx, actor: account });
  }
  return inTransaction(ctx, async (tx) => {
    const [erasure] = await tx.db
      .select()
      .from(erasures)
      .where(and(eq(erasures.id, id), isOpenErasure))
      .for("update");
    if (!erasure) return 0;
    const now = tx.clock();
    // A launch locks audiences before their account too.
    if (account && stayingCreatives) await lockAudiences(tx, account);
    // Waits for settlements, for launches and resumptions of the account, and for the erasures of its other people,
    // which lock it too.
    if (account)
      await tx.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, account.accountId)).for("update");
    // A person who has registered a company since is erased by the next run, which closes its account.
    const [person] = await tx.db
      .select({ accountId: users.accountId })
      .from(users)
      .where(eq(users.id, userId))
      .for("update");
    if (person?.accountId !== (account?.accountId ?? null)) return 0;
    const isLast = account && (await closesAccount(tx.db));
    if (isLast) {
      const { accountId } = account;
      const blockers = await listErasureBlockers({ ...tx, actor: account }, { acceptsDebt });
      if (blockers.length > 0) {
        const dueAt = new Date(now.getTime() + retryMs);
        await tx.db.update(erasures).set({ accountId, blockers, dueAt }).where(eq(erasures.id, id));
        return 0;
      }
      // The last colleague was erased, the last blocker ended, or a part was added meanwhile: the next run removes the
      // parts.
      if (!stayingCreatives || (await hasOtherParts({ ...tx, actor: account }, stayingCreatives))) return 0;
      await closeAccount({ ...tx, actor: account });
    }
    await erasePerson(tx, { userId, accountId: account?.accountId });
    const accountId = isLast ? account.accountId : null;
    await tx.db.update(erasures).set({ accountId, blockers: [], completedAt: now }).where(eq(erasures.id, id));
    return 1;
  });
}

async function lockAudiences(ctx: Ctx, { accountId }: TenantActor): Promise<void> {
  const own = ctx.db.select({ id: audiences.id }).from(audiences).where(eq(audiences.publisherId, accountId));
  await own.orderBy(audiences.id).for("update");
}

/** Returns the person of an open request, with their account as an actor. */
async function findPerson(ctx: Ctx, id: ErasureId) {
  const [found] = await ctx.db
    .select({ userId: users.id, type: accounts.type, accountId: accounts.id })
    .from(erasures)
    .innerJoin(users, eq(users.id, erasures.userId))
    .leftJoin(accounts, eq(accounts.id, users.accountId))
    .where(and(eq(erasures.id, id), isOpenErasure));
  if (!found) return undefined;
  const { userId, type, accountId } = found;
  return { userId, account: type && accountId ? tenantActor(type, accountId) : undefined };
}
