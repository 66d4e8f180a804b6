import { describe, expect, it } from "vitest";
import { createManagedCampaign } from "#app/domain/campaigns/create-managed-campaign.server.ts";
import { countLineItems, listLineItems } from "#app/domain/campaigns/list-line-items.server.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import * as campaign from "#app/screens/publisher/campaign.tsx";
import * as campaigns from "#app/screens/publisher/campaigns.tsx";
import * as create from "#app/screens/publisher/create-for-advertiser.tsx";
import { readFlash } from "#app/web/flash.server.ts";
import { payload } from "#tests/support/world.ts";
import { useWorld, visit } from "./portal.ts";

const world = useWorld();

async function shown(query: string): Promise<string> {
  return JSON.stringify((await visit(world(), "harbor", campaigns.loader, `/publisher/campaigns${query}`)).body);
}

function press(id: string, intent: "pause" | "resume", who: "harbor" | "fern" = "harbor") {
  return visit(world(), who, campaigns.action, "/publisher/campaigns?filter=active", { form: { id, intent } });
}

async function messageOf({ headers }: { headers: Headers }) {
  const cookie = headers
    .getSetCookie()
    .map((one) => one.replace(/;.*/, ""))
    .join("; ");
  return (await readFlash(new Request("http://localhost", { headers: { Cookie: cookie } }))).flash;
}

describe("Campaign Management", () => {
  it("filters by tab and searches by name", async () => {
    const running = await world().aRunningCampaign({ changes: { name: "Alpine 100% wool" } });
    const waiting = await world().aLaunchedCampaign({ changes: { name: "Basecamp" } });
    const { id: managed } = await createManagedCampaign(world().harbor, {
      ...payload(world().complete()),
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

  it("pauses and resumes, staying on the same tab", async () => {
    const id = await world().aRunningCampaign();
    const paused = await press(id, "pause");
    expect(paused).toMatchObject({ status: 302, location: "/publisher/campaigns?filter=active" });
    expect(await messageOf(paused)).toEqual({ tone: "success", message: "Campaign paused" });
    expect(await world().partOf(world().harbor, id)).toBe("approved paused");
    await press(id, "resume");
    expect(await world().partOf(world().harbor, id)).toBe("approved active");
  });

  it("says so when only the advertiser can resume", async () => {
    const id = await world().aRunningCampaign();
    await pauseCampaign(world().northwind, { id });
    expect(await messageOf(await press(id, "resume"))).toMatchObject({
      tone: "error",
      message: expect.stringContaining("only the advertiser"),
    });
  });

  it("neither pauses nor shows another publisher's campaign", async () => {
    const id = await world().aRunningCampaign();
    expect((await press(id, "pause", "fern")).status).toBe(404);
    const page = await visit(world(), "fern", campaign.loader, `/publisher/campaigns/${id}`, { params: { id } });
    expect(page.status).toBe(404);
    expect(await world().partOf(world().harbor, id)).toBe("approved active");
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

  it("makes an approved campaign of the advertiser's, once, however often the form is sent", async () => {
    const before = await countLineItems(world().harbor);
    const fields = form();
    const first = await send(fields);
    expect(first.location).toMatch(/^\/publisher\/campaigns\/[0-9a-f-]{36}$/);
    expect((await send(fields)).location).toBe(first.location);
    expect((await countLineItems(world().harbor)).management.all).toBe(before.management.all + 1);
    const [made] = (await listLineItems(world().harbor, { limit: 1 })).rows;
    expect(made).toMatchObject({
      name: "Harbor Picks",
      advertiserName: "Northwind Outdoors",
      managedByRetailer: true,
      approvalStatus: "approved",
      commissionRate: 65,
      totalBudgetCents: 150_050,
    });
  });

  it("names all that is missing at once", async () => {
    const answered = await send({ channel_type: "dsp" });
    expect(answered.status).toBe(422);
    expect(answered.body).toMatchObject({
      error: {
        advertiser_id: ["Choose an advertiser"],
        name: ["Enter a campaign name"],
        selected_audiences: ["Choose at least one audience"],
        budget: ["Enter a budget above 0"],
        end_date: ["Enter an end date"],
      },
    });
  });

  it("keeps what was typed beside its error", async () => {
    const answered = await send(form({ budget: "abc", commission_rate: "81" }));
    expect(answered).toMatchObject({
      status: 422,
      body: {
        initialValue: { budget: "abc", channels: "tiktok", name: "Harbor Picks" },
        error: { budget: [expect.any(String)], commission_rate: ["Enter a percentage between 0 and 80"] },
      },
    });
  });

  it("takes neither another publisher's audience nor an advertiser that is not on the list", async () => {
    expect((await send(form({ selected_audiences: world().audience("coffeeDrinkers") }))).body).toMatchObject({
      error: { selected_audiences: ["Choose audiences from the list"] },
    });
    expect((await send(form({ advertiser_id: world().accountId("larkspur") }))).body).toMatchObject({
      error: { advertiser_id: ["Choose an advertiser from the list"] },
    });
  });
});
