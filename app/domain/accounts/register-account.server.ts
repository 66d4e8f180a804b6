import { and, eq, isNull } from "drizzle-orm";
import { accounts, users } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, UserActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import { type AccountId, newId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import type { AccountStatus } from "./account.ts";
import type { Registration } from "./account-payloads.ts";

/**
 * Creates an account for a new user, approved at once when `approval` is `auto`. Throws `already_registered` (409) when
 * the user has an account, or is erased meanwhile; of several concurrent requests only one succeeds.
 */
export async function registerAccount(
  ctx: Ctx<UserActor>,
  { registration, approval }: { registration: Registration; approval: "auto" | "manual" },
): Promise<{ accountId: AccountId; status: AccountStatus }> {
  const accountId = newId<AccountId>();
  const status: AccountStatus = approval === "auto" ? "approved" : "pending";
  await inTransaction(ctx, async (ctx) => {
    const now = ctx.clock();
    await ctx.db.insert(accounts).values({
      id: accountId,
      type: registration.user_type,
      status,
      companyName: registration.company_name,
      website: registration.website,
      businessVertical: registration.business_vertical,
      monthlyBudgetCents: registration.monthly_budget,
      monthlyVisitors: registration.monthly_visitors,
      monthlyPageviews: registration.monthly_pageviews,
      createdAt: now,
      decidedAt: status === "approved" ? now : null,
    });
    const joined = await ctx.db
      .update(users)
      .set({ accountId })
      .where(and(eq(users.id, ctx.actor.userId), isNull(users.accountId), isNull(users.erasedAt)))
      .returning({ id: users.id });
    if (joined.length === 0)
      throw new DomainError("already_registered", "You're already registered. Go to your dashboard.");
    await recordAudit(ctx, {
      action: "account.registered",
      entity: "account",
      entityId: accountId,
      accountId,
      after: { user_type: registration.user_type, company_name: registration.company_name, status },
    });
  });
  return { accountId, status };
}
