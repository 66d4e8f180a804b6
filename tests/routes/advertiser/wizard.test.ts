import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { addDays, calendarDateOf } from "#app/domain/calendar-date.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { countCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { type CampaignId, parseId } from "#app/domain/ids.ts";
import * as create from "#app/screens/advertiser/create-campaign.tsx";
import * as edit from "#app/screens/advertiser/edit-campaign.tsx";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database.ts";
import { useStandIn } from "#tests/support/stand-in.ts";
import { makeWorld, type World } from "#tests/support/world.ts";
import { visitAs } from "./visit.ts";

const db = useDatabase();
useStandIn();
let world: World;
let visit: ReturnType<typeof visitAs>;
beforeAll(async () => {
  world = await makeWorld(db());
  visit = visitAs(await world.cookieOf("northwind"));
});

const editPath = (id: string, step: number) => `/advertiser/campaigns/${id}/edit?step=${step}`;
const save = (id: string, step: number, form: [string, string][]) => visit(edit, editPath(id, step), { id, form });
const contentOf = async (id: CampaignId) => (await getCampaign(world.northwind, id)).content;

describe("creating a draft", () => {
  const path = "/advertiser/campaigns/create";

  it("makes one draft of a form sent twice, and changes it when one comes back and sends another name", async () => {
    const before = await countCampaigns(world.northwind);
    const send = (name: string) =>
      visit(create, path, {
        form: [
          ["idempotency_key", "0f3c1f0e-once"],
          ["name", name],
          ["intent", "next"],
        ],
      });
    const [first, second] = await Promise.all([send("Winter Boots"), send("Winter Boots")]);
    const third = await send("Winter Boots, again");
    expect(first).toMatchObject({ status: 302, location: expect.stringMatching(/\/edit\?step=2$/) });
    expect([second.location, third.location]).toEqual([first.location, first.location]);
    expect((await countCampaigns(world.northwind)).draft).toBe(before.draft + 1);
    const id = idIn(first.location);
    expect((await getCampaign(world.northwind, id)).name).toBe("Winter Boots, again");
  });

  it("lets nothing at all be the first save, and takes one to the step asked for", async () => {
    const answer = await visit(create, path, { form: [["intent", "step-5"]] });
    expect(answer.location).toMatch(/\/edit\?step=5$/);
    expect(await getCampaign(world.northwind, idIn(answer.location))).toMatchObject({ name: "", status: "draft" });
  });

  it("keeps a name that is too long, with its error, and makes no draft", async () => {
    const before = await countCampaigns(world.northwind);
    const name = "x".repeat(121);
    const answer = await visit(create, path, {
      form: [
        ["name", name],
        ["intent", "next"],
      ],
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { initialValue: { name }, error: { name: ["Use at most 120 characters"] } },
    });
    expect(await countCampaigns(world.northwind)).toEqual(before);
  });
});

