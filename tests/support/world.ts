import { eq, sql } from "drizzle-orm";
import { startSession } from "#app/domain/accounts/sign-in/start-session.server.ts";
import { isCurrentSubscription } from "#app/domain/billing/find-subscription.server.ts";
import type { PlanType } from "#app/domain/billing/plan.ts";
import { periodFrom } from "#app/domain/billing/subscription/billing-period.ts";
import { addDays, type CalendarDate, calendarDateOf } from "#app/domain/calendar-date.ts";
import { type CampaignChanges, campaignChangesSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { AdvertiserActor, Ctx, JobActor, PublisherActor } from "#app/domain/context.ts";
import type { DeliveryRow } from "#app/domain/delivery/delivery-row.ts";
import { ingestDeliveryReport } from "#app/domain/delivery/ingest-delivery-report.server.ts";
import { type CampaignId, newId, type SubscriptionId } from "#app/domain/ids.ts";
import { type Database, withQueryLabel } from "#db/client.server.ts";
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

export type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * Creates the demo's tenants, people, audiences and products, without campaigns, in an empty database. Northwind
 * Outdoors and Brightside are advertisers; Harbor Goods (hikers, campers …) and Fern & Field (coffeeDrinkers,
 * organicPantry …) are publishers; Larkspur and Cobblestone await approval. The clock is fixed at noon, November 20,
 * 2026, until `advanceDays` or `setNow`.
 */
export async function createWorld(pool: Database) {
  // The label tells the verbs' statements from those that a test writes (database/fact-statements.ts).
  const db = withQueryLabel(pool, { job: "world" });
  let now = new Date("2026-11-20T12:00:00Z");
  const clock = () => now;
  await insertDemoAccounts(db, now);
  await grantCredit(db);
  await insertDemoAudiences(db, now);
  await insertDemoProducts(db, now);
  await subscribe("harbor", "enterprise");
  await subscribe("fern", "enterprise");

  const today = (): CalendarDate => calendarDateOf(now);
  const advertiser = (who: DemoAdvertiser): Ctx<AdvertiserActor> => ({
    db,
    clock,
    entrypoint: "screen",
    report: () => undefined,
    actor: { kind: "advertiser", accountId: demoAccountId(who), userId: demoUserId(who) },
  });
  const publisher = (who: DemoPublisher): Ctx<PublisherActor> => ({
    db,
    clock,
    entrypoint: "screen",
    report: () => undefined,
    actor: { kind: "publisher", accountId: demoAccountId(who), userId: demoUserId(who) },
  });
  const job: Ctx<JobActor> = {
    db,
    clock,
    entrypoint: "job",
    report: () => undefined,
    actor: { kind: "job", name: "Endcap" },
  };
  const northwind = advertiser("northwind");

  /** The fields that a launch requires, in the API's names: starts tomorrow, runs ten days. */
  const launchableFields = (audiences: readonly DemoAudienceKey[] = ["hikers"]) => ({
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

  async function createDraft(
    changes: Record<string, unknown> = {},
    { by = northwind, audiences }: Options = {},
  ): Promise<CampaignId> {
    return (await createCampaign(by, campaignChanges({ ...launchableFields(audiences), ...changes }))).id;
  }

  async function aLaunchedCampaign(options: Options & { changes?: Record<string, unknown> } = {}): Promise<CampaignId> {
    const id = await createDraft(options.changes, options);
    await launchCampaign(options.by ?? northwind, { id });
    return id;
  }

  /** Launches a campaign and approves it for the publishers named. */
  async function aRunningCampaign(
    options: Options & { approvedBy?: DemoPublisher[]; changes?: Record<string, unknown> } = {},
  ): Promise<CampaignId> {
    const id = await aLaunchedCampaign(options);
    for (const who of options.approvedBy ?? ["harbor"]) {
      await reviewCampaign(publisher(who), { id, action: "approve" });
    }
    return id;
  }

  /** Sets a publisher's plan without a payment, or removes it. */
  async function subscribe(who: DemoPublisher, planType: PlanType | undefined): Promise<void> {
    const accountId = demoAccountId(who);
    const over = { status: "canceled" as const, dueAt: null, pastDueSince: null, endedAt: now };
    await db.update(subscriptions).set(over).where(isCurrentSubscription(accountId));
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
    db: pool,
    clock,
    today,
    advanceDays: (days: number) => {
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
    complete: launchableFields,
    aDraft: createDraft,
    aLaunchedCampaign,
    aRunningCampaign,
    /**
     * Ingests one report row: by default today's 1,000 impressions on Harbor's hikers through DV360. Money is in
     * micros.
     */
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
      return ingestDeliveryReport(by, { rows: [row] });
    },
    /** The campaign's status as the advertiser sees it. */
    statusOf: async (id: CampaignId, by = northwind) => (await getCampaign(by, id)).status,
    /** The line item's status as the publisher sees it: `approved active`. */
    lineItemStatus: async (by: Ctx<PublisherActor>, id: CampaignId) => {
      const part = await getLineItem(by, id);
      return `${part.approvalStatus} ${part.status}`;
    },
    subscribe,
    /** Returns the `Cookie` header of a signed-in person. */
    async cookieOf(who: DemoTenant): Promise<string> {
      const visit = { db, clock: () => new Date(), entrypoint: "screen" as const, report: () => undefined };
      const { token } = await startSession(visit, { userId: demoUserId(who), userAgent: null, replaces: undefined });
      return sessionCookie(token);
    },
  };
}

/** Grants credit, so that campaigns deliver without a payment; tests of billing remove it. */
async function grantCredit(db: Database): Promise<void> {
  await db.update(accounts).set({ creditLimitCents: 1_000_000_000 }).where(eq(accounts.type, "advertiser"));
  await db.update(fundsHolds).set({ releasedAt: sql`${fundsHolds.heldAt}` });
}

type Options = { by?: Ctx<AdvertiserActor>; audiences?: readonly DemoAudienceKey[] };

/** Returns changes as an endpoint would pass them, from the API's names and dollars. */
export function campaignChanges(changes: Record<string, unknown>): CampaignChanges {
  return campaignChangesSchema.parse(changes);
}
