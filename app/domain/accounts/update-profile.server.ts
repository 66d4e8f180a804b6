import { and, eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import { inTransaction } from "../transaction.server.ts";
import type { Profile } from "./account-payloads.ts";
import { requireOpenAccount } from "./require-open-account.server.ts";

/**
 * Updates the actor's own account: absent means unchanged, null means cleared. Fields of the other account type stay
 * empty, whatever was sent. Throws `invalid_transition` when the account is closed.
 */
export async function updateProfile(ctx: Ctx<TenantActor>, profile: Partial<Profile>): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const own = and(eq(accounts.id, ctx.actor.accountId), eq(accounts.type, ctx.actor.kind));
    await requireOpenAccount(ctx, ctx.actor.accountId, "update");
    const [before] = await ctx.db.select(columns).from(accounts).where(own);
    if (!before) throw notFound("Account");
    const after = toColumns(ctx.actor, profile);
    const changed = Object.entries(after).filter(
      ([key, value]) => value !== undefined && Reflect.get(before, key) !== value,
    );
    if (changed.length === 0) return;
    await ctx.db.update(accounts).set(after).where(own);
    await recordAudit(ctx, {
      action: "account.changed",
      entity: "account",
      entityId: ctx.actor.accountId,
      accountId: ctx.actor.accountId,
      before: Object.fromEntries(changed.map(([key]) => [apiNames[key] ?? key, Reflect.get(before, key)])),
      after: Object.fromEntries(changed.map(([key, value]) => [apiNames[key] ?? key, value])),
    });
  });
}

const columns = {
  companyName: accounts.companyName,
  website: accounts.website,
  businessVertical: accounts.businessVertical,
  monthlyBudgetCents: accounts.monthlyBudgetCents,
  monthlyVisitors: accounts.monthlyVisitors,
  monthlyPageviews: accounts.monthlyPageviews,
  allowsManagedCampaigns: accounts.allowsManagedCampaigns,
};

const apiNames: Record<string, string> = {
  companyName: "company_name",
  businessVertical: "business_vertical",
  monthlyBudgetCents: "monthly_budget_cents",
  monthlyVisitors: "monthly_visitors",
  monthlyPageviews: "monthly_pageviews",
  allowsManagedCampaigns: "allows_managed_campaigns",
};

function toColumns(actor: TenantActor, profile: Partial<Profile>) {
  const isAdvertiser = actor.kind === "advertiser";
  return {
    companyName: profile.company_name,
    website: profile.website,
    businessVertical: isAdvertiser ? profile.business_vertical : null,
    monthlyBudgetCents: isAdvertiser ? profile.monthly_budget : null,
    monthlyVisitors: isAdvertiser ? null : profile.monthly_visitors,
    monthlyPageviews: isAdvertiser ? null : profile.monthly_pageviews,
    allowsManagedCampaigns: isAdvertiser ? profile.allows_managed_campaigns : false,
  };
}
