import { desc, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { deleteDraft } from "#app/domain/campaigns/delete-draft.server.ts";
import { duplicateCampaign } from "#app/domain/campaigns/duplicate-campaign.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { auditEntries } from "#db/schema/index.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { domainErrorFrom, expectDomainError } from "#tests/support/expect-domain-error.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

test("a draft can be saved empty, and has the specification's defaults", async () => {
  const { id } = await createCampaign(world.northwind, campaignChanges({}));
  const draft = await getCampaign(world.northwind, id);
  expect(draft).toMatchObject({ name: "", status: "draft", version: 0, lineItems: [] });
  expect(draft.content).toMatchObject({
    frequencyCapImpressions: 3,
    frequencyCapPeriod: "day",
    channelType: "dsp",
    channels: [],
    totalBudgetCents: null,
  });
});

test("absent fields stay as they are and null clears them", async () => {
  const id = await world.aDraft({ objective: "traffic" });
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: null, name: "Renamed" }) });
  const { name, content } = await getCampaign(world.northwind, id);
  expect([name, content.objective, content.totalBudgetCents]).toEqual(["Renamed", "traffic", null]);
});

test("saving another channel type removes the channels of the previous one", async () => {
  const id = await world.aDraft({ channels: ["dv360", "trade_desk"] });
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ channel_type: "walled_garden" }) });
  expect((await getCampaign(world.northwind, id)).content).toMatchObject({
    channelType: "walled_garden",
    channels: [],
  });
});

test.each([{ channels: ["meta"] }, { channel_type: "walled_garden", channels: ["dv360", "meta"] }])(
  "a channel of another type than the campaign then has is rejected: %j",
  async (changes) => {
    const id = await world.aDraft({ channels: ["dv360"] });
    const refusal = await domainErrorFrom(updateCampaign(world.northwind, { id, changes: campaignChanges(changes) }));
    expect(refusal.fields).toEqual({ channels: ["Choose channels that match the channel type"] });
    expect((await getCampaign(world.northwind, id)).content).toMatchObject({ channelType: "dsp", channels: ["dv360"] });
  },
);

test("products can be selected once there is a creative, and are removed with it", async () => {
  const pack = world.product("NW-PK-040");
  const id = await world.aDraft();
  const tooEarly = updateCampaign(world.northwind, { id, changes: campaignChanges({ selected_products: [pack] }) });
  expect((await domainErrorFrom(tooEarly)).fields?.selected_products).toBeDefined();

  const creative_ids = [await insertCreative(db(), world.accountId("northwind"))];
  const changes = campaignChanges({ creative_ids, selected_products: [pack, pack] });
  await updateCampaign(world.northwind, { id, changes });
  expect((await getCampaign(world.northwind, id)).products.map((product) => product.name)).toEqual([
    "Ridgeline 40 Pack",
  ]);

  await updateCampaign(world.northwind, { id, changes: campaignChanges({ creative_ids: [] }) });
  expect((await getCampaign(world.northwind, id)).content.productIds).toEqual([]);
});

test("another account's product gets the message of an unknown one", async () => {
  const creative_ids = [await insertCreative(db(), world.accountId("northwind"))];
  const of = (product: string) =>
    domainErrorFrom(createCampaign(world.northwind, campaignChanges({ creative_ids, selected_products: [product] })));
  const foreign = await of(world.product("BS-CB-006"));
  const absent = await of("01900000-0000-7000-8000-e99999999999");
  expect(foreign.fields).toEqual({ selected_products: ["Choose products from the list"] });
  expect(absent.fields).toEqual(foreign.fields);
});

test("an audience below the minimum cannot be selected", async () => {
  const refusal = await domainErrorFrom(world.aDraft({}, { audiences: ["kayakPilot"] }));
  expect(refusal.fields).toEqual({ selected_audiences: ["Choose audiences from the list"] });
});