describe("a step", () => {
  it("saves exactly its own fields, and an empty one clears", async () => {
    const id = await world.aDraft();
    const answer = await save(id, 5, [
      ["budget", "1,250.50"],
      ["daily_budget", ""],
      ["start_date", ""],
      ["intent", "next"],
    ]);
    expect(answer.location).toBe(editPath(id, 6));
    expect(await contentOf(id)).toMatchObject({
      objective: "conversions",
      channels: ["trade_desk", "dv360"],
      totalBudgetCents: 125_050,
      dailyBudgetCents: null,
      startDate: null,
      endDate: null,
    });
  });

  it("refuses only the field that cannot be read, and keeps it as it was typed", async () => {
    const id = await world.aDraft();
    const answer = await save(id, 5, [
      ["budget", "abc"],
      ["daily_budget", "75"],
      ["intent", "next"],
    ]);
    expect(answer).toMatchObject({
      status: 422,
      body: {
        initialValue: { budget: "abc", daily_budget: "75" },
        error: { budget: [expect.stringContaining("dollars")] },
      },
    });
    expect(await contentOf(id)).toMatchObject({ totalBudgetCents: 500_000, dailyBudgetCents: 7_500 });
  });

  it("clears a group of checkboxes that has no tick left", async () => {
    const id = await world.aDraft({ geolocations: ["us", "ca"] });
    await save(id, 3, [
      ["geolocations", "br"],
      ["frequency_cap_impressions", "5"],
      ["frequency_cap_period", "week"],
    ]);
    expect(await contentOf(id)).toMatchObject({
      audienceIds: [],
      geolocations: ["br"],
      frequencyCapImpressions: 5,
      frequencyCapPeriod: "week",
    });
  });

  it("drops the channels of the former type, and what is ticked under the hidden one", async () => {
    const id = await world.aDraft();
    await save(id, 4, [
      ["channel_type", "walled_garden"],
      ["channels", "dv360"],
      ["channels", "meta"],
    ]);
    expect(await contentOf(id)).toMatchObject({ channelType: "walled_garden", channels: ["meta"] });
    await save(id, 4, [
      ["channel_type", "walled_garden"],
      ["channels", "dv360"],
      ["channels", "tiktok"],
    ]);
    expect(await contentOf(id)).toMatchObject({ channelType: "walled_garden", channels: ["tiktok"] });
  });

  it("takes products once there is a creative, and drops them with it", async () => {
    const id = await world.aDraft();
    const before = await visit(edit, editPath(id, 2), { id });
    expect(before.body).toMatchObject({ choices: { hasCreative: false, products: [] } });
    const creative: [string, string] = ["creative_ids", await insertCreative(db(), world.accountId("northwind"))];
    const found = await save(id, 2, [creative, ["intent", "find"]]);
    expect(found.location).toBe(`${editPath(id, 2)}#found`);
    const { body } = await visit(edit, editPath(id, 2), { id });
    expect(shownSchema.parse(body).choices.products.map(({ name }) => name)).toContain("Cairn Mid Boot");
    const product = world.product("NW-BT-101");
    await save(id, 2, [creative, ["selected_products", product]]);
    expect((await contentOf(id)).productIds).toEqual([product]);
    await save(id, 2, [["selected_products", product]]);
    expect(await contentOf(id)).toMatchObject({ creativeIds: [], productIds: [] });
  });

  it("keeps what is chosen in the list when a search does not find it", async () => {
    const id = await world.aDraft();
    const { body } = await visit(edit, `${editPath(id, 3)}&find=coffee`, { id });
    const names = shownSchema.parse(body).choices.audiences.map(({ name }) => name);
    expect(names).toEqual(["Weekend hikers", "Specialty coffee drinkers"]);
  });

  it.each([
    ["previous", 3, 2],
    ["previous", 1, 1],
    ["next", 3, 4],
    ["enter", 3, 4],
    ["nonsense", 3, 4],
    ["step-1", 3, 1],
  ])("%s of step %i leads to step %i", async (intent, step, to) => {
    const id = await world.aDraft();
    expect((await save(id, step, [["intent", intent]])).location).toBe(editPath(id, to));
  });

  it("searches on Enter in a search that has changed, and leaves to the list", async () => {
    const id = await world.aDraft();
    const entered = await save(id, 3, [
      ["intent", "enter"],
      ["found", ""],
      ["find", "hik"],
    ]);
    expect(entered.location).toBe(`${editPath(id, 3)}&find=hik#found`);
    expect(await save(id, 3, [["intent", "leave"]])).toMatchObject({
      location: "/advertiser/campaigns",
      flash: expect.stringContaining("saved"),
    });
  });

  it("is the first one where the address names none", async () => {
    const id = await world.aDraft();
    for (const step of ["", "0", "7", "abc", "1e9"]) {
      const { body } = await visit(edit, `/advertiser/campaigns/${id}/edit?step=${step}`, { id });
      expect(body).toMatchObject({ step: 1 });
    }
  });
});

