import { and, eq, ne } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import { resumePlan } from "../billing/subscription/resume-plan.server.ts";
import type { Ctx, OperatorActor } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import type { AccountId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";

/**
 * Sets an account's status for an operator; `changed` is false when the account already had it. Throws `not_found`, and
 * `invalid_transition` for a closed account, also one that is being closed.
 */
export async function setAccountStatus(
  ctx: Ctx<OperatorActor>,
  { accountId, status }: { accountId: AccountId; status: "approved" | "suspended" },
): Promise<{ changed: boolean }> {
  return inTransaction(ctx, async (ctx) => {
    const [account] = await ctx.db
      .select({ status: accounts.status, closedAt: accounts.closedAt })
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for("update");
    if (!account) throw notFound("Account");
    if (account.closedAt)
      throw new DomainError("invalid_transition", "The account is closed. Its status can't be changed any more.");
    const changed = await ctx.db
      .update(accounts)
      .set({ status, decidedAt: ctx.clock() })
      .where(and(eq(accounts.id, accountId), ne(accounts.status, status)))
      .returning({ id: accounts.id });
    if (changed.length === 0) return { changed: false };
    if (account.status === "suspended") await resumePlan(ctx, { accountId });
    await recordAudit(ctx, {
      action: `account.${status}`,
      entity: "account",
      entityId: accountId,
      accountId,
      before: { status: account.status },
      after: { status },
    });
    return { changed: true };
  });
}
