import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { countCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { type CampaignId, parseId } from "#app/domain/ids.ts";
import * as deletion from "#app/screens/advertiser/campaigns/delete/route.tsx";
import * as campaign from "#app/screens/advertiser/campaigns/detail/route.tsx";
import * as editor from "#app/screens/advertiser/campaigns/edit/route.tsx";
import * as exported from "#app/screens/advertiser/campaigns/list/csv.ts";
import * as campaigns from "#app/screens/advertiser/campaigns/list/route.tsx";
import * as dashboard from "#app/screens/advertiser/dashboard/route.tsx";
import { useDatabase } from "#tests/support/database/database.ts";
import { useStandIn } from "#tests/support/stand-in.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { visitAs } from "./visit.ts";

const db = useDatabase();
useStandIn();
const ids: Record<string, CampaignId> = {};
let world: World;
let visit: ReturnType<typeof visitAs>;
beforeAll(async () => {
  world = await createWorld(db());
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
async function keyOf(route: typeof campaigns | typeof campaign, path: string, id?: string) {
  const { body } = await visit(route, path, id ? { id } : {});
  return z.object({ idempotencyKey: z.uuid() }).parse(body).idempotencyKey;
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

  it("sorts, and continues where the page before ended", async () => {
    expect((await list("?sort=budget")).names.slice(0, 2)).toEqual(["Boots", "Tents"]);
    const first = await list("?sort=name");
    const second = await list(`?sort=name&cursor=${first.next}`);
    expect([first.names.length, second.names.length, first.matching]).toEqual([25, 4, 29]);
    expect(second.names).toEqual(["Draft 7", "Draft 8", "Draft 9", "Tents"]);
  });

  it("accepts any query string, and ignores what it does not know", async () => {
    const whole = await list();
    const { next } = await list("?sort=name");
    for (const query of ["?status=nonsense&sort=7", "?cursor=abc", `?sort=budget&cursor=${next}`]) {
      expect((await list(query)).matching, query).toBe(whole.matching);
    }
    // A search for more than its longest text is no search for everything.
    expect((await list(`?q=${"x".repeat(300)}`)).matching).toBe(0);
  });
});

describe("a row's actions", () => {
  it("pause and resume, and return to the same list with a message", async () => {
    expect(await steer("pause", ids.boots, "?status=active")).toMatchObject({
      location: "/advertiser/campaigns?status=active",
      flash: expect.stringContaining("“Boots” paused"),
    });
    expect(await world.statusOf(id("boots"))).toBe("paused");
    const { flash } = await steer("resume", ids.boots);
    expect(JSON.parse(flash)).toMatchObject({ undo: { action: "pause_campaign", id: ids.boots } });
    expect(flash).toContain("resumed");
    expect(await world.statusOf(id("boots"))).toBe("active");
    // A list that was opened before offers no Undo of what a colleague did.
    expect(JSON.parse((await steer("resume", ids.boots)).flash).undo).toBeUndefined();
  });

  it("say why an action is not possible", async () => {
    expect((await steer("pause", ids.tents)).flash).toContain("This campaign is pending and can't be paused");
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

  it.each([
    ["the list", campaigns, () => "/advertiser/campaigns"],
    ["the campaign's page", campaign, (target: string) => `/advertiser/campaigns/${target}`],
  ] as const)("duplicate once, however often the form of %s is sent", async (_, screen, pathOf) => {
    const target = await world.aDraft({ name: "Pressed twice" });
    const other = await world.aDraft({ name: "Pressed once" });
    const before = (await countCampaigns(world.northwind)).draft;
    const idempotencyKey = await keyOf(screen, pathOf(target), target);
    const press = (id: CampaignId, key = idempotencyKey) =>
      visit(screen, pathOf(id), {
        id,
        form: [
          ["intent", "duplicate"],
          ["campaign", id],
          ["idempotency_key", key],
        ],
      });
    const [first, second] = await Promise.all([press(target), press(target)]);
    expect(first.location).toMatch(/\/edit$/);
    expect(second).toMatchObject({ location: first.location, flash: first.flash });
    expect((await press(other)).location).not.toBe(first.location);
    expect((await countCampaigns(world.northwind)).draft).toBe(before + 2);
    // The page of later has a key of its own.
    expect((await press(target, await keyOf(screen, pathOf(target), target))).location).not.toBe(first.location);
    expect((await press(target, "x")).status).toBe(302);
  });

  it("never reach another account's campaign, an invalid id or an unknown action", async () => {
    for (const [intent, target] of [
      ["pause", ids.foreign],
      ["duplicate", ids.foreign],
      ["pause", "x"],
    ]) {
      expect((await steer(intent ?? "", target)).status).toBe(404);
    }
    for (const target of [ids.boots, ids.foreign]) expect((await steer("erase", target)).status).toBe(400);
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

  it("is 404 for another account's campaign, to read and to change", async () => {
    expect((await page(ids.foreign)).status).toBe(404);
    const form = [["intent", "pause"]] as const;
    expect((await visit(campaign, `/advertiser/campaigns/${ids.foreign}`, { id: ids.foreign, form })).status).toBe(404);
  });
});

describe("deleting", () => {
  const send = (target = "") => visit(deletion, `/advertiser/campaigns/${target}/delete`, { id: target, form: [] });

  it("removes a draft, and only a draft", async () => {
    expect(await send(ids.draft1)).toMatchObject({ location: "/advertiser/campaigns" });
    await expect(getCampaign(world.northwind, id("draft1"))).rejects.toMatchObject({ code: "not_found" });
    expect(await send(ids.tents)).toMatchObject({
      status: 409,
      body: {
        error: {
          "": ["Launched campaigns can't be deleted. Pause the campaign, or archive it once it no longer runs."],
        },
      },
    });
    expect((await send(ids.foreign)).status).toBe(404);
  });
});

describe("the dashboard", () => {
  it("counts by status and lists what is pending, from the advertiser's own rows", async () => {
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

describe("bulk actions", () => {
  const bulk = (intent: string, selected: string[]) =>
    visit(campaigns, "/advertiser/campaigns?status=active", {
      form: [["bulk", intent], ...selected.map((id): [string, string] => ["campaign", id])],
    });
  const statusOf = async (id: CampaignId) => (await getCampaign(world.northwind, id)).status;

  it("pause and resume what is possible, report the rest, and return to the same list", async () => {
    const one = await world.aRunningCampaign();
    const other = await world.aRunningCampaign();
    const draft = await world.aDraft({ name: "Not yet" });
    const paused = await bulk("pause", [one, other, draft, one]);
    expect(paused).toMatchObject({ status: 302, location: "/advertiser/campaigns?status=active" });
    expect(paused.flash).toContain("2 of 3 campaigns paused. 1: This campaign is draft and can't be paused");
    expect([await statusOf(one), await statusOf(other), await statusOf(draft)]).toEqual(["paused", "paused", "draft"]);
    expect((await bulk("resume", [one, other])).flash).toContain("2 campaigns resumed");
    expect(await statusOf(one)).toBe("active");
  });

  it("have an Undo of exactly the campaigns that they changed", async () => {
    const [one, other, third] = [
      await world.aRunningCampaign(),
      await world.aRunningCampaign(),
      await world.aRunningCampaign(),
    ];
    const undoOf = async (intent: string, selected: string[]) => JSON.parse((await bulk(intent, selected)).flash).undo;
    expect(await undoOf("pause", [one])).toEqual({ action: "resume_campaign", id: one });
    expect(await undoOf("pause", [one, other, third])).toEqual({ action: "resume_campaign", ids: [other, third] });
    expect(await undoOf("archive", [one, other])).toEqual({ action: "restore_campaign", ids: [one, other] });
    expect(await undoOf("restore", [one, other, third])).toEqual({ action: "archive_campaign", ids: [one, other] });
    expect(await undoOf("restore", [one, other])).toBeUndefined();
    expect(await undoOf("duplicate", [one, other])).toBeUndefined();
    const many = await Promise.all(Array.from({ length: 26 }, () => world.aDraft()));
    expect(await undoOf("archive", many.slice(1))).toMatchObject({ ids: many.slice(1) });
    expect(await undoOf("restore", many.slice(1))).toMatchObject({ action: "archive_campaign" });
    expect(await undoOf("archive", many)).toBeUndefined();
  });

  it("archives what does not run, counts what does, and lists it under Archived until it is restored", async () => {
    const running = await world.aRunningCampaign({ changes: { name: "Shelf running" } });
    const draft = await world.aDraft({ name: "Shelf draft" });
    const other = await world.aDraft({ name: "Shelf draft" });
    const archived = await bulk("archive", [running, draft, other]);
    expect(archived.flash).toContain(
      "2 of 3 campaigns archived. 1: This campaign is still running. Pause it before you archive it.",
    );
    expect(await list("?q=Shelf")).toMatchObject({ names: ["Shelf running"], matching: 1 });
    expect(await list("?q=Shelf&status=archived")).toMatchObject({
      names: ["Shelf draft", "Shelf draft"],
      matching: 2,
    });
    expect((await list("?status=archived")).matching).toBe((await countCampaigns(world.northwind)).archived);
    expect(await visit(editor, `/advertiser/campaigns/${draft}/edit`, { id: draft })).toMatchObject({
      location: `/advertiser/campaigns/${draft}`,
    });
    expect((await bulk("restore", [draft, other])).flash).toContain("2 campaigns restored");
    expect((await list("?q=Shelf")).matching).toBe(3);
  });

  it("duplicate each selected campaign once, however often the form is sent", async () => {
    const [one, other] = [await world.aDraft({ name: "Bulk one" }), await world.aDraft({ name: "Bulk other" })];
    const before = (await countCampaigns(world.northwind)).draft;
    const key = await keyOf(campaigns, "/advertiser/campaigns");
    const press = () =>
      visit(campaigns, "/advertiser/campaigns", {
        form: [
          ["bulk", "duplicate"],
          ["idempotency_key", key],
          ["campaign", one],
          ["campaign", other],
        ],
      });
    for (const { flash } of [await press(), await press()]) expect(flash).toContain("2 campaigns duplicated");
    expect((await countCampaigns(world.northwind)).draft).toBe(before + 2);
  });

  it("duplicate each selected campaign", async () => {
    const before = (await countCampaigns(world.northwind)).draft;
    const id = await world.aDraft({ name: "Twice" });
    expect((await bulk("duplicate", [id])).flash).toContain("1 campaign duplicated");
    expect((await countCampaigns(world.northwind)).draft).toBe(before + 2);
  });

  it("change nothing of another advertiser, and require a selection", async () => {
    const foreign = await world.aRunningCampaign({ by: world.brightside });
    expect((await bulk("pause", [foreign])).flash).toContain("0 of 1 campaigns paused");
    expect((await getCampaign(world.brightside, foreign)).status).toBe("active");
    expect((await bulk("pause", [])).flash).toContain("Select at least one campaign");
    expect((await bulk("delete", [foreign])).status).toBe(400);
  });

  it("export the selected campaigns only", async () => {
    const mine = await world.aDraft({ name: "=1+1" });
    const path = `/advertiser/campaigns/export.csv?campaign=${mine}&campaign=${ids.foreign}`;
    const { body } = await visit(exported, path);
    expect(String(body).split("\r\n").slice(1)).toEqual([expect.stringMatching(/^'=1\+1,Draft,/), ""]);
  });
});