describe("launching", () => {
  const launch = (id: string) => save(id, 6, [["intent", "launch"]]);
  const soon = () => {
    const today = calendarDateOf(new Date());
    return { start_date: addDays(today, 1), end_date: addDays(today, 10) };
  };

  it("names everything that is missing at once and sends nothing", async () => {
    const { location } = await visit(create, "/advertiser/campaigns/create", { form: [] });
    const id = idIn(location);
    const answer = await launch(id);
    expect(answer.status).toBe(422);
    expect(Object.keys(refusedSchema.parse(answer.body).error).sort()).toEqual([
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

  it("leads to the thank-you screen with the campaign, inside test mode too", async () => {
    const id = await world.aDraft(soon());
    expect(await launch(id)).toMatchObject({ status: 302, location: `/thank-you/campaign-created?campaign=${id}` });
    expect(await world.statusOf(id)).toBe("pending");
    const other = await world.aDraft(soon());
    const path = `/advertiser/test-mode/campaigns/${other}/edit?step=6`;
    const answer = await visit(edit, path, { id: other, form: [["intent", "launch"]] });
    expect(answer.location).toBe(`/advertiser/test-mode/thank-you/campaign-created?campaign=${other}`);
  });

  it("lets changes of a running campaign wait until they are sent", async () => {
    const id = await world.aRunningCampaign({ changes: soon() });
    const budgets: [string, string][] = [
      ["budget", "9000"],
      ["daily_budget", "500"],
    ];
    await save(id, 5, [...budgets, ...Object.entries(soon()), ["pacing", "asap"]]);
    const changed = { version: 1, unsentFields: ["totalBudgetCents"], pacing: "asap" };
    expect(await getCampaign(world.northwind, id)).toMatchObject(changed);
    expect(await launch(id)).toMatchObject({
      location: `/advertiser/campaigns/${id}`,
      flash: expect.stringContaining("sent to the publishers"),
    });
    expect(await getCampaign(world.northwind, id)).toMatchObject({ version: 2, status: "active", unsentFields: [] });
  });
});

describe("a campaign that came back", () => {
  it("shows who rejected it and why", async () => {
    const id = await world.aLaunchedCampaign();
    await reviewCampaign(world.harbor, { id, action: "reject", notes: "Too loud for us" });
    expect((await visit(edit, editPath(id, 1), { id })).body).toMatchObject({
      campaign: { status: "draft" },
      rejections: [{ publisherName: "Harbor Goods", notes: "Too loud for us" }],
    });
  });
});

describe("another's campaign", () => {
  it("has the 404 page for its steps, like an id that is none", async () => {
    const id = await world.aDraft({}, { by: world.brightside });
    for (const foreign of [id, "not-an-id", "01900000-0000-7000-8000-000000000000"]) {
      for (const step of [1, 6]) {
        expect((await visit(edit, editPath(foreign, step), { id: foreign })).status).toBe(404);
        expect(
          (
            await save(foreign, step, [
              ["name", "Mine"],
              ["intent", "next"],
            ])
          ).status,
        ).toBe(404);
        expect((await save(foreign, step, [["intent", "launch"]])).status).toBe(404);
      }
    }
    expect((await getCampaign(world.brightside, id)).name).toBe("Ridgeline Packs");
  });
});

function idIn(location: string | null): CampaignId {
  const id = parseId<CampaignId>(/campaigns\/([^/]+)\/edit/.exec(location ?? "")?.[1]);
  if (!id) throw new Error(`no campaign in ${location}`);
  return id;
}

const shownSchema = z.object({
  choices: z.object({
    audiences: z.array(z.object({ name: z.string() })),
    products: z.array(z.object({ name: z.string() })),
  }),
});
const refusedSchema = z.object({ error: z.record(z.string(), z.array(z.string())) });
