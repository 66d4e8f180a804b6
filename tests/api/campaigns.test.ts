import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { requireId } from "#app/api/require-id.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { accounts } from "#db/schema/index.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { waitForBlockedSessions } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { deferRejection } from "#tests/support/defer-rejection.ts";
import { campaignChanges } from "#tests/support/world.ts";
import { visitor } from "../domain/accounts/people.ts";
import { allowManagedCampaigns, launchable, launched, member, product, readyAudience } from "./api.ts";

const db = useDatabase();

test("a campaign goes from a draft to a publisher's approval, and both parties read it", async () => {
  const advertiser = await member("advertiser");
  const publisher = await member("publisher");
  const audienceId = await readyAudience(publisher.accountId);

  const draft = await advertiser.api("POST /api/campaigns", { body: { name: "Autumn" } });
  expect(draft.status).toBe(201);
  expect(draft.body.campaign).toMatchObject({
    name: "Autumn",
    status: "draft",
    version: 0,
    frequency_cap_impressions: 3,
  });
  const { id } = draft.body.campaign;

  const early = await advertiser.api("POST /api/campaigns/{id}/launch", { params: { id } });
  expect(early.status).toBe(422);
  expect(Object.keys(early.error?.fields ?? {})).toEqual(
    expect.arrayContaining([
      "objective",
      "ad_format",
      "selected_audiences",
      "channels",
      "budget",
      "daily_budget",
      "start_date",
      "end_date",
    ]),
  );

  const changed = await advertiser.api("PATCH /api/campaigns/{id}", { params: { id }, body: launchable([audienceId]) });
  expect(changed.body.campaign).toMatchObject({ budget: 1000, daily_budget: 100.5, selected_audiences: [audienceId] });
  const sent = await advertiser.api("POST /api/campaigns/{id}/launch", { params: { id } });
  expect(sent.body).toMatchObject({ success: true, campaign: { id, status: "pending", version: 1 } });

  const waiting = await publisher.api("GET /api/campaigns/approval", {});
  expect(waiting.body.next_cursor).toBeNull();
  expect(waiting.body.campaigns).toMatchObject([
    {
      id,
      approval_status: "pending",
      status: "pending",
      total_budget: 1000,
      daily_budget: 100.5,
      spent_budget: 0,
      selected_audiences: [audienceId],
      audiences: [{ id: audienceId, size: 12_345, cpm_rate: 4.5 }],
      geolocation_targeting: [],
      retailer_commission_rate: 70,
      commission_earned: 0,
      ctr: 0,
      version: 1,
      approved_version: null,
    },
  ]);

  const stale = await publisher.api("POST /api/campaigns/{id}/approve", {
    params: { id },
    body: { action: "approve", version: 2 },
  });
  expect([stale.status, stale.error?.code]).toEqual([409, "version_changed"]);
  const yes = await publisher.api("POST /api/campaigns/{id}/approve", {
    params: { id },
    body: { action: "approve", notes: "Go", version: 1 },
  });
  expect(yes.body).toMatchObject({
    success: true,
    campaign: { approval_status: "approved", status: "active", notes: "Go" },
  });
  const again = await publisher.api("POST /api/campaigns/{id}/approve", { params: { id }, body: { action: "reject" } });
  expect([again.status, again.error?.code]).toEqual([409, "not_pending"]);

  const response = await advertiser.api("GET /api/campaigns/{id}", { params: { id } });
  expect(response.body.campaign).toMatchObject({
    status: "active",
    line_items: [{ approval_status: "approved", notes: "Go" }],
  });
  // The commission is between the publisher and the platform.
  expect(response.text).not.toContain("commission");
  expect(response.body.campaign.history.map((entry) => entry.action)).toEqual([
    "line_item.approved",
    "campaign.launched",
    "campaign.changed",
    "campaign.created",
  ]);
  const change = response.body.campaign.history.find((entry) => entry.action === "campaign.changed");
  expect(change?.after).toMatchObject({ budget: 1000, daily_budget: 100.5, selected_audiences: [audienceId] });

  const own = await publisher.api("GET /api/campaigns/{id}", { params: { id } });
  expect(own.body.campaign.line_items).toMatchObject([{ retailer_commission_rate: 70 }]);
  expect(own.body.campaign.history.map((entry) => entry.action)).toEqual(["line_item.approved", "line_item.sent"]);
});

