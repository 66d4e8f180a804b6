import { like } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { countLineItems } from "#app/domain/campaigns/line-items/count-line-items.server.ts";
import { listLineItems } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { type AccountId, newId } from "#app/domain/ids.ts";
import * as create from "#app/screens/publisher/campaigns/create-for-advertiser/route.tsx";
import * as campaign from "#app/screens/publisher/campaigns/detail/route.tsx";
import * as exported from "#app/screens/publisher/campaigns/list/csv.ts";
import * as campaigns from "#app/screens/publisher/campaigns/list/route.tsx";
import { database } from "#db/client.server.ts";
import { accounts } from "#db/schema/index.ts";
import { campaignChanges } from "#tests/support/world.ts";
import { messageOf, useWorld, visit } from "./portal.ts";

const world = useWorld();

async function shown(query: string): Promise<string> {
  return JSON.stringify((await visit(world(), "harbor", campaigns.loader, `/publisher/campaigns${query}`)).body);
}

function press(id: string, intent: "pause" | "resume" | "archive", who: "harbor" | "fern" = "harbor") {
  return visit(world(), who, campaigns.action, "/publisher/campaigns?filter=active", { form: { id, intent } });
}

describe("Campaign Management", () => {
  it("filters by tab and searches by name", async () => {
    const running = await world().aRunningCampaign({ changes: { name: "Alpine 100% wool" } });
    const waiting = await world().aLaunchedCampaign({ changes: { name: "Basecamp" } });
    const { id: managed } = await createManagedCampaign(world().harbor, {
      ...campaignChanges(world().complete()),
      advertiser_id: world().accountId("northwind"),
    });
    expect(await shown("")).toMatch(new RegExp(`${managed}.*${waiting}.*${running}`));
    expect(await shown("?filter=pending")).not.toContain(running);
    expect(await shown("?filter=active")).not.toContain(waiting);
    expect(await shown("?filter=managed")).toContain(managed);
    expect(await shown("?filter=managed")).not.toContain(running);
    expect(await shown("?q=100%25%20w")).toContain(running);
    expect(await shown("?q=100%25%20w")).not.toContain(waiting);
  });

  it("sends what its rows show, and nothing that only a campaign's own page shows", async () => {
    await world().aRunningCampaign({ changes: { name: "Short rows" } });
    const sent = await shown("");
    expect(sent).toContain("Short rows");
    for (const field of ["landingUrl", "creativeIds", "audiences", "geolocations", "frequencyCapPeriod", "notes"]) {
      expect(sent).not.toContain(`"${field}"`);
    }
  });

  it("archives and restores its own part, from a row and from the bulk bar", async () => {
    const id = await world().aRunningCampaign({ changes: { name: "Off the shelf" } });
    expect((await messageOf(await press(id, "archive")))?.tone).toBe("error");
    await press(id, "pause");
    expect(await messageOf(await press(id, "archive"))).toEqual({
      tone: "success",
      message: "Campaign archived",
      undo: { action: "restore_line_item", id },
    });
    expect(await shown("")).not.toContain(id);
    expect(await shown("?filter=archived")).toContain(id);
    const restored = await visit(world(), "harbor", campaigns.action, "/publisher/campaigns?filter=archived", {
      form: { bulk: "restore", campaign: id },
    });
    expect((await messageOf(restored))?.message).toBe("1 campaign restored");
    expect(await shown("")).toContain(id);
  });

  it("pauses and resumes, staying on the same tab", async () => {
    const id = await world().aRunningCampaign();
    const paused = await press(id, "pause");
    expect(paused).toMatchObject({ status: 302, location: "/publisher/campaigns?filter=active" });
    expect(await messageOf(paused)).toEqual({
      tone: "success",
      message: "Campaign paused",
      undo: { action: "resume_line_item", id },
    });
    expect(await world().lineItemStatus(world().harbor, id)).toBe("approved paused");
    // A list that was opened before offers no Undo of what a colleague did.
    expect(await messageOf(await press(id, "pause"))).toEqual({ tone: "success", message: "Campaign paused" });
    await press(id, "resume");
    expect(await world().lineItemStatus(world().harbor, id)).toBe("approved active");
  });

  it("is 404 for an invalid or unknown ID, and 400 for an unknown action, whoever owns the campaign", async () => {
    const id = await world().aRunningCampaign();
    const send = (form: Record<string, string>) =>
      visit(world(), "harbor", campaigns.action, "/publisher/campaigns", { form });
    for (const target of ["x", newId()]) expect((await send({ id: target, intent: "pause" })).status).toBe(404);
    for (const target of [id, newId()]) expect((await send({ id: target, intent: "duplicate" })).status).toBe(400);
  });

  it("pauses the selected campaigns, counts those that cannot be, and exports its own only", async () => {
    const running = await world().aRunningCampaign({ changes: { name: "Bulk hammock" } });
    const waiting = await world().aLaunchedCampaign();
    const form = { bulk: "pause", campaign: running };
    expect(await messageOf(await visit(world(), "harbor", campaigns.action, "/publisher/campaigns", { form }))).toEqual(
      {
        tone: "success",
        message: "1 campaign paused",
        undo: { action: "resume_line_item", id: running },
      },
    );
    expect(await world().lineItemStatus(world().harbor, running)).toBe("approved paused");
    const rejected = await visit(world(), "harbor", campaigns.action, "/publisher/campaigns", {
      form: { bulk: "pause", campaign: waiting },
    });
    expect(await messageOf(rejected)).toMatchObject({
      tone: "error",
      message: expect.stringContaining("0 of 1 campaigns paused. 1: "),
    });
    const path = `/publisher/campaigns/export.csv?campaign=${running}`;
    expect(String((await visit(world(), "harbor", exported.loader, path)).body)).toContain("Bulk hammock");
    expect(String((await visit(world(), "fern", exported.loader, path)).body)).not.toContain("Bulk hammock");
  });

  it("says so when only the advertiser can resume", async () => {
    const id = await world().aRunningCampaign();
    await pauseCampaign(world().northwind, { id });
    expect(await messageOf(await press(id, "resume"))).toMatchObject({
      tone: "error",
      message: expect.stringContaining("Only the advertiser can resume"),
    });
  });

  it("neither pauses nor shows another publisher's campaign", async () => {
    const id = await world().aRunningCampaign();
    expect((await press(id, "pause", "fern")).status).toBe(404);
    const page = await visit(world(), "fern", campaign.loader, `/publisher/campaigns/${id}`, { params: { id } });
    expect(page.status).toBe(404);
    expect(await world().lineItemStatus(world().harbor, id)).toBe("approved active");
  });
});

