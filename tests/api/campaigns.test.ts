import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { allowManagedCampaigns, launchable, launched, member, readyAudience } from "./api.ts";

useDatabase();

test("a campaign goes from a draft to a publisher's yes, and both sides read it", async () => {
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

  const seen = await advertiser.api("GET /api/campaigns/{id}", { params: { id } });
  expect(seen.body.campaign).toMatchObject({
    status: "active",
    line_items: [{ approval_status: "approved", notes: "Go" }],
  });
  expect(seen.body.campaign.history.map((entry) => entry.action)).toEqual([
    "line_item.approved",
    "campaign.launched",
    "campaign.changed",
    "campaign.created",
  ]);
  const change = seen.body.campaign.history.find((entry) => entry.action === "campaign.changed");
  expect(change?.after).toMatchObject({ budget: 1000, daily_budget: 100.5, selected_audiences: [audienceId] });

  const own = await publisher.api("GET /api/campaigns/{id}", { params: { id } });
  expect(own.body.campaign.line_items).toHaveLength(1);
  expect(own.body.campaign.history.map((entry) => entry.action)).toEqual(["line_item.approved", "line_item.sent"]);
});

test("a change of a running campaign by PATCH asks its publishers again, while it runs on", async () => {
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

test("pause and play are for both sides, each for its own part", async () => {
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
    "The publisher paused this campaign; only the publisher can resume it",
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

test("a publisher creates a campaign for an advertiser that allows it, and only for such", async () => {
  const advertiser = await member("advertiser");
  const publisher = await member("publisher");
  const audienceId = await readyAudience(publisher.accountId);
  const own = { advertiser_id: advertiser.accountId, commission_rate: 65.5, pacing: "asap" as const };
  const body = { ...launchable([audienceId]), ...own };
  const refused = await publisher.api("POST /api/retailer/campaigns", { body });
  expect(refused.error?.fields).toHaveProperty("advertiser_id");

  await allowManagedCampaigns(advertiser.accountId);
  const choosable = await publisher.api("GET /api/advertisers", { query: { q: "company" } });
  expect(choosable.body.advertisers).toEqual([{ id: advertiser.accountId, company_name: expect.any(String) }]);
  const made = await publisher.api("POST /api/retailer/campaigns", { body });
  expect(made.status).toBe(201);
  expect(made.body.campaign).toMatchObject({
    managed_by_retailer: true,
    status: "active",
    retailer_commission_rate: 65.5,
    pacing: "asap",
  });
  const managed = await publisher.api("GET /api/retailer/campaigns", { query: { filter: "managed" } });
  expect(managed.body.campaigns.map((campaign) => campaign.id)).toEqual([made.body.campaign.id]);
  const owned = await advertiser.api("GET /api/campaigns", { query: { status: "active" } });
  expect(owned.body.campaigns).toMatchObject([{ id: made.body.campaign.id, managed_by_retailer: true }]);
});

test("lists come in pages, and search by name", async () => {
  const advertiser = await member("advertiser");
  for (const name of ["Alpha", "Beta", "Alphabet"]) await advertiser.api("POST /api/campaigns", { body: { name } });
  const first = await advertiser.api("GET /api/campaigns", { query: { limit: 2 } });
  expect(first.body.campaigns.map((campaign) => campaign.name)).toEqual(["Alphabet", "Beta"]);
  const second = await advertiser.api("GET /api/campaigns", {
    query: { limit: 2, cursor: first.body.next_cursor ?? "" },
  });
  expect([second.body.campaigns.map((campaign) => campaign.name), second.body.next_cursor]).toEqual([["Alpha"], null]);
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
    const refused = await advertiser.api("GET /api/campaigns", { query });
    expect([refused.status, Object.keys(refused.error?.fields ?? {})]).toEqual([422, [Object.keys(query)[0]]]);
  }
});