test("null clears each field of a draft, lists and the channel type too", async () => {
  const { api, accountId } = await member("advertiser");
  const publisher = await member("publisher");
  const fields = {
    ...launchable([await readyAudience(publisher.accountId)]),
    landing_url: "https://shop.example.com/",
    creative_ids: [await insertCreative(db(), accountId)],
    selected_products: [await product(accountId)],
    geolocations: ["us" as const],
    frequency_cap_impressions: 7,
    channel_type: "walled_garden" as const,
    channels: ["meta" as const],
    pacing: "asap" as const,
  };
  const empty = (await api("POST /api/campaigns", { body: {} })).body.campaign;
  const filled = (await api("POST /api/campaigns", { body: fields })).body.campaign;
  expect(filled).toMatchObject(fields);

  const cleared = Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
  const response = await api("PATCH /api/campaigns/{id}", { params: { id: filled.id }, body: cleared });
  const { id, created_at, updated_at, ...rest } = response.body.campaign;
  expect(empty).toMatchObject(rest);
});

test("a PATCH of a running campaign asks its publishers again, while it keeps running", async () => {
  const advertiser = await member("advertiser");
  const publisher = await member("publisher");
  const id = await launched(advertiser, publisher);
  await publisher.api("POST /api/campaigns/{id}/approve", { params: { id }, body: { action: "approve" } });

  const changed = await advertiser.api("PATCH /api/campaigns/{id}", {
    params: { id },
    body: { budget: 2_000, landing_url: "https://shop.example.com/sale" },
  });
  expect(changed.body.campaign).toMatchObject({
    status: "active",
    version: 2,
    budget: 2_000,
    has_unsent_changes: false,
  });
  const { body } = await publisher.api("GET /api/retailer/campaigns", { query: { filter: "pending" } });
  expect(body.campaigns).toMatchObject([
    { id, status: "active", approval_status: "pending", version: 2, approved_version: 1 },
  ]);
});

test("a PATCH of a running campaign sends what it names, and nothing that was saved without being sent", async () => {
  const advertiser = await member("advertiser");
  const publisher = await member("publisher");
  const id = await launched(advertiser, publisher);
  const params = { id };
  await publisher.api("POST /api/campaigns/{id}/approve", { params, body: { action: "approve" } });
  const { accountId, userId } = advertiser;
  const inWizard = { ...visitor(), actor: { kind: "advertiser" as const, accountId, userId } };
  const changes = campaignChanges({ objective: "awareness", budget: 900 });
  await updateCampaign(inWizard, { id: requireId<CampaignId>("Campaign", id), changes });
  const patch = async (body: object) =>
    (await advertiser.api("PATCH /api/campaigns/{id}", { params, body })).body.campaign;
  const ofPublisher = async () => (await publisher.api("GET /api/campaigns/{id}", { params })).body.campaign;
  const unsent = { objective: "awareness", has_unsent_changes: true };

  expect(await patch({ name: "Winter" })).toMatchObject({ ...unsent, name: "Winter", version: 1, budget: 900 });
  expect(await patch({ objective: "traffic" })).toMatchObject({ version: 1, has_unsent_changes: true, budget: 900 });
  expect(await patch({ objective: "awareness", daily_budget: 50 })).toMatchObject({
    ...unsent,
    version: 2,
    budget: 900,
  });
  expect(await ofPublisher()).toMatchObject({
    version: 2,
    objective: "awareness",
    daily_budget: 50,
    total_budget: 1_000,
  });
  const rest = await advertiser.api("POST /api/campaigns/{id}/launch", { params });
  expect(rest.body.campaign).toMatchObject({ version: 3, has_unsent_changes: false });
  expect(await ofPublisher()).toMatchObject({ version: 3, total_budget: 900 });
});