describe("Create Campaign for Advertiser", () => {
  const path = "/publisher/campaigns/create-for-advertiser";
  const form = (changes: Record<string, string> = {}) => ({
    advertiser_id: world().accountId("northwind"),
    commission_rate: "65",
    name: "Harbor Picks",
    objective: "traffic",
    ad_format: "native",
    selected_audiences: world().audience("hikers"),
    channel_type: "walled_garden",
    channels: "tiktok",
    budget: "1,500.50",
    daily_budget: "100",
    start_date: world().today(),
    end_date: "2026-12-24",
    idempotency_key: crypto.randomUUID(),
    ...changes,
  });
  const send = (fields: Record<string, string>) => visit(world(), "harbor", create.action, path, { form: fields });

  it("says that the plan's limit is reached, with the way to the plans, and keeps the fields", async () => {
    await world().subscribe("fern", "starter");
    const selected_audiences = world().audience("coffeeDrinkers");
    for (let taken = 0; taken < 5; taken += 1) {
      await world().aRunningCampaign({ audiences: ["coffeeDrinkers"], approvedBy: ["fern"] });
    }
    const fields = form({ selected_audiences });
    expect(await visit(world(), "fern", create.action, path, { form: fields })).toMatchObject({
      status: 409,
      body: {
        initialValue: { name: "Harbor Picks" },
        error: { "": [expect.stringContaining("Starter plan's limit of 5 campaigns")] },
        exceedsPlan: true,
      },
    });
    await world().subscribe("fern", "enterprise");
    expect((await visit(world(), "fern", create.action, path, { form: fields })).status).toBe(302);
  });

  it("creates an approved campaign of the advertiser's, once, however often the form is sent", async () => {
    const before = await countLineItems(world().harbor);
    const fields = form();
    const first = await send(fields);
    expect(first.location).toMatch(/^\/publisher\/campaigns\/[0-9a-f-]{36}$/);
    expect((await send(fields)).location).toBe(first.location);
    expect((await countLineItems(world().harbor)).management.all).toBe(before.management.all + 1);
    const [created] = (await listLineItems(world().harbor, { limit: 1 })).rows;
    expect(created).toMatchObject({
      name: "Harbor Picks",
      advertiserName: "Northwind Outdoors",
      managedByRetailer: true,
      approvalStatus: "approved",
      commissionRate: 65,
      totalBudgetCents: 150_050,
    });
  });

  it("lists the first 500 advertisers, says so, and finds the others by name", async () => {
    const approved = { type: "advertiser", status: "approved", allowsManagedCampaigns: true } as const;
    const rows = Array.from({ length: 501 }, (_, index) => ({
      id: newId<AccountId>(),
      companyName: `Zz Outfitters ${String(index).padStart(3, "0")}`,
      ...approved,
    }));
    await database().insert(accounts).values(rows);
    const load = async (query = "") => (await visit(world(), "harbor", create.loader, path + query)).body;
    expect(await load()).toMatchObject({ search: { isCut: true }, advertisers: { length: 500 } });
    const [last] = rows.slice(-1);
    expect(await load("?q=outfitters+500")).toMatchObject({
      search: { q: "outfitters 500", isCut: false },
      advertisers: [{ id: last?.id, companyName: last?.companyName }],
    });
    await database()
      .update(accounts)
      .set({ allowsManagedCampaigns: false })
      .where(like(accounts.companyName, "Zz Outfitters%"));
    expect(await load()).not.toMatchObject({ search: expect.anything() });
  });

  it("drops the channels that were selected in the hidden group", async () => {
    const both: [string, string][] = [...Object.entries(form()), ["channels", "dv360"]];
    const created = await visit(world(), "harbor", create.action, path, { form: both });
    expect(created.location).toMatch(/^\/publisher\/campaigns\//);
    const [first] = (await listLineItems(world().harbor, { limit: 1 })).rows;
    expect(first).toMatchObject({ channelType: "walled_garden", channels: ["tiktok"] });
  });

  it("lists all that is missing at once", async () => {
    const response = await send({ channel_type: "dsp" });
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({
      error: {
        advertiser_id: ["Choose an advertiser"],
        name: ["Enter a campaign name"],
        selected_audiences: ["Choose at least one audience"],
        budget: ["Enter a budget greater than $0"],
        end_date: ["Enter an end date"],
      },
    });
  });

  it("keeps the input beside its error", async () => {
    const response = await send(form({ budget: "abc", commission_rate: "81" }));
    expect(response).toMatchObject({
      status: 422,
      body: {
        initialValue: { budget: "abc", channels: "tiktok", name: "Harbor Picks" },
        error: { budget: [expect.any(String)], commission_rate: ["Enter a percentage between 0 and 80"] },
      },
    });
  });

  it("rejects another publisher's audience and an advertiser that is not on the list", async () => {
    expect((await send(form({ selected_audiences: world().audience("coffeeDrinkers") }))).body).toMatchObject({
      error: { selected_audiences: ["Choose audiences from the list"] },
    });
    expect((await send(form({ advertiser_id: world().accountId("larkspur") }))).body).toMatchObject({
      error: { advertiser_id: ["Choose an advertiser from the list"] },
    });
  });
});
