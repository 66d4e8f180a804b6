import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { countCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { type CampaignId, parseId } from "#app/domain/ids.ts";
import * as campaign from "#app/screens/advertiser/campaign.tsx";
import * as campaigns from "#app/screens/advertiser/campaigns.tsx";
import * as dashboard from "#app/screens/advertiser/dashboard.tsx";
import * as deletion from "#app/screens/advertiser/delete-campaign.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { useStandIn } from "#tests/support/stand-in.ts";
import { makeWorld, type World } from "#tests/support/world.ts";
import { visitAs } from "./visit.ts";

const db = useDatabase();
useStandIn();
const ids: Record<string, CampaignId> = {};
let world: World;
let visit: ReturnType<typeof visitAs>;
beforeAll(async () => {
  world = await makeWorld(db());
  visit = visitAs(await world.cookieOf("northwind"));
  ids.boots = await world.aRunningCampaign({ changes: { name: "Boots", budget: 9_000 } });
  ids.tents = await world.aLaunchedCampaign({ changes: { name: "Tents", budget: 7_000 } });
  for (let number = 1; number <= 27; number += 1)
    ids[`draft${number}`] = await world.aDraft({ name: `Draft ${number}` });
  ids.foreign = await world.aRunningCampaign({ by: world.brightside });
});

const listSchema = z.object({
  matching: z.number(),
  page: z.object({ rows: z.array(z.object({ name: z.string() })), nextCursor: z.string().nullable() }),
});
async function list(query = "") {
  const { body } = await visit(campaigns, `/advertiser/campaigns${query}`);
  const { matching, page } = listSchema.parse(body);
  return { matching, names: page.rows.map(({ name }) => name), next: page.nextCursor };
}
const steer = (intent: string, id = "", query = "") =>
  visit(campaigns, `/advertiser/campaigns${query}`, {
    form: [
      ["intent", intent],
      ["campaign", id],
    ],
  });

describe("the list", () => {
  it("searches by name, filters by status, and counts what it finds", async () => {
    expect(await list("?q=oot")).toMatchObject({ names: ["Boots"], matching: 1 });
    expect(await list("?status=pending")).toMatchObject({ names: ["Tents"], matching: 1 });
    expect(await list("?q=Boots&status=draft")).toMatchObject({ names: [], matching: 0 });
    expect(await list("?q=100%25")).toMatchObject({ names: [] });
  });

  it("sorts, and goes on where the page before ended", async () => {
    expect((await list("?sort=budget")).names.slice(0, 2)).toEqual(["Boots", "Tents"]);
    const first = await list("?sort=name");
    const second = await list(`?sort=name&cursor=${first.next}`);
    expect([first.names.length, second.names.length, first.matching]).toEqual([25, 4, 29]);
    expect(second.names).toEqual(["Draft 7", "Draft 8", "Draft 9", "Tents"]);
  });

  it("reads any address: what it does not know is as if it were not there", async () => {
    const whole = await list();
    const { next } = await list("?sort=name");
    for (const query of [
      "?status=nonsense&sort=7",
      "?cursor=abc",
      `?sort=budget&cursor=${next}`,
      `?q=${"x".repeat(300)}`,
    ]) {
      expect((await list(query)).matching, query).toBe(whole.matching);
    }
  });
});

describe("a row's actions", () => {
  it("pause and resume, and come back to the same list with a message", async () => {
    expect(await steer("pause", ids.boots, "?status=active")).toMatchObject({
      location: "/advertiser/campaigns?status=active",
      flash: expect.stringContaining("“Boots” is paused"),
    });
    expect(await world.statusOf(id("boots"))).toBe("paused");
    expect((await steer("resume", ids.boots)).flash).toContain("runs again");
    expect(await world.statusOf(id("boots"))).toBe("active");
  });

  it("say why what cannot be done is not", async () => {
    expect((await steer("pause", ids.tents)).flash).toContain("A campaign that is pending cannot be paused");
  });

  it("duplicate into the wizard of a new draft", async () => {
    const { location } = await steer("duplicate", ids.boots);
    const copy = parseId<CampaignId>(/campaigns\/([^/]+)\/edit$/.exec(location ?? "")?.[1]);
    if (!copy) throw new Error("no copy");
    expect(await getCampaign(world.northwind, copy)).toMatchObject({
      name: "Copy of Boots",
      status: "draft",
    });
  });

  it("never reach another's campaign, nor what is no campaign or no action", async () => {
    for (const [intent, target] of [
      ["pause", ids.foreign],
      ["duplicate", ids.foreign],
      ["pause", "x"],
      ["erase", ids.boots],
    ]) {
      expect((await steer(intent ?? "", target)).status).toBe(404);
    }
    expect(await world.statusOf(id("foreign"), world.brightside)).toBe("active");
  });
});

describe("a campaign's page", () => {
  const page = (target = "") => visit(campaign, `/advertiser/campaigns/${target}`, { id: target });

  it("shows what each publisher decided and the history, and no commission", async () => {
    const { body } = await page(ids.boots);
    expect(body).toMatchObject({
      campaign: { name: "Boots", status: "active" },
      lineItems: [{ publisherName: "Harbor Goods", approvalStatus: "approved" }],
    });
    expect(JSON.stringify(body)).not.toMatch(/commission/i);
    expect(JSON.stringify(body)).toContain("line_item.approved");
  });

  it("is 404 for another's campaign, to read and to steer", async () => {
    expect((await page(ids.foreign)).status).toBe(404);
    const form = [["intent", "pause"]] as const;
    expect((await visit(campaign, `/advertiser/campaigns/${ids.foreign}`, { id: ids.foreign, form })).status).toBe(404);
  });
});

describe("deleting", () => {
  const ask = (target = "") => visit(deletion, `/advertiser/campaigns/${target}/delete`, { id: target, form: [] });

  it("takes a draft away, and only a draft", async () => {
    expect(await ask(ids.draft1)).toMatchObject({ location: "/advertiser/campaigns" });
    await expect(getCampaign(world.northwind, id("draft1"))).rejects.toMatchObject({ code: "not_found" });
    expect(await ask(ids.tents)).toMatchObject({
      status: 409,
      body: { error: { "": ["A campaign that was launched cannot be deleted"] } },
    });
    expect((await ask(ids.foreign)).status).toBe(404);
  });
});

describe("the dashboard", () => {
  it("counts by state and lists what waits, from the advertiser's own rows", async () => {
    const { body } = await visit(dashboard, "/advertiser/dashboard");
    expect(body).toMatchObject({
      counts: await countCampaigns(world.northwind),
      pending: [{ name: "Tents" }],
      companyName: "Northwind Outdoors",
    });
  });
});

function id(name: string): CampaignId {
  const found = ids[name];
  if (!found) throw new Error(`no campaign ${name}`);
  return found;
}
