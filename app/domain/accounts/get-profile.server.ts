import { and, eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import { asCents, centsToDollars } from "../money.ts";

export type AccountProfile = Awaited<ReturnType<typeof getProfile>>;

/** Returns the actor's own account, with fields named as in the JSON API; the budget is in US dollars. */
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
    monthly_budget: row.monthlyBudgetCents === null ? null : centsToDollars(asCents(row.monthlyBudgetCents)),
    monthly_visitors: row.monthlyVisitors,
    monthly_pageviews: row.monthlyPageviews,
    allows_managed_campaigns: row.allowsManagedCampaigns,
  };
}
