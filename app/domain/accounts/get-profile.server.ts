import { and, eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import { dollarsOf, toCents } from "../money.ts";

export type AccountProfile = Awaited<ReturnType<typeof getProfile>>;

/** The actor's own account, named as on the wire; the budget in US dollars. */
export async function getProfile(ctx: Ctx<TenantActor>) {
  const { actor, db } = ctx;
  const [row] = await db
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, actor.accountId), eq(accounts.type, actor.kind)));
  if (!row) throw notFound("Account");
  return {
    company_name: row.companyName,
    website: row.website,
    business_vertical: row.businessVertical,
    monthly_budget: row.monthlyBudgetCents === null ? null : dollarsOf(toCents(row.monthlyBudgetCents)),
    monthly_visitors: row.monthlyVisitors,
    monthly_pageviews: row.monthlyPageviews,
    allows_managed_campaigns: row.allowsManagedCampaigns,
  };
}
