import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { syncAllFundsHolds } from "#app/domain/billing/wallet/sync-funds-holds.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { addDays, type CalendarDate, calendarDateOf } from "#app/domain/calendar-date.ts";
import type { CampaignChanges } from "#app/domain/campaigns/campaign-payloads.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import type { AdvertiserActor, Ctx, JobActor, PublisherActor, Report, TenantActor } from "#app/domain/context.ts";
import { sandboxSource } from "#app/domain/delivery/channels/sandbox/sandbox-day.ts";
import { collectReports } from "#app/domain/delivery/collect-reports.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import type { Database } from "#db/client.server.ts";
import { channelCollections } from "#db/schema/index.ts";
import { brightsideCampaigns } from "./brightside-campaigns.ts";
import { type DemoAdvertiser, type DemoPublisher, demoAccountId, demoAccounts, demoUserId } from "./demo-accounts.ts";
import { demoAudienceId } from "./demo-audiences.ts";
import type { DemoCampaign } from "./demo-campaign.ts";
import { creditSteps } from "./demo-credit.ts";
import { planSteps } from "./demo-plans.ts";
import { demoProductId } from "./demo-products.ts";
import { northwindCampaigns } from "./northwind-campaigns.ts";
import { uploadBanner } from "./upload-banner.ts";

/** Northwind's top-ups: days ago, and US dollars. */
const demoTopUps = [
  [94, 50_000],
  [62, 50_000],
  [31, 60_000],
  [1.2, 40_000],
] as const;

/** The number of days with delivery. */
const demoNights = 95;

type Scene = { at: Date; run: (clock: () => Date) => Promise<unknown> };
type Stage = { db: Database; now: Date };

/**
 * Runs all events in chronological order, each through its verb and with the clock of that moment, so that ids,
 * histories and rules are those of real events. Each night running campaigns deliver and ended campaigns complete.
 */
export async function seedDemoCampaigns(stage: Stage): Promise<void> {
  const scenes = [...northwindCampaigns, ...brightsideCampaigns].flatMap((campaign) => scenesOf(stage, campaign));
  const nights = nightsBefore(stage.now, demoNights).flatMap((day): Scene[] => [
    {
      at: new Date(`${addDays(day, 1)}T00:00:00.000Z`),
      run: (clock) => endDay(asJob(stage.db, clock), day),
    },
  ]);
  const plans = planSteps(stage.now, {
    asPublisher: (clock, who) => asPublisher(stage.db, clock, who),
    asJob: (clock) => asJob(stage.db, clock),
  });
  const credit = creditSteps(stage.now, {
    asAdvertiser: (clock) => asAdvertiser(stage.db, clock, "brightside"),
    asOperator: (clock) => ({
      db: stage.db,
      clock,
      entrypoint: "seed",
      report,
      actor: { kind: "operator", name: "Endcap" },
    }),
    asJob: (clock) => asJob(stage.db, clock),
  });
  const inOrder = [...plans, ...fillWallet(stage), ...credit, ...scenes, ...nights].sort(
    (one, other) => one.at.getTime() - other.at.getTime(),
  );
  for (const { at, run } of inOrder) await run(() => at);
  // The server continues from here.
  const collectedUntil = new Date(`${calendarDateOf(stage.now)}T00:00:00.000Z`);
  await stage.db.insert(channelCollections).values({ source: sandboxSource, collectedUntil });
}

/** The seed stops at the first error. */
const report: Report = (error) => {
  throw error;
};

/**
 * Ends a day: reports and settles its delivery, completes ended campaigns, and at the end of a month pays publishers.
 */
async function endDay(ctx: Ctx<JobActor>, day: CalendarDate): Promise<void> {
  await collectReports(ctx, { from: new Date(`${day}T00:00:00.000Z`), until: ctx.clock() });
  await completeEndedCampaigns(ctx);
  await settleDelivery(ctx);
  await startMonthlyPayouts(ctx);
  await sendDuePayouts(ctx);
  await syncAllFundsHolds(ctx);
}

/** Adds a card and tops up the wallet with it: before the first campaign, and again each month. */
function fillWallet(stage: Stage): Scene[] {
  return demoTopUps.map(
    ([daysAgo, dollars], index): Scene => ({
      at: new Date(stage.now.getTime() - daysAgo * 86_400_000),
      run: async (clock) => {
        const ctx = asAdvertiser(stage.db, clock, "northwind");
        if (index === 0) await addPaymentMethod(ctx, { token: "tok_visa" });
        const [method] = await listPaymentMethods(ctx);
        if (!method) throw new Error("seeded payment method is missing");
        const amount = asCents(dollars * 100);
        const key = `seed/${index}`;
        await topUpWallet(ctx, { amount, payment_method_id: method.id, key, returnPath: () => "/advertiser/billing" });
      },
    }),
  );
}

