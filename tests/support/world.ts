import { eq, sql } from "drizzle-orm";
import { startSession } from "#app/domain/accounts/start-session.server.ts";
import { currentOf } from "#app/domain/billing/find-subscription.server.ts";
import type { PlanType } from "#app/domain/billing/plan.ts";
import { periodFrom } from "#app/domain/billing/subscription/billing-period.ts";
import { addDays, type CalendarDate, calendarDateOf } from "#app/domain/calendar-date.ts";
import { type CampaignChanges, campaignChangesSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/get-line-item.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { AdvertiserActor, Ctx, JobActor, PublisherActor } from "#app/domain/context.ts";
import type { DeliveryRow } from "#app/domain/delivery/delivery-row.ts";
import { reportDelivery } from "#app/domain/delivery/report-delivery.server.ts";
import { type CampaignId, newId, type SubscriptionId } from "#app/domain/ids.ts";
import type { Database } from "#db/client.server.ts";
import { accounts, fundsHolds, subscriptions } from "#db/schema/index.ts";
import {
  type DemoAdvertiser,
  type DemoPublisher,
  type DemoTenant,
  demoAccountId,
  demoUserId,
  insertDemoAccounts,
} from "#db/seed/demo-accounts.ts";
import { type DemoAudienceKey, demoAudienceId, insertDemoAudiences } from "#db/seed/demo-audiences.ts";
import { demoProductId, insertDemoProducts } from "#db/seed/demo-products.ts";
import { sessionCookie } from "./cookies.ts";

export type World = Awaited<ReturnType<typeof makeWorld>>;

/**
 * The tenants, people, audiences and products of the demo, without campaigns, in an empty database. Northwind Outdoors
 * and Brightside advertise; Harbor Goods (hikers, campers …) and Fern & Field (coffeeDrinkers, organicPantry …) publish;
 * Larkspur and Cobblestone wait for approval. The clock stands at noon, November 20, 2026, until `passDays`.
 */
export async function makeWorld(db: Database) {
  let now = new Date("2026-11-20T12:00:00Z");
  const clock = () => now;
  await insertDemoAccounts(db, now);
  await giveCredit(db);
  await insertDemoAudiences(db, now);
  await insertDemoProducts(db, now);
  await subscribe("harbor", "enterprise");
  await subscribe("fern", "enterprise");

  const today = (): CalendarDate => calendarDateOf(now);
  const advertiser = (who: DemoAdvertiser): Ctx<AdvertiserActor> => ({
    db,
    clock,
    door: "screen",
    report: () => undefined,
    actor: { kind: "advertiser", accountId: demoAccountId(who), userId: demoUserId(who) },
  });
  const publisher = (who: DemoPublisher): Ctx<PublisherActor> => ({
    db,
    clock,
    door: "screen",
    report: () => undefined,
    actor: { kind: "publisher", accountId: demoAccountId(who), userId: demoUserId(who) },
  });
  const job: Ctx<JobActor> = {
    db,
    clock,
    door: "job",
    report: () => undefined,
    actor: { kind: "job", name: "Endcap" },
  };
  const northwind = advertiser("northwind");

  /** What a launch needs, on the wire's words: starts tomorrow, runs ten days. */
  const complete = (audiences: readonly DemoAudienceKey[] = ["hikers"]) => ({
    name: "Ridgeline Packs",
    objective: "conversions",
    ad_format: "display",
    selected_audiences: audiences.map(demoAudienceId),
    channel_type: "dsp",
    channels: ["trade_desk", "dv360"],
    budget: 5_000,
    daily_budget: 500,
    start_date: addDays(today(), 1),
    end_date: addDays(today(), 10),
  });

  async function aDraft(
    changes: Record<string, unknown> = {},
    { by = northwind, audiences }: Options = {},
  ): Promise<CampaignId> {
    return (await createCampaign(by, payload({ ...complete(audiences), ...changes }))).id;
  }

  async function aLaunchedCampaign(options: Options & { changes?: Record<string, unknown> } = {}): Promise<CampaignId> {
    const id = await aDraft(options.changes, options);
    await launchCampaign(options.by ?? northwind, { id });
    return id;
  }

  /** Launched, and approved by the publishers named. */
  async function aRunningCampaign(
    options: Options & { approvedBy?: DemoPublisher[]; changes?: Record<string, unknown> } = {},
  ): Promise<CampaignId> {
    const id = await aLaunchedCampaign(options);
    for (const who of options.approvedBy ?? ["harbor"]) {
      await reviewCampaign(publisher(who), { id, action: "approve" });
    }
    return id;
  }

  /** Gives a publisher a plan that nobody paid for, or takes it away. */
  async function subscribe(who: DemoPublisher, planType: PlanType | undefined): Promise<void> {
    const accountId = demoAccountId(who);
    const over = { status: "canceled" as const, dueAt: null, pastDueSince: null, endedAt: now };
    await db.update(subscriptions).set(over).where(currentOf(accountId));
    if (!planType) return;
    const { startedAt, endsAt } = periodFrom(now, now);
    await db.insert(subscriptions).values({
      id: newId<SubscriptionId>(),
      accountId,
      planType,
      status: "active",
      createdAt: now,
      anchorAt: now,
      periodStartedAt: startedAt,
      periodEndsAt: endsAt,
      dueAt: endsAt,
    });
  }

  return {
    db,
    clock,
    today,
    passDays: (days: number) => {
      now = new Date(now.getTime() + days * 86_400_000);
    },
    setNow: (instant: string) => {
      now = new Date(instant);
    },
    northwind,
    brightside: advertiser("brightside"),
    harbor: publisher("harbor"),
    fern: publisher("fern"),
    job,
    accountId: demoAccountId,
    audience: demoAudienceId,
    product: demoProductId,
    complete,
    aDraft,
    aLaunchedCampaign,
    aRunningCampaign,
    /** One row of a report: today's 1,000 impressions on Harbor's hikers through DV360, unless said otherwise. Money in micros. */
    async deliver(campaignId: CampaignId, more: Partial<DeliveryRow> = {}, by = job) {
      const row: DeliveryRow = {
        campaignId,
        audienceId: demoAudienceId("hikers"),
        channel: "dv360",
        day: today(),
        source: "test",
        impressions: 1_000,
        clicks: 10,
        conversions: 1,
        spendMicros: 4_000_000,
        revenueMicros: 9_000_000,
        reach: null,
        creatives: null,
        ...more,
      };
      return reportDelivery(by, { rows: [row] });
    },
    /** The advertiser's view in short. */
    statusOf: async (id: CampaignId, by = northwind) => (await getCampaign(by, id)).status,
    /** The publisher's view in short: `approved active`. */
    partOf: async (by: Ctx<PublisherActor>, id: CampaignId) => {
      const part = await getLineItem(by, id);
      return `${part.approvalStatus} ${part.status}`;
    },
    subscribe,
    /** The `Cookie` header of somebody signed in. */
    async cookieOf(who: DemoTenant): Promise<string> {
      const visit = { db, clock: () => new Date(), door: "screen" as const, report: () => undefined };
      const { token } = await startSession(visit, { userId: demoUserId(who), userAgent: null, replaces: undefined });
      return sessionCookie(token);
    },
  };
}

/** So that campaigns deliver without anybody having paid: what is about money takes it away again. */
async function giveCredit(db: Database): Promise<void> {
  await db.update(accounts).set({ creditLimitCents: 1_000_000_000 }).where(eq(accounts.type, "advertiser"));
  await db.update(fundsHolds).set({ releasedAt: sql`${fundsHolds.heldAt}` });
}

type Options = { by?: Ctx<AdvertiserActor>; audiences?: readonly DemoAudienceKey[] };

/** Changes as a door would hand them on, from the wire's words and dollars. */
export function payload(words: Record<string, unknown>): CampaignChanges {
  return campaignChangesSchema.parse(words);
}
