import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { syncFundsHolds } from "#app/domain/billing/wallet/sync-funds-holds.server.ts";
import { addDays, calendarDateOf } from "#app/domain/calendar-date.ts";
import { archiveCampaign } from "#app/domain/campaigns/archive/archive-campaign.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { countCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { type CampaignId, parseId } from "#app/domain/ids.ts";
import * as create from "#app/screens/advertiser/campaigns/create/route.tsx";
import * as edit from "#app/screens/advertiser/campaigns/edit/route.tsx";
import { accounts } from "#db/schema/index.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createRouteClient } from "#tests/support/route-client.ts";
import { useStandIn } from "#tests/support/stand-in.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";
import { visitAs } from "./visit.ts";

const db = useDatabase();
useStandIn();
let world: World;
let visit: ReturnType<typeof visitAs>;
beforeAll(async () => {
  world = await createWorld(db());
  visit = visitAs(await world.cookieOf("northwind"));
});

const editPath = (id: string, step: number) => `/advertiser/campaigns/${id}/edit?step=${step}`;
const save = (id: string, step: number, form: [string, string][]) => visit(edit, editPath(id, step), { id, form });
const contentOf = async (id: CampaignId) => (await getCampaign(world.northwind, id)).content;

describe("creating a draft", () => {
  const path = "/advertiser/campaigns/create";

  it("creates one draft for a form sent twice, and changes it when it is sent again with another name", async () => {
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

  it("allows an empty first save, and continues to the requested step", async () => {
    const response = await visit(create, path, { form: [["intent", "step-5"]] });
    expect(response.location).toMatch(/\/edit\?step=5$/);
    expect(await getCampaign(world.northwind, idIn(response.location))).toMatchObject({ name: "", status: "draft" });
  });

  it("creates no second draft without a name, and leaves none behind when nothing was entered", async () => {
    const open = async (intent: string) => (await visit(create, path, { form: [["intent", intent]] })).location;
    const location = await open("next");
    expect(await open("step-2")).toBe(location);
    const id = idIn(location);
    const before = await countCampaigns(world.northwind);
    expect(await open("leave")).toBe("/advertiser/campaigns");
    expect((await save(id, 4, [["intent", "leave"]])).location).toBe("/advertiser/campaigns");
    expect((await countCampaigns(world.northwind)).draft).toBe(before.draft - 1);
    expect((await visit(edit, editPath(id, 4), { id })).status).toBe(404);
  });

  it("opens the blank draft of test mode again in the same browser, and in no other one", async () => {
    const inTestMode = "/advertiser/test-mode/campaigns/create";
    const open = async ({ call }: ReturnType<typeof createRouteClient>, fields: Record<string, string> = {}) =>
      (await call(create.action, inTestMode, { form: { intent: "next", ...fields } })).location;
    const [one, other] = [createRouteClient(), createRouteClient()];
    const first = await open(one);
    expect(first).toMatch(/^\/advertiser\/test-mode\/campaigns\/.+\/edit\?step=2$/);
    expect(await open(other)).not.toBe(first);
    expect(await open(one)).toBe(first);
    expect(await open(one, { name: "Named at once" })).not.toBe(first);
    expect(await open(one)).toBe(first);
  });

  it("keeps the input of a form whose draft was archived in another tab, and says why it is not saved", async () => {
    const send = (name: string) =>
      visit(create, path, {
        form: [
          ["idempotency_key", "0f3c1f0e-shelved"],
          ["name", name],
          ["intent", "next"],
        ],
      });
    const id = idIn((await send("Shelved Boots")).location);
    await archiveCampaign(world.northwind, { id });
    expect(await send("Shelved Boots, again")).toMatchObject({
      status: 409,
      body: {
        initialValue: { name: "Shelved Boots, again" },
        error: { "": ["This campaign is archived. Restore it first."] },
      },
    });
    expect((await getCampaign(world.northwind, id)).name).toBe("Shelved Boots");
  });

  it("keeps a name that is too long, with its error, and creates no draft", async () => {
    const before = await countCampaigns(world.northwind);
    const name = "x".repeat(121);
    const response = await visit(create, path, {
      form: [
        ["name", name],
        ["intent", "next"],
      ],
    });
    expect(response).toMatchObject({
      status: 422,
      body: { initialValue: { name }, error: { name: ["Use at most 120 characters"] } },
    });
    expect(await countCampaigns(world.northwind)).toEqual(before);
  });
});

describe("a step", () => {
  it("saves exactly its own fields, and an empty one is cleared", async () => {
    const id = await world.aDraft();
    const response = await save(id, 5, [
      ["budget", "1,250.50"],
      ["daily_budget", ""],
      ["start_date", ""],
      ["intent", "next"],
    ]);
    expect(response.location).toBe(editPath(id, 6));
    expect(await contentOf(id)).toMatchObject({
      objective: "conversions",
      channels: ["trade_desk", "dv360"],
      totalBudgetCents: 125_050,
      dailyBudgetCents: null,
      startDate: null,
      endDate: null,
    });
  });

  it("rejects only the field that cannot be parsed, and keeps its input", async () => {
    const id = await world.aDraft();
    const response = await save(id, 5, [
      ["budget", "abc"],
      ["daily_budget", "75"],
      ["intent", "next"],
    ]);
    expect(response).toMatchObject({
      status: 422,
      body: {
        initialValue: { budget: "abc", daily_budget: "75" },
        error: { budget: [expect.stringContaining("dollars")] },
      },
    });
    expect(await contentOf(id)).toMatchObject({ totalBudgetCents: 500_000, dailyBudgetCents: 7_500 });
  });

  it("clears a group of checkboxes without a selection", async () => {
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

  it("removes the channels of the previous type, and those selected in the hidden group", async () => {
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

  it("accepts products once there is a creative, and removes them with it", async () => {
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

  it("keeps the selection in the list when a search does not match it", async () => {
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

  it("searches on Enter in a changed search, and leaves for the list", async () => {
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

  it("shows an error at a value that does not fit the others, and allows continuing", async () => {
    const id = await world.aDraft();
    const response = await save(id, 5, [
      ["budget", "100"],
      ["daily_budget", "100.01"],
      ["start_date", "2026-11-01"],
      ["end_date", "2026-10-31"],
      ["intent", "next"],
    ]);
    expect(response.location).toBe(editPath(id, 6));
    const problems = {
      daily_budget: ["The daily budget can't exceed the total budget"],
      start_date: [expect.stringContaining("The start date can't be earlier than today")],
      end_date: ["The end date can't be earlier than the start date"],
    };
    const states = expect.arrayContaining([
      expect.objectContaining({ step: 1, state: "complete" }),
      expect.objectContaining({ step: 5, state: "incomplete", needs: expect.objectContaining({ length: 3 }) }),
    ]);
    expect((await visit(edit, editPath(id, 5), { id })).body).toMatchObject({ problems, states });
    expect((await visit(edit, editPath(id, 4), { id })).body).toMatchObject({ problems: {} });
  });

  it("is the first one where the URL names none", async () => {
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

  it("lists everything that is missing at once and sends nothing", async () => {
    const { location } = await visit(create, "/advertiser/campaigns/create", { form: [] });
    const id = idIn(location);
    const response = await launch(id);
    expect(response.status).toBe(422);
    expect(Object.keys(refusedSchema.parse(response.body).error).sort()).toEqual([
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
    const response = await visit(edit, path, { id: other, form: [["intent", "launch"]] });
    expect(response.location).toBe(`/advertiser/test-mode/thank-you/campaign-created?campaign=${other}`);
  });

  it("sends nothing that the review did not show, because another tab changed it since, and once what it shows", async () => {
    const id = await world.aDraft(soon());
    const seenAt = async () => {
      const { body } = await visit(edit, editPath(id, 6), { id });
      return z
        .object({ campaign: z.object({ updatedAt: z.date() }) })
        .parse(body)
        .campaign.updatedAt.getTime();
    };
    const launchSeen = (at: number) =>
      save(id, 6, [
        ["intent", "launch"],
        ["seen_at", String(at)],
      ]);
    const stale = await seenAt();
    await save(id, 5, [["budget", "90000"], ["daily_budget", "9000"], ...Object.entries(soon()), ["pacing", "even"]]);
    expect(await launchSeen(stale)).toMatchObject({
      status: 409,
      body: { error: { "": [expect.stringContaining("was changed after you opened this page")] } },
    });
    expect(await world.statusOf(id)).toBe("draft");
    const fresh = await seenAt();
    const [first, second] = [await launchSeen(fresh), await launchSeen(fresh)];
    const thankYou = `/thank-you/campaign-created?campaign=${id}`;
    expect([first.location, second.location]).toEqual([thankYou, thankYou]);
    expect(await getCampaign(world.northwind, id)).toMatchObject({ status: "pending", version: 1 });
  });

  it("leaves changes of a running campaign unsent until they are sent", async () => {
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
      flash: expect.stringContaining("sent to publishers for review"),
    });
    expect(await getCampaign(world.northwind, id)).toMatchObject({ version: 2, status: "active", unsentFields: [] });
  });
});

describe("the review step", () => {
  it("says that funds are needed, with a top-up that comes back to it, and nothing with funds", async () => {
    const id = await world.aDraft();
    const open = async (step: number) => (await visit(edit, editPath(id, step), { id })).body;
    expect(await open(6)).toMatchObject({ funds: { fundsHold: null, reason: { code: "draft" } } });
    await setCredit(0);
    expect(await open(6)).toMatchObject({ funds: { fundsHold: { shortfall: 0 }, paymentsEnabled: true } });
    expect(await open(5)).toMatchObject({ funds: undefined });
    await setCredit(1_000_000_000);
  });
});

/** Sets the advertiser's credit, in cents, and puts its delivery on hold or releases it. */
async function setCredit(creditLimitCents: number): Promise<void> {
  const id = world.accountId("northwind");
  await db().update(accounts).set({ creditLimitCents }).where(eq(accounts.id, id));
  await syncFundsHolds(world.job, [id]);
}

describe("a campaign that was rejected", () => {
  it("shows who rejected it and why", async () => {
    const id = await world.aLaunchedCampaign();
    await reviewCampaign(world.harbor, {
      id,
      action: "reject",
      notes: "Too loud for us",
      reasons: ["budget_too_low", "creative_quality"],
    });
    expect((await visit(edit, editPath(id, 1), { id })).body).toMatchObject({
      campaign: { status: "draft" },
      rejections: [
        {
          title: "Harbor Goods rejected this campaign",
          reasons: "Budget too low, Creative needs work",
          notes: "Too loud for us",
        },
      ],
    });
  });

  it("says that the approved version keeps running where only its changes were rejected", async () => {
    const id = await world.aRunningCampaign();
    await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 9_000 }), send: true });
    await reviewCampaign(world.harbor, { id, action: "reject", reasons: ["budget_too_low"] });
    expect((await visit(edit, editPath(id, 1), { id })).body).toMatchObject({
      campaign: { status: "active" },
      rejections: [
        {
          title: "Harbor Goods rejected your changes. Version 1 keeps running.",
          reasons: "Budget too low",
          notes: null,
        },
      ],
    });
  });
});

describe("another account's campaign", () => {
  it("has the 404 page for its steps, like an invalid id", async () => {
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
