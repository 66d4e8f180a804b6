import { desc, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { addDays } from "#app/domain/calendar-date.ts";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { listLineItems } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import { getManagedCampaign } from "#app/domain/campaigns/managed/get-managed-campaign.server.ts";
import { updateManagedCampaign } from "#app/domain/campaigns/managed/update-managed-campaign.server.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { productSchema } from "#app/domain/catalog/product-payloads.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import { accounts, campaigns, lineItems, notifications, products } from "#db/schema/index.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { domainErrorFrom } from "#tests/support/expect-domain-error.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

function createManaged(input: Record<string, unknown> = {}) {
  const advertiser_id = world.accountId("northwind");
  return createManagedCampaign(
    world.harbor,
    managedCampaignSchema.parse({ ...world.complete(), advertiser_id, ...input }),
  );
}

test("a managed campaign is the advertiser's, approved at once, at the agreed rate, with its CPM frozen", async () => {
  const { id } = await createManaged({ commission_rate: 62.5 });
  expect(await getCampaign(world.northwind, id)).toMatchObject({
    status: "active",
    managedByRetailer: true,
    version: 1,
  });
  const part = await getLineItem(world.harbor, id);
  expect(part).toMatchObject({ managedByRetailer: true, commissionRate: 62.5, approvalStatus: "approved" });
  expect(part.audiences[0]?.cpmCents).toBe(750);
  const { rows } = await listLineItems(world.harbor, { filter: "managed" });
  expect(rows.map((row) => row.id)).toEqual([id]);
});

test("the advertiser can pause it", async () => {
  const { id } = await createManaged();
  await pauseCampaign(world.northwind, { id });
  expect(await world.lineItemStatus(world.harbor, id)).toBe("approved paused");
});

test("the rate is 70 percent unless agreed, and never above 80", async () => {
  const { id } = await createManaged();
  expect((await getLineItem(world.harbor, id)).commissionRate).toBe(70);
  expect(managedCampaignSchema.safeParse({ advertiser_id: id, commission_rate: 80 }).success).toBe(true);
  for (const commission_rate of [80.01, 81, -1, "NaN", Number.POSITIVE_INFINITY]) {
    expect(managedCampaignSchema.safeParse({ advertiser_id: id, commission_rate }).success, `${commission_rate}`).toBe(
      false,
    );
  }
});

test("other publishers' audiences are rejected with the message for unknown ones", async () => {
  const before = await db().$count(campaigns);
  const foreign = await domainErrorFrom(
    createManaged({ selected_audiences: [world.audience("hikers"), world.audience("grilling")] }),
  );
  const absent = await domainErrorFrom(createManaged({ selected_audiences: ["01900000-0000-7000-8000-d99999999999"] }));
  expect([foreign.code, foreign.fields]).toEqual([absent.code, absent.fields]);
  expect(await db().$count(campaigns)).toBe(before);
});

test("only an approved advertiser that allows it can be chosen", async () => {
  const chosen = async (id: string) => (await domainErrorFrom(createManaged({ advertiser_id: id }))).fields;
  const refused = { advertiser_id: ["Choose an advertiser from the list"] };
  expect(await chosen(world.accountId("larkspur"))).toEqual(refused);
  expect(await chosen(world.accountId("fern"))).toEqual(refused);
  expect(await chosen("01900000-0000-7000-8000-a99999999999")).toEqual(refused);
  await db()
    .update(accounts)
    .set({ allowsManagedCampaigns: false })
    .where(eq(accounts.id, world.accountId("brightside")));
  expect(await chosen(world.accountId("brightside"))).toEqual(refused);
});

test("it requires everything that a launch requires, and leaves nothing behind otherwise", async () => {
  const before = await db().$count(campaigns);
  const refusal = await domainErrorFrom(createManaged({ budget: null, channels: [] }));
  expect(Object.keys(refusal.fields ?? {}).sort()).toEqual(["budget", "channels"]);
  expect(await db().$count(campaigns)).toBe(before);
});

const change = (id: CampaignId, input: Record<string, unknown>, by = world.harbor) =>
  updateManagedCampaign(by, { id, changes: campaignChanges(input) });

test("the publisher's edit is a new version that runs at once, and the advertiser is notified", async () => {
  const { id } = await createManaged({ commission_rate: 62.5 });
  const before = await db().$count(notifications, eq(notifications.campaignId, id));
  await change(id, { budget: 8_000, end_date: addDays(world.today(), 20) });
  const campaign = await getCampaign(world.northwind, id);
  expect(campaign).toMatchObject({ status: "active", version: 2, unsentFields: [] });
  expect(campaign.content).toMatchObject({ totalBudgetCents: 800_000, endDate: addDays(world.today(), 20) });
  const part = await getLineItem(world.harbor, id);
  expect(part).toMatchObject({ approvalStatus: "approved", approvedVersion: 2, commissionRate: 62.5 });
  expect(part.audiences[0]?.cpmCents).toBe(750);
  const [notification, ...others] = await db()
    .select()
    .from(notifications)
    .where(eq(notifications.campaignId, id))
    .orderBy(desc(notifications.id));
  expect(others).toHaveLength(before);
  expect(notification).toMatchObject({ accountId: world.accountId("northwind"), event: "campaign_approved" });
  expect(notification && describeNotification(notification, "advertiser").title).toBe(
    "Harbor Goods changed “Ridgeline Packs”, which it manages for you",
  );
});

test("an edit to a budget that is already spent ends the campaign", async () => {
  const { id } = await createManaged({ start_date: world.today() });
  await world.deliver(id, { spendMicros: 300_000_000 });
  expect(await change(id, { budget: 301, daily_budget: 301 })).toEqual({ hasEnded: false, unlistedProducts: 0 });
  expect(await world.statusOf(id)).toBe("active");
  expect(await change(id, { budget: 300, daily_budget: 300 })).toMatchObject({ hasEnded: true });
  expect(await world.lineItemStatus(world.harbor, id)).toBe("approved completed");
  expect(await getCampaign(world.northwind, id)).toMatchObject({
    status: "completed",
    statusReason: { code: "budget_spent" },
  });
  expect((await domainErrorFrom(change(id, { budget: 400 }))).message).toBe("Completed campaigns can't be edited.");
});

test("a product that is not active any more stays, and is named, when the publisher edits something else", async () => {
  const fields = { name: "Old tent", sku: "OLD-1", category: "Camping", price: 90 };
  const { id: product } = await createProduct(world.northwind, productSchema.parse(fields));
  const creative = await insertCreative(db(), world.accountId("harbor"));
  const withProduct = { creative_ids: [creative], selected_products: [product] };
  const { id } = await createManaged(withProduct);
  await db().update(products).set({ listingStatus: "archived" }).where(eq(products.id, product));
  expect(await change(id, { budget: 8_000 })).toEqual({ hasEnded: false, unlistedProducts: 1 });
  expect(await change(id, { name: "Renamed" })).toEqual({ hasEnded: false, unlistedProducts: 0 });
  const { version, content } = await getCampaign(world.northwind, id);
  expect([version, content.totalBudgetCents, content.productIds]).toEqual([2, 800_000, [product]]);
  const added = await domainErrorFrom(createManaged(withProduct));
  expect(Object.keys(added.fields ?? {})).toEqual(["selected_products"]);
});

test("an edit of an older version than the newest replaces nothing", async () => {
  const { id } = await createManaged();
  const landing = { landing_url: "https://northwind.example/sale" };
  await updateCampaign(world.northwind, { id, changes: campaignChanges(landing), send: true });
  await reviewCampaign(world.harbor, { id, action: "approve" });
  const changes = campaignChanges({ landing_url: null, budget: 8_000 });
  const edit = (version: number) => updateManagedCampaign(world.harbor, { id, changes, version });
  expect((await domainErrorFrom(edit(1))).code).toBe("version_changed");
  expect((await getCampaign(world.northwind, id)).content).toMatchObject({ landingUrl: landing.landing_url });
  await edit(2);
  expect((await getCampaign(world.northwind, id)).content).toMatchObject({ landingUrl: null });
});

test("an edit that changes nothing sends no version, and a name changes without one", async () => {
  const { id } = await createManaged();
  await change(id, { budget: 5_000 });
  await change(id, { name: "Ridgeline Packs II" });
  expect(await getCampaign(world.northwind, id)).toMatchObject({ version: 1, name: "Ridgeline Packs II" });
  expect((await getLineItem(world.harbor, id)).name).toBe("Ridgeline Packs II");
});

test("an edit decides nothing for a publisher that the campaign no longer uses", async () => {
  const { id } = await createManaged({ selected_audiences: [world.audience("hikers")] });
  const resend = (audiences: string[]) =>
    updateCampaign(world.northwind, { id, changes: campaignChanges({ selected_audiences: audiences }), send: true });
  await resend([world.audience("hikers"), world.audience("grilling")]);
  await resend([world.audience("hikers")]);
  await reviewCampaign(world.harbor, { id, action: "approve" });
  await change(id, { budget: 8_000 });
  expect(await getLineItem(world.harbor, id)).toMatchObject({ approvalStatus: "approved", approvedVersion: 4 });
  const items = await db().select().from(lineItems).where(eq(lineItems.campaignId, id));
  expect(items.map(({ approvalStatus }) => approvalStatus).sort()).toEqual(["approved", "withdrawn"]);
});

test("the rules of a launch apply to an edit", async () => {
  const { id } = await createManaged();
  const errors = async (input: Record<string, unknown>) => (await domainErrorFrom(change(id, input))).fields;
  expect(await errors({ budget: 100 })).toEqual({ daily_budget: ["The daily budget can't exceed the total budget"] });
  expect(await errors({ name: "" })).toEqual({ name: ["Enter a campaign name"] });
  expect(await errors({ end_date: addDays(world.today(), -1) })).toHaveProperty("end_date");
  expect(await errors({ selected_audiences: [world.audience("grilling")] })).toEqual({
    selected_audiences: ["Choose audiences from the list"],
  });
  expect((await getCampaign(world.northwind, id)).version).toBe(1);
});

test("only the publisher that created a campaign can edit it", async () => {
  const { id } = await createManaged();
  const own = await world.aRunningCampaign();
  for (const attempt of [change(id, { budget: 8_000 }, world.fern), change(own, { budget: 8_000 })]) {
    expect((await domainErrorFrom(attempt)).code).toBe("not_found");
  }
});

test("an edit waits for the advertiser's own, and ends when the advertiser withdraws its permission", async () => {
  const refusal = async (id: CampaignId) => {
    const { code, message } = await domainErrorFrom(change(id, { budget: 8_000 }));
    expect(code).toBe("invalid_transition");
    expect((await getManagedCampaign(world.harbor, id)).editing).toEqual({ editable: false, why: message });
    return message;
  };
  const { id } = await createManaged();
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 6_000 }) });
  expect(await refusal(id)).toBe("The advertiser is editing this campaign. Try again after it sends its changes.");
  await launchCampaign(world.northwind, { id });
  expect(await refusal(id)).toBe("Review the advertiser's changes before you edit the campaign.");
  await reviewCampaign(world.harbor, { id, action: "approve" });
  await change(id, { budget: 8_000 });
  expect((await getCampaign(world.northwind, id)).version).toBe(3);
  const shared = { selected_audiences: [world.audience("hikers"), world.audience("coffeeDrinkers")] };
  await updateCampaign(world.northwind, { id, changes: campaignChanges(shared), send: true });
  await reviewCampaign(world.harbor, { id, action: "approve" });
  expect(await refusal(id)).toBe("The advertiser added other publishers, so only the advertiser can edit it now.");

  const later = await createManaged();
  const northwind = eq(accounts.id, world.accountId("northwind"));
  await db().update(accounts).set({ allowsManagedCampaigns: false }).where(northwind);
  expect(await refusal(later.id)).toBe("The advertiser no longer allows publishers to manage its campaigns.");
  await db().update(accounts).set({ allowsManagedCampaigns: true }).where(northwind);
});
