import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { getEarnings } from "#app/domain/billing/get-earnings.server.ts";
import { openChangeStatuses } from "#app/domain/billing/subscription/plan-change.ts";
import { readFunds } from "#app/domain/billing/wallet/read-funds.server.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { AdvertiserActor, Ctx, PublisherActor, TenantActor } from "#app/domain/context.ts";
import { payouts, planChanges, topUps } from "#db/schema/index.ts";
import type { ErasureBlocker } from "./erasure.ts";
import { isAdvertiser, isPublisher } from "./tenant-actor.ts";

/**
 * Returns what the account has to end before it can be closed, in the order in which it can be done. With `acceptsDebt`
 * what it owes is not among it.
 */
export async function listErasureBlockers(
  ctx: Ctx<TenantActor>,
  { acceptsDebt = false }: { acceptsDebt?: boolean } = {},
): Promise<ErasureBlocker[]> {
  const found: (ErasureBlocker | false)[] = [
    (await hasRunningCampaigns(ctx)) && "running_campaigns",
    ...(isAdvertiser(ctx)
      ? await listOfAdvertiser(ctx, { acceptsDebt })
      : isPublisher(ctx)
        ? await listOfPublisher(ctx, { acceptsDebt })
        : []),
    ((await hasOpenPayments(ctx)) || (await hasReturnablePayout(ctx))) && "payments",
  ];
  return found.filter((one) => one !== false);
}

/**
 * Returns whether a campaign of the account runs, awaits a decision, or would run again if the other party resumed it.
 * Only the account's own pause prevents that: an advertiser's is the status of its campaign, a publisher's a column of
 * its line item. Each state is looked up in an index that has it.
 */
async function hasRunningCampaigns(ctx: Ctx<TenantActor>): Promise<boolean> {
  const { kind, accountId } = ctx.actor;
  // A version that nobody decided on can be approved until its flight is over, as it is where campaigns are archived.
  const awaitsDecision = sql`approval_status = 'pending' and exists (select from campaign_versions version
    where version.campaign_id = item.campaign_id and version.number = sent_version and version.end_date >= ${calendarDateOf(ctx.clock())}::date offset 0)`;
  const found = await ctx.db.execute(
    kind === "advertiser"
      ? sql`(select from campaigns where advertiser_id = ${accountId} and status = 'active' limit 1)
          union all (select from campaigns where advertiser_id = ${accountId} and status in ('pending', 'paused')
            and exists (select from (select * from line_items where campaign_id = campaigns.id offset 0) item where ${awaitsDecision}) limit 1) limit 1`
      : sql`(select from line_items where publisher_id = ${accountId} and status = 'active' limit 1)
          union all (select from line_items item where publisher_id = ${accountId} and ${awaitsDecision} limit 1)
          union all (select from line_items where publisher_id = ${accountId} and status = 'paused' and publisher_paused_at is null limit 1) limit 1`,
  );
  return found.length > 0;
}

type Options = { acceptsDebt: boolean };

async function listOfAdvertiser(
  ctx: Ctx<AdvertiserActor>,
  { acceptsDebt }: Options,
): Promise<(ErasureBlocker | false)[]> {
  const funds = (await readFunds(ctx, [ctx.actor.accountId])).get(ctx.actor.accountId);
  if (!funds) return [];
  const owes = funds.owed !== 0 && !acceptsDebt;
  return [funds.wallet !== 0 && "balance", (owes || funds.unsettled !== 0) && "debt"];
}

async function listOfPublisher(
  ctx: Ctx<PublisherActor>,
  { acceptsDebt }: Options,
): Promise<(ErasureBlocker | false)[]> {
  const { notSettled, pending, available, inTransit } = await getEarnings(ctx);
  const isOwed = available > 0 || [notSettled, pending, inTransit].some((cents) => cents !== 0);
  const subscription = await findSubscription(ctx);
  return [
    isOwed && "earnings",
    available < 0 && !acceptsDebt && "debt",
    subscription !== undefined && subscription.monthlyAmount > 0 && "plan",
  ];
}

/** Whether a payment is processing or waits for its confirmation: it would bring money to an account that is closed. */
async function hasOpenPayments(ctx: Ctx<TenantActor>): Promise<boolean> {
  const { accountId } = ctx.actor;
  const open = (table: typeof topUps | typeof planChanges) =>
    ctx.db.$count(table, and(eq(table.accountId, accountId), inArray(table.status, [...openChangeStatuses])));
  return (await open(topUps)) + (await open(planChanges)) > 0;
}

/** Whether the bank can still return a payout that arrived: the money would be owed to an account that is closed. */
async function hasReturnablePayout(ctx: Ctx<TenantActor>): Promise<boolean> {
  const returnable = and(eq(payouts.status, "paid"), isNotNull(payouts.dueAt));
  return (await ctx.db.$count(payouts, and(eq(payouts.publisherId, ctx.actor.accountId), returnable))) > 0;
}
