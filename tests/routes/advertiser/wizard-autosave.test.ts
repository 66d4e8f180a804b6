import { randomUUID } from "node:crypto";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { addDays, calendarDateSchema } from "#app/domain/calendar-date.ts";
import { frequencyCapPeriods } from "#app/domain/campaigns/campaign.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { countCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { type CampaignId, parseId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import * as autosave from "#app/screens/advertiser/campaigns/autosave/route.ts";
import * as create from "#app/screens/advertiser/campaigns/create/route.tsx";
import * as edit from "#app/screens/advertiser/campaigns/edit/route.tsx";
import { ForecastCard } from "#app/screens/advertiser/campaigns/forecast/forecast-card.tsx";
import { useDatabase } from "#tests/support/database/database.ts";
import { useStandIn } from "#tests/support/stand-in.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { visitAs } from "./visit.ts";

const db = useDatabase();
useStandIn();
let world: World;
let visit: ReturnType<typeof visitAs>;
beforeAll(async () => {
  world = await createWorld(db());
  visit = visitAs(await world.cookieOf("northwind"));
});

const resultSchema = z.object({
  href: z.string(),
  title: z.string(),
  states: z.array(z.object({ state: z.string() })),
  problems: z.record(z.string(), z.array(z.string())),
  isPartial: z.boolean(),
});

/** Posts a form as the script does. */
async function post(form: [string, string][], { step, id }: { step: number; id?: string }) {
  const path = `/advertiser/campaigns/autosave?step=${step}${id ? `&campaign=${id}` : ""}`;
  return visit(autosave, path, { form });
}

async function save(form: [string, string][], place: { step: number; id?: string }) {
  const { status, body } = await post(form, place);
  expect(status).toBe(200);
  return resultSchema.parse(JSON.parse(z.string().parse(body)));
}

const forecastSchema = z.object({
  choices: z.object({
    forecast: z.object({
      spentCents: z.number(),
      reach: z.object({ from: z.number(), to: z.number() }),
      cap: z.object({ impressions: z.number(), period: z.enum(frequencyCapPeriods) }),
      today: calendarDateSchema,
    }),
  }),
});

const edits = (session: string, revision: number): [string, string][] => [
  ["edit_session", session],
  ["edit_revision", String(revision)],
];
const changes = async (id: CampaignId) =>
  (await listHistory(world.northwind, id)).filter(({ action }) => action === "campaign.changed");

describe("the form of a new campaign", () => {
  it("creates one draft, however often its first save arrives, and returns its URL", async () => {
    const before = (await countCampaigns(world.northwind)).draft;
    const [key, session] = [randomUUID(), randomUUID()];
    const send = (name: string, revision: number) =>
      save([...edits(session, revision), ["idempotency_key", key], ["name", name]], { step: 1 });
    const saved = await Promise.all([send("T", 1), send("T", 1), send("Tents", 5)]);
    expect(new Set(saved.map(({ href }) => href)).size).toBe(1);
    expect((await countCampaigns(world.northwind)).draft).toBe(before + 1);
    const id = parseId<CampaignId>(/campaigns\/([^/]+)\/edit\?step=1$/.exec(saved[0]?.href ?? "")?.[1]);
    if (!id) throw new Error("no draft");
    expect((await getCampaign(world.northwind, id)).name).toBe("Tents");
    const button = [...edits(session, 6), ["name", "Tents 2"], ["intent", "next"]] satisfies [string, string][];
    await visit(edit, `/advertiser/campaigns/${id}/edit?step=1`, { id, form: button });
    expect(await changes(id)).toMatchObject([{ before: { name: "" }, after: { name: "Tents 2" } }]);
  });
});

it("a new campaign whose only entry was saved and cleared leaves no draft behind", async () => {
  const before = (await countCampaigns(world.northwind)).draft;
  const [key, session] = [randomUUID(), randomUUID()];
  const form = (name: string, revision: number): [string, string][] => [
    ...edits(session, revision),
    ["idempotency_key", key],
    ["name", name],
  ];
  await save(form("T", 1), { step: 1 });
  expect((await countCampaigns(world.northwind)).draft).toBe(before + 1);
  const left = [...form("", 2), ["intent", "leave"]] satisfies [string, string][];
  expect((await visit(create, "/advertiser/campaigns/create", { form: left })).location).toBe("/advertiser/campaigns");
  expect((await countCampaigns(world.northwind)).draft).toBe(before);
});

