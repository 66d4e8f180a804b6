import { and, asc, eq, lte } from "drizzle-orm";
import type { Ctx, JobActor, OperatorActor } from "#app/domain/context.ts";
import type { ErasureId } from "#app/domain/ids.ts";
import { reportError } from "#app/domain/report-error.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { accounts, erasures } from "#db/schema/index.ts";
import { closeAccount } from "./close-account.server.ts";
import { erasePerson } from "./erase-person.server.ts";
import { isOpenErasure } from "./find-erasure.server.ts";
import { listErasureBlockers } from "./list-erasure-blockers.server.ts";
import { removeAccountParts } from "./remove-account-parts.server.ts";
import { tenantActor } from "./tenant-actor.ts";

const retryMs = 86_400_000;

/**
 * Carries out the requests that are due. One whose account cannot be closed, because money moved meanwhile, and one that
 * fails, which is reported, is tried again a day later. Returns how many were carried out.
 */
export async function runDueErasures(ctx: Ctx<JobActor | OperatorActor>): Promise<number> {
  const due = await ctx.db
    .select({ id: erasures.id })
    .from(erasures)
    .where(and(isOpenErasure, lte(erasures.dueAt, ctx.clock())))
    .orderBy(asc(erasures.dueAt));
  let completed = 0;
  for (const { id } of due) {
    try {
      completed += await runErasure(ctx, id);
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

async function runErasure(ctx: Ctx<JobActor | OperatorActor>, id: ErasureId): Promise<0 | 1> {
  const account = await findAccount(ctx, id);
  // Files, drafts and cards go one by one before the rest; what remains of an interrupted run goes with the next one.
  if (account && (await listErasureBlockers({ ...ctx, actor: account })).length === 0)
    await removeAccountParts({ ...ctx, actor: account });
  return inTransaction(ctx, async (tx) => {
    const [erasure] = await tx.db
      .select()
      .from(erasures)
      .where(and(eq(erasures.id, id), isOpenErasure))
      .for("update");
    if (!erasure) return 0;
    const now = tx.clock();
    if (account) {
      // Waits for settlements, and for launches and resumptions of the account, which lock it too.
      await tx.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, account.accountId)).for("update");
      const blockers = await listErasureBlockers({ ...tx, actor: account });
      if (blockers.length > 0) {
        const dueAt = new Date(now.getTime() + retryMs);
        await tx.db.update(erasures).set({ blockers, dueAt }).where(eq(erasures.id, id));
        return 0;
      }
      await closeAccount({ ...tx, actor: account });
    }
    await erasePerson(tx, { userId: erasure.userId, accountId: account?.accountId });
    await tx.db.update(erasures).set({ blockers: [], completedAt: now }).where(eq(erasures.id, id));
    return 1;
  });
}

async function findAccount(ctx: Ctx, id: ErasureId) {
  const [account] = await ctx.db
    .select({ type: accounts.type, id: accounts.id })
    .from(erasures)
    .innerJoin(accounts, eq(accounts.id, erasures.accountId))
    .where(and(eq(erasures.id, id), isOpenErasure));
  return account && tenantActor(account.type, account.id);
}