test("pause and resume work for both parties, each for its own line items", async () => {
  const advertiser = await member("advertiser");
  const publisher = await member("publisher");
  const id = await launched(advertiser, publisher);
  const params = { id };
  expect((await advertiser.api("POST /api/campaigns/{id}/pause", { params })).error?.code).toBe("invalid_transition");
  await publisher.api("POST /api/campaigns/{id}/approve", { params, body: { action: "approve" } });

  expect((await publisher.api("POST /api/campaigns/{id}/pause", { params })).body).toMatchObject({
    success: true,
    campaign: { status: "paused" },
  });
  expect((await publisher.api("POST /api/campaigns/{id}/pause", { params })).status).toBe(200);
  const blocked = await advertiser.api("POST /api/campaigns/{id}/play", { params });
  expect([blocked.status, blocked.error?.message]).toEqual([
    409,
    "The publisher paused this campaign. Only the publisher can resume it.",
  ]);
  expect((await publisher.api("POST /api/campaigns/{id}/play", { params })).body).toMatchObject({
    campaign: { status: "active" },
  });
  expect((await advertiser.api("POST /api/campaigns/{id}/pause", { params })).body).toMatchObject({
    campaign: { status: "paused" },
  });
  expect((await publisher.api("POST /api/campaigns/{id}/play", { params })).status).toBe(409);
  expect((await advertiser.byKey("POST /api/campaigns/{id}/play", { params })).body).toMatchObject({
    campaign: { status: "active" },
  });
});

test("each party archives and restores a campaign in its own lists", async () => {
  const advertiser = await member("advertiser");
  const publisher = await member("publisher");
  const id = await launched(advertiser, publisher);
  const params = { id };
  expect((await advertiser.api("POST /api/campaigns/{id}/archive", { params })).error?.code).toBe("invalid_transition");
  expect((await publisher.api("POST /api/campaigns/{id}/archive", { params })).error?.code).toBe("invalid_transition");
  await publisher.api("POST /api/campaigns/{id}/approve", { params, body: { action: "approve" } });
  await advertiser.api("POST /api/campaigns/{id}/pause", { params });

  const archived = await advertiser.api("POST /api/campaigns/{id}/archive", { params });
  expect(archived.body).toMatchObject({
    success: true,
    campaign: {
      status: "paused",
      archived_at: expect.any(String),
      status_reason: { code: "archived", resolution: "restore" },
    },
  });
  expect((await advertiser.byKey("POST /api/campaigns/{id}/archive", { params })).status).toBe(200);
  const idsOf = async (query: { archived?: "true" }) => {
    const own = await advertiser.api("GET /api/campaigns", { query });
    const response = await publisher.api("GET /api/retailer/campaigns", { query });
    return [own, response].map(({ body }) => body.campaigns.map((one: { id: string }) => one.id));
  };
  expect(await idsOf({})).toEqual([[], [id]]);
  expect(await idsOf({ archived: "true" })).toEqual([[id], []]);
  const change = await advertiser.api("PATCH /api/campaigns/{id}", { params, body: { budget: 2_000 } });
  expect([change.status, change.error?.message]).toEqual([409, "This campaign is archived. Restore it first."]);

  expect((await publisher.api("POST /api/campaigns/{id}/archive", { params })).body).toMatchObject({
    campaign: { archived_at: expect.any(String) },
  });
  expect(await idsOf({ archived: "true" })).toEqual([[id], [id]]);
  for (const side of [advertiser, publisher]) {
    expect((await side.api("POST /api/campaigns/{id}/restore", { params })).body).toMatchObject({
      campaign: { archived_at: null },
    });
  }
  expect(await idsOf({})).toEqual([[id], [id]]);
});