describe("a step that saves itself", () => {
  it("returns the states of the steps and the conflicts between fields", async () => {
    const id = await world.aDraft();
    const form: [string, string][] = [
      ["budget", "100"],
      ["daily_budget", "200"],
    ];
    expect(await save([...edits(randomUUID(), 1), ...form], { step: 5, id })).toMatchObject({
      title: "Ridgeline Packs",
      states: [{}, {}, {}, {}, { state: "incomplete" }],
      problems: { daily_budget: ["The daily budget can't exceed the total budget"] },
      isPartial: false,
    });
  });

  it("saves what is valid and says which field is not", async () => {
    const id = await world.aDraft();
    const form: [string, string][] = [
      ["budget", "abc"],
      ["daily_budget", "75"],
    ];
    const saved = await save([...edits(randomUUID(), 1), ...form], { step: 5, id });
    expect(saved).toMatchObject({ isPartial: true, problems: { budget: [expect.stringContaining("dollars")] } });
    const { content } = await getCampaign(world.northwind, id);
    expect(content).toMatchObject({ totalBudgetCents: 500_000, dailyBudgetCents: 7_500 });
    const unavailable = await save([...edits(randomUUID(), 2), ["selected_audiences", world.audience("kayakPilot")]], {
      step: 3,
      id,
    });
    expect(unavailable).toMatchObject({
      isPartial: true,
      problems: { selected_audiences: ["Choose audiences from the list"] },
    });
  });

  it("is not overwritten by a save of the same form that arrives after the button's", async () => {
    const id = await world.aDraft();
    const session = randomUUID();
    await save([...edits(session, 1), ["name", "One"]], { step: 1, id });
    const next: [string, string][] = [...edits(session, 3), ["name", "Three"], ["intent", "next"]];
    await visit(edit, `/advertiser/campaigns/${id}/edit?step=1`, { id, form: next });
    await save([...edits(session, 2), ["name", "Two"]], { step: 1, id });
    expect((await getCampaign(world.northwind, id)).name).toBe("Three");
    expect(await changes(id)).toMatchObject([{ after: { name: "Three" } }]);
  });

  it("replaces nothing when its page is left after another tab has saved", async () => {
    const id = await world.aDraft();
    const session = randomUUID();
    await save([...edits(session, 2), ["name", "First tab"]], { step: 1, id });
    await save([...edits(randomUUID(), 1), ["name", "Second tab"]], { step: 1, id });
    await save([...edits(session, 2), ["name", "First tab"], ["edit_finished", "true"]], { step: 1, id });
    expect((await getCampaign(world.northwind, id)).name).toBe("Second tab");
  });

  it("reports why nothing was saved, and does not find another account's campaign", async () => {
    const id = await world.aRunningCampaign();
    world.advanceDays(11);
    const { completeEndedCampaigns } = await import("#app/domain/campaigns/complete-campaigns.server.ts");
    await completeEndedCampaigns(world.job);
    const rejected = await post([...edits(randomUUID(), 1), ["name", "Late"]], { step: 1, id });
    expect(rejected).toMatchObject({
      status: 409,
      body: expect.stringContaining("Completed campaigns can't be edited"),
    });
    world.advanceDays(-11);
    const foreign = await world.aDraft({}, { by: world.brightside });
    for (const other of [foreign, "not-an-id", "01900000-0000-7000-8000-000000000000"]) {
      expect((await post([["name", "Mine"]], { step: 1, id: other })).status).toBe(404);
    }
    expect((await getCampaign(world.brightside, foreign)).name).toBe("Ridgeline Packs");
  });
});

describe("the forecast", () => {
  it("uses the published range of the audiences, and no other size", async () => {
    const id = await world.aDraft();
    const { body } = await visit(edit, `/advertiser/campaigns/${id}/edit?step=5`, { id });
    expect(body).toMatchObject({
      choices: {
        forecast: {
          reach: { from: 50_000, to: 100_000 },
          cap: { impressions: 3, period: "day" },
          isCountryLimited: false,
        },
      },
    });
    expect((await visit(edit, `/advertiser/campaigns/${id}/edit?step=4`, { id })).body).toMatchObject({
      choices: { forecast: undefined },
    });
  });

  it("of a running campaign is about what is left of its budget", async () => {
    const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
    await world.deliver(id, { spendMicros: 490_000_000 });
    const { body } = await visit(edit, `/advertiser/campaigns/${id}/edit?step=5`, { id });
    const facts = { cpmCents: { from: asCents(100), to: asCents(100) }, isCountryLimited: false };
    const { spentCents, reach, cap, today } = forecastSchema.parse(body).choices.forecast;
    expect(spentCents).toBe(49_000);
    const plan = {
      totalBudgetCents: asCents(50_000),
      dailyBudgetCents: asCents(50_000),
      startDate: today,
      endDate: addDays(today, 9),
      pacing: "even" as const,
    };
    const shown = (spent: number) =>
      renderToStaticMarkup(
        createElement(ForecastCard, { facts: { ...facts, reach, cap, today, spentCents: asCents(spent) }, plan }),
      );
    expect(shown(0)).toContain("$500");
    expect(shown(spentCents)).toContain("<dd>$10</dd>");
    expect(shown(spentCents)).not.toContain("$500");
    expect(shown(50_000)).toContain("There is nothing to forecast");
  });
});