/** The days before today, the oldest first. */
function nightsBefore(now: Date, count: number): CalendarDate[] {
  const today = calendarDateOf(now);
  return Array.from({ length: count }, (_, index) => addDays(today, index - count));
}

function scenesOf(stage: Stage, campaign: DemoCampaign): Scene[] {
  let id: CampaignId | undefined;
  const created: Scene = {
    at: campaign.created(stage.now),
    run: async (clock) => {
      id = await create(stage, campaign, clock);
    },
  };
  const later = (campaign.story ?? []).map(
    (step): Scene => ({
      at: step.at(stage.now),
      run: async (clock) => {
        if (!id) throw new Error(`${campaign.name} has an event before its creation`);
        await step.act({
          id,
          asAdvertiser: asAdvertiser(stage.db, clock, campaign.advertiser),
          asPublisher: (publisher) => asPublisher(stage.db, clock, publisher),
          bannerOf: (banner) => uploadBanner(asAdvertiser(stage.db, clock, campaign.advertiser), `${banner}.png`),
        });
      },
    }),
  );
  return [created, ...later];
}

async function create(stage: Stage, campaign: DemoCampaign, clock: () => Date): Promise<CampaignId> {
  if (!campaign.managedBy) {
    const ctx = asAdvertiser(stage.db, clock, campaign.advertiser);
    return (await createCampaign(ctx, { ...contentOf(stage, campaign), ...(await uploadCreatives(ctx, campaign)) })).id;
  }
  const { publisher, commissionBps } = campaign.managedBy;
  const ctx = asPublisher(stage.db, clock, publisher);
  const { id } = await createManagedCampaign(ctx, {
    ...contentOf(stage, campaign),
    ...(await uploadCreatives(ctx, campaign)),
    advertiser_id: demoAccountId(campaign.advertiser),
    commission_rate: commissionBps,
  });
  return id;
}

function contentOf(stage: Stage, campaign: DemoCampaign): CampaignChanges {
  const { budget, daily, flight, cap } = campaign;
  const today = calendarDateOf(stage.now);
  return {
    name: campaign.name === "" ? null : campaign.name,
    objective: campaign.objective,
    ad_format: campaign.format,
    landing_url: campaign.banner && `${demoAccounts[campaign.advertiser].website}/${campaign.banner}`,
    selected_products: campaign.products?.map(demoProductId),
    selected_audiences: campaign.audiences?.map(demoAudienceId),
    geolocations: campaign.countries && [...campaign.countries],
    frequency_cap_impressions: cap?.[0],
    frequency_cap_period: cap?.[1],
    channel_type: campaign.channelType,
    channels: campaign.channels && [...campaign.channels],
    budget: budget === undefined ? undefined : asCents(budget * 100),
    daily_budget: daily === undefined ? undefined : asCents(daily * 100),
    start_date: flight && addDays(today, flight[0]),
    end_date: flight && addDays(today, flight[1]),
  };
}

/** The creator of the campaign uploads its creatives. */
async function uploadCreatives(ctx: Ctx<TenantActor>, { banner, format }: DemoCampaign): Promise<CampaignChanges> {
  if (!banner) return {};
  const file = format === "video" ? "camp.mp4" : (`${banner}.png` as const);
  return { creative_ids: [await uploadBanner(ctx, file)] };
}

function asAdvertiser(db: Database, clock: () => Date, tenant: DemoAdvertiser): Ctx<AdvertiserActor> {
  const actor = { kind: "advertiser" as const, accountId: demoAccountId(tenant), userId: demoUserId(tenant) };
  return { db, clock, entrypoint: "seed", report, actor };
}

function asPublisher(db: Database, clock: () => Date, tenant: DemoPublisher): Ctx<PublisherActor> {
  const actor = { kind: "publisher" as const, accountId: demoAccountId(tenant), userId: demoUserId(tenant) };
  return { db, clock, entrypoint: "seed", report, actor };
}

function asJob(db: Database, clock: () => Date): Ctx<JobActor> {
  return { db, clock, entrypoint: "seed", report, actor: { kind: "job", name: "Endcap" } };
}
