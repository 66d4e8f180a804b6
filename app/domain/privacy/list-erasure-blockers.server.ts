import { and, eq, or, sql } from "drizzle-orm";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { getEarnings } from "#app/domain/billing/get-earnings.server.ts";
import { readFunds } from "#app/domain/billing/wallet/read-funds.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor, TenantActor } from "#app/domain/context.ts";
import { campaigns, lineItems, planChanges, topUps } from "#db/schema/index.ts";
import type { ErasureBlocker } from "./erasure.ts";
import { isAdvertiser, isPublisher } from "./tenant-actor.ts";

/** Returns what the account has to end before it can be closed, in the order in which it can be done. */
export async function listErasureBlockers(ctx: Ctx<TenantActor>): Promise<ErasureBlocker[]> {
  const found: (ErasureBlocker | false)[] = [
    (await hasRunningCampaigns(ctx)) && "running_campaigns",
    ...(isAdvertiser(ctx) ? await listOfAdvertiser(ctx) : isPublisher(ctx) ? await listOfPublisher(ctx) : []),
    (await hasOpenPayments(ctx)) && "payments",
  ];
  return found.filter((one) => one !== false);
}

async function hasRunningCampaigns(ctx: Ctx<TenantActor>): Promise<boolean> {
  const { kind, accountId } = ctx.actor;
  const [row] = await ctx.db
    .select({ one: sql`1` })
    .from(lineItems)
    .innerJoin(campaigns, eq(campaigns.id, lineItems.campaignId))
    .where(
      and(
        eq(kind === "advertiser" ? campaigns.advertiserId : lineItems.publisherId, accountId),
        or(eq(lineItems.status, "active"), eq(lineItems.approvalStatus, "pending")),
      ),
    )
    .limit(1);
  return row !== undefined;
}

async function listOfAdvertiser(ctx: Ctx<AdvertiserActor>): Promise<(ErasureBlocker | false)[]> {
  const funds = (await readFunds(ctx, [ctx.actor.accountId])).get(ctx.actor.accountId);
  if (!funds) return [];
  return [funds.wallet !== 0 && "balance", (funds.owed !== 0 || funds.unsettled !== 0) && "debt"];
}

async function listOfPublisher(ctx: Ctx<PublisherActor>): Promise<(ErasureBlocker | false)[]> {
  const { notSettled, pending, available, inTransit } = await getEarnings(ctx);
  const isOwed = [notSettled, pending, available, inTransit].some((cents) => cents !== 0);
  const subscription = await findSubscription(ctx);
  return [isOwed && "earnings", subscription !== undefined && subscription.monthlyAmount > 0 && "plan"];
}

async function hasOpenPayments(ctx: Ctx<TenantActor>): Promise<boolean> {
  const { accountId } = ctx.actor;
  const open = (table: typeof topUps | typeof planChanges) =>
    ctx.db.$count(table, and(eq(table.accountId, accountId), eq(table.status, "pending")));
  return (await open(topUps)) + (await open(planChanges)) > 0;
}
