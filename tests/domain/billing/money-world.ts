import { eq, sql } from "drizzle-orm";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import type { AdvertiserActor, PublisherActor } from "#app/domain/context.ts";
import type { AccountId, AudienceId, CampaignId, LineItemId, PaymentMethodId } from "#app/domain/ids.ts";
import type { SandboxToken } from "#app/domain/payments/sandbox/sandbox-cards.ts";
import type { Database } from "#db/client.server.ts";
import { lineItems } from "#db/schema/index.ts";
import type { DemoAudienceKey } from "#db/seed/demo-audiences.ts";
import { createWorld } from "#tests/support/world.ts";

/** The cards that histories pay with: one succeeds, one needs confirmation, one is declined. */
export const cards = ["tok_visa", "tok_confirmation", "tok_declined"] as const satisfies readonly SandboxToken[];

export type MoneyItem = {
  id: LineItemId;
  campaignId: CampaignId;
  audienceId: AudienceId;
  advertiser: AccountId;
  publisher: AccountId;
  bps: number;
};

/** Plain values, so that they can be passed to another process as JSON. `methods` is keyed by account and card. */
export type MoneyWorld = {
  advertisers: readonly AdvertiserActor[];
  publishers: readonly PublisherActor[];
  items: readonly MoneyItem[];
  methods: Readonly<Record<string, PaymentMethodId>>;
};

/** When the flights of all campaigns begin, and histories with them. */
export const firstDay = "2026-11-20";

/**
 * Two advertisers and two publishers with five campaigns that run for three years, at rates that leave remainders of
 * every kind (0 %, 33.33 %, 70 %, 79.99 %, 80 %), cards to pay with and banks to be paid at. `owner` is a connection as
 * the owner of the tables.
 */
export async function createMoneyWorld(db: Database, owner: Database): Promise<MoneyWorld> {
  const world = await createWorld(db);
  const createLineItem = async (advertiser: "northwind" | "brightside", audience: DemoAudienceKey, percent: number) => {
    const publisher = audience === "hikers" ? world.harbor : world.fern;
    const flight = { start_date: firstDay, end_date: "2029-12-31", budget: 99_000_000, daily_budget: 90_000 };
    const input = { advertiser_id: world.accountId(advertiser), commission_rate: percent, ...flight };
    const { id } = await createManagedCampaign(
      publisher,
      managedCampaignSchema.parse({ ...world.complete([audience]), ...input }),
    );
    const [item] = await db.select().from(lineItems).where(eq(lineItems.campaignId, id));
    if (!item) throw new Error("a managed campaign has a line item");
    return {
      id: item.id,
      campaignId: id,
      audienceId: world.audience(audience),
      bps: item.commissionRateBps,
      advertiser: world.accountId(advertiser),
      publisher: publisher.actor.accountId,
    };
  };
  const items = [
    await createLineItem("northwind", "hikers", 70),
    await createLineItem("northwind", "hikers", 33.33),
    await createLineItem("northwind", "coffeeDrinkers", 80),
    await createLineItem("brightside", "hikers", 0),
    await createLineItem("brightside", "coffeeDrinkers", 79.99),
  ];
  const methods: Record<string, PaymentMethodId> = {};
  for (const ctx of [world.northwind, world.brightside, world.harbor, world.fern]) {
    for (const token of cards) {
      methods[`${ctx.actor.accountId} ${token}`] = (await addPaymentMethod(ctx, { token })).id;
    }
  }
  for (const ctx of [world.harbor, world.fern]) await setPayoutAccount(ctx, { token: "bank_sandbox" });
  // This table stands for reversals at banks and providers; it is not part of the schema.
  await owner.execute(
    sql`create table outside_reversals (payment_id uuid, payment_of text, reason text, cents bigint, primary key (payment_id, reason))`,
  );
  await owner.execute(sql`grant select, insert, update on outside_reversals to endcap_server`);
  const [advertisers, publishers] = [
    [world.northwind.actor, world.brightside.actor],
    [world.harbor.actor, world.fern.actor],
  ];
  return { advertisers, publishers, items, methods };
}