test("a publisher creates a campaign for an advertiser only if the advertiser allows it", async () => {
  const advertiser = await member("advertiser");
  const publisher = await member("publisher");
  const audienceId = await readyAudience(publisher.accountId);
  const own = { advertiser_id: advertiser.accountId, commission_rate: 65.5, pacing: "asap" as const };
  const body = { ...launchable([audienceId]), ...own };
  const rejected = await publisher.api("POST /api/retailer/campaigns", { body });
  expect(rejected.error?.fields).toHaveProperty("advertiser_id");

  await allowManagedCampaigns(advertiser.accountId);
  const choosable = await publisher.api("GET /api/advertisers", { query: { q: "company" } });
  expect(choosable.body.advertisers).toEqual([{ id: advertiser.accountId, company_name: expect.any(String) }]);
  const created = await publisher.api("POST /api/retailer/campaigns", { body });
  expect(created.status).toBe(201);
  expect(created.body.campaign).toMatchObject({
    managed_by_retailer: true,
    status: "active",
    retailer_commission_rate: 65.5,
    pacing: "asap",
  });
  const managed = await publisher.api("GET /api/retailer/campaigns", { query: { filter: "managed" } });
  expect(managed.body.campaigns.map((campaign) => campaign.id)).toEqual([created.body.campaign.id]);
  const owned = await advertiser.api("GET /api/campaigns", { query: { status: "active" } });
  expect(owned.body.campaigns).toMatchObject([{ id: created.body.campaign.id, managed_by_retailer: true }]);
});

test("a campaign for an advertiser whose account is closed meanwhile is an error that the endpoint declares", async () => {
  const advertiser = await member("advertiser");
  const publisher = await member("publisher");
  await allowManagedCampaigns(advertiser.accountId);
  const body = { ...launchable([await readyAudience(publisher.accountId)]), advertiser_id: advertiser.accountId };
  const { answered } = await db().transaction(async (tx) => {
    const account = eq(accounts.id, advertiser.accountId);
    await tx.select().from(accounts).where(account).for("update");
    const sent = { answered: deferRejection(publisher.api("POST /api/retailer/campaigns", { body })) };
    await waitForBlockedSessions(db(), 1);
    await tx.update(accounts).set({ status: "suspended", closedAt: new Date() }).where(account);
    return sent;
  });
  const { status, error } = await answered;
  expect([status, error?.code]).toEqual([409, "invalid_transition"]);
});

test.each([
  ["https://user:secret@shop.example.com/", "Remove the user name and password from the URL"],
  ["https://:secret@shop.example.com/", "Remove the user name and password from the URL"],
  ["http://user@localhost/", "Remove the user name and password from the URL"],
  ["ftp://shop.example.com/", "Enter a URL, such as https://www.example.com/summer"],
  ["shop.example.com", "Enter a URL, such as https://www.example.com/summer"],
])("the landing URL %s is an error at its field", async (landing_url, message) => {
  const { api } = await member("advertiser");
  const { status, error } = await api("POST /api/campaigns", { body: { name: "Autumn", landing_url } });
  expect([status, error?.fields]).toEqual([422, { landing_url: [message] }]);
});

test("lists have pages and search by name", async () => {
  const advertiser = await member("advertiser");
  for (const name of ["Alpha", "Beta", "Alphabet"]) await advertiser.api("POST /api/campaigns", { body: { name } });
  const first = await advertiser.api("GET /api/campaigns", { query: { limit: 2 } });
  expect(first.body.campaigns.map((campaign) => campaign.name)).toEqual(["Alphabet", "Beta"]);
  const second = await advertiser.api("GET /api/campaigns", {
    query: { limit: 2, cursor: first.body.next_cursor ?? "" },
  });
  expect([second.body.campaigns.map((campaign) => campaign.name), second.body.next_cursor]).toEqual([["Alpha"], null]);
  const elsewhere = await advertiser.api("GET /api/creatives", { query: { cursor: first.body.next_cursor ?? "" } });
  expect([elsewhere.status, elsewhere.error?.fields]).toEqual([
    422,
    { cursor: ["This page link is no longer valid. Start again from the first page."] },
  ]);
  const found = await advertiser.api("GET /api/campaigns", { query: { q: " alpha ", status: "draft" } });
  expect(found.body.campaigns).toHaveLength(2);
  expect((await advertiser.api("GET /api/campaigns", { query: { limit: 500 } })).status).toBe(200);
  for (const query of [
    { limit: 0 },
    { limit: 501 },
    { limit: "x" },
    { limit: 1.5 },
    { cursor: "nonsense" },
    { q: "\0" },
  ]) {
    const rejected = await advertiser.api("GET /api/campaigns", { query });
    expect([rejected.status, Object.keys(rejected.error?.fields ?? {})]).toEqual([422, [Object.keys(query)[0]]]);
  }
});
