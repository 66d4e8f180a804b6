import { addPaymentMethod } from "#app/domain/billing/payments/add-payment-method.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { refreshAllFunds } from "#app/domain/billing/wallet/refresh-funds.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { addDays, type CalendarDate, calendarDateOf } from "#app/domain/calendar-date.ts";
import type { CampaignChanges } from "#app/domain/campaigns/campaign-payloads.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/create-managed-campaign.server.ts";
import type { AdvertiserActor, Ctx, JobActor, PublisherActor, Report, TenantActor } from "#app/domain/context.ts";
import { sandboxSource } from "#app/domain/delivery/channels/sandbox-day.ts";
import { collectReports } from "#app/domain/delivery/collect-reports.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { toCents } from "#app/domain/money.ts";
import type { Database } from "#db/client.server.ts";
import { channelCollections } from "#db/schema/index.ts";
import { brightsideCampaigns } from "./brightside-campaigns.ts";
import { type DemoAdvertiser, type DemoPublisher, demoAccountId, demoAccounts, demoUserId } from "./demo-accounts.ts";
import { demoAudienceId } from "./demo-audiences.ts";
import type { DemoCampaign } from "./demo-campaign.ts";
import { creditScenes } from "./demo-credit.ts";
import { planScenes } from "./demo-plans.ts";
import { demoProductId } from "./demo-products.ts";
import { northwindCampaigns } from "./northwind-campaigns.ts";
import { uploadBanner } from "./upload-banner.ts";

/** Northwind's: days ago, and US dollars. */
const demoTopUps = [
  [94, 50_000],
  [62, 50_000],
  [31, 60_000],
  [1.2, 40_000],
] as const;

/** Days that were delivered on. */
const demoNights = 95;

type Scene = { at: Date; run: (clock: () => Date) => Promise<unknown> };
type Stage = { db: Database; now: Date };

/**
 * Plays all that happened in the order in which it happened, each through its verb with the clock of that moment: so
 * ids, histories and rules come out as if it had happened. Each night the running campaigns deliver, and the ended ones
 * are completed.
 */
export async function playDemoCampaigns(stage: Stage): Promise<void> {
  const scenes = [...northwindCampaigns, ...brightsideCampaigns].flatMap((campaign) => scenesOf(stage, campaign));
  const nights = nightsBefore(stage.now, demoNights).flatMap((day): Scene[] => [
    {
      at: new Date(`${addDays(day, 1)}T00:00:00.000Z`),
      run: (clock) => endDay(asJob(stage.db, clock), day),
    },
  ]);
  const plans = planScenes(stage.now, {
    asPublisher: (clock, who) => asPublisher(stage.db, clock, who),
    asJob: (clock) => asJob(stage.db, clock),
  });
  const credit = creditScenes(stage.now, {
    asAdvertiser: (clock) => asAdvertiser(stage.db, clock, "brightside"),
    asOperator: (clock) => ({ db: stage.db, clock, door: "seed", report, actor: { kind: "operator", name: "Endcap" } }),
    asJob: (clock) => asJob(stage.db, clock),
  });
  const inOrder = [...plans, ...fillWallet(stage), ...credit, ...scenes, ...nights].sort(
    (one, other) => one.at.getTime() - other.at.getTime(),
  );
  for (const { at, run } of inOrder) await run(() => at);
  // From here on the server goes on.
  const collectedUntil = new Date(`${calendarDateOf(stage.now)}T00:00:00.000Z`);
  await stage.db.insert(channelCollections).values({ source: sandboxSource, collectedUntil });
}

/** The demo has no failure that it may go on after. */
const report: Report = (error) => {
  throw error;
};

/** What the day brought is reported and settled, what ended with it is completed, and with a month publishers are paid. */
async function endDay(ctx: Ctx<JobActor>, day: CalendarDate): Promise<void> {
  await collectReports(ctx, { from: new Date(`${day}T00:00:00.000Z`), until: ctx.clock() });
  await completeEndedCampaigns(ctx);
  await settleDelivery(ctx);
  await startMonthlyPayouts(ctx);
  await sendDuePayouts(ctx);
  await refreshAllFunds(ctx);
}

/** A card, and what was put in with it: before the first campaign, and again each month. */
function fillWallet(stage: Stage): Scene[] {
  return demoTopUps.map(
    ([daysAgo, dollars], index): Scene => ({
      at: new Date(stage.now.getTime() - daysAgo * 86_400_000),
      run: async (clock) => {
        const ctx = asAdvertiser(stage.db, clock, "northwind");
        if (index === 0) await addPaymentMethod(ctx, { token: "tok_visa" });
        const [method] = await listPaymentMethods(ctx);
        if (!method) throw new Error("it was just added");
        const amount = toCents(dollars * 100);
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
        if (!id) throw new Error(`${campaign.name} is told before it is created`);
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
    return (await createCampaign(ctx, { ...contentOf(stage, campaign), ...(await creativesOf(ctx, campaign)) })).id;
  }
  const { publisher, commissionBps } = campaign.managedBy;
  const ctx = asPublisher(stage.db, clock, publisher);
  const { id } = await createManagedCampaign(ctx, {
    ...contentOf(stage, campaign),
    ...(await creativesOf(ctx, campaign)),
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
    budget: budget === undefined ? undefined : toCents(budget * 100),
    daily_budget: daily === undefined ? undefined : toCents(daily * 100),
    start_date: flight && addDays(today, flight[0]),
    end_date: flight && addDays(today, flight[1]),
  };
}

/** Who makes the campaign uploads what it shows. */
async function creativesOf(ctx: Ctx<TenantActor>, { banner, format }: DemoCampaign): Promise<CampaignChanges> {
  if (!banner) return {};
  const file = format === "video" ? "camp.mp4" : (`${banner}.png` as const);
  return { creative_ids: [await uploadBanner(ctx, file)] };
}

function asAdvertiser(db: Database, clock: () => Date, tenant: DemoAdvertiser): Ctx<AdvertiserActor> {
  const actor = { kind: "advertiser" as const, accountId: demoAccountId(tenant), userId: demoUserId(tenant) };
  return { db, clock, door: "seed", report, actor };
}

function asPublisher(db: Database, clock: () => Date, tenant: DemoPublisher): Ctx<PublisherActor> {
  const actor = { kind: "publisher" as const, accountId: demoAccountId(tenant), userId: demoUserId(tenant) };
  return { db, clock, door: "seed", report, actor };
}

function asJob(db: Database, clock: () => Date): Ctx<JobActor> {
  return { db, clock, door: "seed", report, actor: { kind: "job", name: "Endcap" } };
}