test("a draft that was never sent can be deleted; a launched campaign cannot", async () => {
  const draft = await world.aDraft();
  await deleteDraft(world.northwind, { id: draft });
  await expectDomainError(getCampaign(world.northwind, draft), "not_found");
  const launched = await world.aLaunchedCampaign();
  await expectDomainError(deleteDraft(world.northwind, { id: launched }), "invalid_transition");
});

test("a duplicate is a draft with the same content and no dates", async () => {
  const id = await world.aRunningCampaign();
  const copy = await duplicateCampaign(world.northwind, { id });
  const made = await getCampaign(world.northwind, copy.id);
  expect(made).toMatchObject({ name: "Copy of Ridgeline Packs", status: "draft", version: 0, impressions: 0 });
  const { content } = await getCampaign(world.northwind, id);
  expect(made.content).toEqual({ ...content, startDate: null, endDate: null });
});

test("a launch lists everything that is missing at once, by the names of the JSON", async () => {
  const { id } = await createCampaign(world.northwind, campaignChanges({}));
  const refusal = await domainErrorFrom(launchCampaign(world.northwind, { id }));
  expect(refusal.code).toBe("invalid_input");
  expect(Object.keys(refusal.fields ?? {}).sort()).toEqual([
    "ad_format",
    "budget",
    "channels",
    "daily_budget",
    "end_date",
    "name",
    "objective",
    "selected_audiences",
    "start_date",
  ]);
  expect(await world.statusOf(id)).toBe("draft");
});

test.each([
  ["a budget of 0", { budget: 0 }, "budget"],
  ["a daily budget of 0", { daily_budget: 0 }, "daily_budget"],
  ["a daily budget above the budget", { budget: 100, daily_budget: 100.01 }, "daily_budget"],
  ["a start yesterday", { start_date: "2026-11-19" }, "start_date"],
  ["an end before the start", { start_date: "2026-11-25", end_date: "2026-11-24" }, "end_date"],
])("%s is rejected at launch, not while drafting", async (_, changes, field) => {
  const id = await world.aDraft(changes);
  const refusal = await domainErrorFrom(launchCampaign(world.northwind, { id }));
  expect(Object.keys(refusal.fields ?? {})).toEqual([field]);
});

test("a flight of one day, today, with a daily budget that is the whole budget can be launched", async () => {
  const flight = { start_date: world.today(), end_date: world.today(), budget: 0.01, daily_budget: 0.01 };
  expect(await world.statusOf(await world.aLaunchedCampaign({ changes: flight }))).toBe("pending");
});

test("today is the UTC day, up to a second before midnight", async () => {
  world.setNow("2026-11-20T23:59:59Z");
  const id = await world.aDraft({ start_date: "2026-11-20" });
  world.setNow("2026-11-21T00:00:00Z");
  expect(Object.keys((await domainErrorFrom(launchCampaign(world.northwind, { id }))).fields ?? {})).toEqual([
    "start_date",
  ]);
});

test("pacing belongs to the advertiser: it changes at once, asks no publisher, and is in the history", async () => {
  const id = await world.aRunningCampaign();
  const pacingOf = async (of: typeof id) => (await getCampaign(world.northwind, of)).pacing;
  expect(await pacingOf(id)).toBe("even");
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ pacing: "asap" }), send: true });
  const { pacing, version, unsentFields, status } = await getCampaign(world.northwind, id);
  expect({ pacing, version, unsentFields, status }).toEqual({
    pacing: "asap",
    version: 1,
    unsentFields: [],
    status: "active",
  });
  expect((await getLineItem(world.harbor, id)).pacing).toBe("asap");
  const [line] = await db()
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.campaignId, id))
    .orderBy(desc(auditEntries.id))
    .limit(1);
  expect([line?.action, line?.before, line?.after]).toEqual([
    "campaign.changed",
    { pacing: "even" },
    { pacing: "asap" },
  ]);
  expect(await pacingOf((await duplicateCampaign(world.northwind, { id })).id)).toBe("asap");
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ name: "Other" }) });
  expect(await pacingOf(id)).toBe("asap");
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ pacing: null }) });
  expect(await pacingOf(id)).toBe("even");
});
