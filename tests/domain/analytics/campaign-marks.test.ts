import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type CampaignMark, groupMarks } from "#app/domain/analytics/campaign-marks.ts";
import { intervalsIn } from "#app/domain/analytics/interval.ts";
import { listCampaignMarks, maxMarks } from "#app/domain/analytics/list-campaign-marks.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { addDays, type CalendarDate } from "#app/domain/calendar-date.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { campaigns } from "#db/schema/index.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let firstDay: CalendarDate;
beforeAll(async () => {
  world = await createWorld(db());
  firstDay = world.today();
});

const both = ["hikers", "coffeeDrinkers"] as const;
const wholePeriod = () => ({ from: firstDay, to: world.today() });

async function marksOf(ctx: Ctx<TenantActor>, campaign: CampaignId): Promise<string[]> {
  const { marks } = await listCampaignMarks(ctx, { period: wholePeriod(), filters: { campaign } });
  expect(marks.every(({ campaignId }) => campaignId === campaign)).toBe(true);
  return marks.map(describeMark);
}

function describeMark({ day, kind, publisherName, budgets }: CampaignMark): string {
  const amounts = budgets ? ` ${Object.values(budgets.before)} to ${Object.values(budgets.after)}` : "";
  return `${day} ${kind}${publisherName ? ` by ${publisherName}` : ""}${amounts}`;
}

type Who = "harbor" | "fern";
type Step =
  | { act: "wait"; days: number }
  | { act: "pause" | "resume" }
  | { act: "pauseOwn" | "resumeOwn" | "approve" | "reject"; who: Who }
  | { act: "send"; budget: number; daily: number; cap: number };

const who = fc.constantFrom<Who>("harbor", "fern");
const act = <const Act extends string>(...acts: Act[]) => fc.constantFrom<Act>(...acts);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ act: act("wait"), days: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ act: act("pause", "resume") }),
  { arbitrary: fc.record({ act: act("pauseOwn", "resumeOwn"), who }), weight: 2 },
  { arbitrary: fc.record({ act: act("approve", "approve", "reject"), who }), weight: 3 },
  {
    arbitrary: fc.record({
      act: act("send"),
      budget: fc.constantFrom(5_000, 6_000),
      daily: fc.constantFrom(500, 600),
      cap: fc.integer({ min: 1, max: 9 }),
    }),
    weight: 2,
  },
);
const histories = fc.record({
  approvedBy: fc.subarray<Who>(["harbor", "fern"]),
  steps: fc.array(step, { minLength: 8, maxLength: 20 }),
});

/** What the two publishers and the advertiser should see, computed from what the verbs accepted. */
class ExpectedMarks {
  readonly advertiser: string[] = [];
  readonly harbor: string[] = [];
  readonly fern: string[] = [];
  #version = 1;
  #budgets = new Map([[1, "500000,50000"]]);
  #approved: Record<Who | "anyone", number[]> = { harbor: [], fern: [], anyone: [] };

  forAll(mark: string): void {
    this.advertiser.push(mark);
    this.harbor.push(mark);
    this.fern.push(mark);
  }

  send(budgets: string): void {
    this.#version += 1;
    this.#budgets.set(this.#version, budgets);
  }

  approve(who: Who): void {
    this.#approveFor(who, this[who]);
    if (!this.#approved.anyone.includes(this.#version)) this.#approveFor("anyone", this.advertiser);
  }

  #approveFor(list: Who | "anyone", marks: string[]): void {
    const before = this.#approved[list].at(-1);
    this.#approved[list].push(this.#version);
    const [old, now] = [this.#budgets.get(before ?? 0), this.#budgets.get(this.#version)];
    if (old && old !== now) marks.push(`${world.today()} budget_change ${old} to ${now}`);
  }
}

const names = { harbor: "Harbor Goods", fern: "Fern & Field Market" };

/** Does a step through its verb and expects its marks, unless the verb refuses it. */
async function take(id: CampaignId, step: Step, expected: ExpectedMarks): Promise<void> {
  try {
    switch (step.act) {
      case "wait":
        return world.advanceDays(step.days);
      case "pause":
        if (await pauseCampaign(world.northwind, { id })) expected.forAll(`${world.today()} pause`);
        return;
      case "resume":
        if (await resumeCampaign(world.northwind, { id })) expected.forAll(`${world.today()} resume`);
        return;
      case "pauseOwn":
      case "resumeOwn": {
        const verb = step.act === "pauseOwn" ? pauseLineItem : resumeLineItem;
        const mark = `${world.today()} ${step.act === "pauseOwn" ? "pause" : "resume"} by ${names[step.who]}`;
        if (!(await verb(world[step.who], { id }))) return;
        expected[step.who].push(mark);
        expected.advertiser.push(mark);
        return;
      }
      case "send": {
        const { budget, daily, cap } = step;
        const changes = campaignChanges({ budget, daily_budget: daily, frequency_cap_impressions: cap });
        const { sent } = await updateCampaign(world.northwind, { id, changes, send: true });
        if (sent) expected.send(`${budget * 100},${daily * 100}`);
        return;
      }
      case "approve":
        await reviewCampaign(world[step.who], { id, action: "approve" });
        expected.approve(step.who);
        return;
      case "reject":
        await reviewCampaign(world[step.who], { id, action: "reject", notes: "Not now" });
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

test("after any history, each party has the marks of what it can see, on their days and in their order", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(histories, async ({ approvedBy, steps }) => {
      const expected = new ExpectedMarks();
      const changes = { end_date: addDays(world.today(), 300), name: "Any history" };
      const id = await world.aLaunchedCampaign({ audiences: both, changes });
      expected.forAll(`${world.today()} launch`);
      for (const publisher of approvedBy) await take(id, { act: "approve", who: publisher }, expected);
      for (const one of steps) await take(id, one, expected);
      expect(await marksOf(world.northwind, id)).toEqual(expected.advertiser);
      expect(await marksOf(world.harbor, id)).toEqual(expected.harbor);
      expect(await marksOf(world.fern, id)).toEqual(expected.fern);
      expect(await marksOf(world.brightside, id)).toEqual([]);
      for (const mark of expected.advertiser) seen.add(mark.replace(/^\S+ (\S+ by \S+|\S+).*/, "$1"));
    }),
    { numRuns: 20, seed: 20261123 },
  );
  // The histories contain everything that is marked.
  expect([...seen].sort()).toEqual([
    "budget_change",
    "launch",
    "pause",
    "pause by Fern",
    "pause by Harbor",
    "resume",
    "resume by Fern",
    "resume by Harbor",
  ]);
}, 120_000);

describe("nobody has a mark of a campaign that it may not see", () => {
  let own: CampaignId;
  let foreign: CampaignId;
  beforeAll(async () => {
    own = await world.aRunningCampaign({ audiences: ["hikers"], changes: { name: "With Harbor alone" } });
    foreign = await world.aRunningCampaign({
      by: world.brightside,
      audiences: ["coffeeDrinkers"],
      approvedBy: ["fern"],
      changes: { name: "Brightside's with Fern" },
    });
    for (const [ctx, id] of [
      [world.northwind, own],
      [world.brightside, foreign],
    ] as const) {
      await pauseCampaign(ctx, { id });
      await resumeCampaign(ctx, { id });
    }
    await pauseLineItem(world.harbor, { id: own });
    await pauseLineItem(world.fern, { id: foreign });
  });

  const readers: [string, () => Ctx<TenantActor>, () => CampaignId, () => CampaignId][] = [
    ["an advertiser", () => world.northwind, () => own, () => foreign],
    ["another advertiser", () => world.brightside, () => foreign, () => own],
    ["a publisher", () => world.harbor, () => own, () => foreign],
    ["another publisher", () => world.fern, () => foreign, () => own],
  ];

  test.each(readers)("%s, without filters", async (_, reader, seen, hidden) => {
    const { marks } = await listCampaignMarks(reader(), { period: wholePeriod() });
    const ids = new Set(marks.map(({ campaignId }) => campaignId));
    expect([ids.has(seen()), ids.has(hidden())]).toEqual([true, false]);
  });

  test.each(readers)(
    "%s, with a filter by its id, or by another's audience or channel",
    async (_, reader, __, hidden) => {
      const ctx = reader();
      for (const filters of [
        { campaign: hidden() },
        { campaign: hidden(), channel: "dv360" as const },
        { campaign: hidden(), audience: world.audience("coffeeDrinkers") },
        { campaign: hidden(), audience: world.audience("hikers") },
      ])
        expect(await listCampaignMarks(ctx, { period: wholePeriod(), filters })).toEqual({ marks: [], readFrom: null });
    },
  );

  test("a publisher learns nothing of another's decision, pause or budget", async () => {
    const id = await world.aRunningCampaign({ audiences: both, approvedBy: ["harbor", "fern"] });
    await pauseLineItem(world.fern, { id });
    const changes = campaignChanges({ budget: 9_000, daily_budget: 900 });
    await updateCampaign(world.northwind, { id, changes, send: true });
    await reviewCampaign(world.fern, { id, action: "approve" });
    expect(await marksOf(world.harbor, id)).toEqual([`${world.today()} launch`]);
    expect(await marksOf(world.northwind, id)).toEqual([
      `${world.today()} launch`,
      `${world.today()} pause by Fern & Field Market`,
      `${world.today()} budget_change 500000,50000 to 900000,90000`,
    ]);
  });

  test("a publisher that joins later sees a launch then, and nothing of what was before", async () => {
    const id = await world.aRunningCampaign({ audiences: ["hikers"], changes: { name: "Joined" } });
    await pauseCampaign(world.northwind, { id });
    await resumeCampaign(world.northwind, { id });
    const launchedOn = world.today();
    world.advanceDays(2);
    const audiences = both.map((key) => world.audience(key));
    const changes = campaignChanges({ selected_audiences: audiences, channels: ["dv360"] });
    await updateCampaign(world.northwind, { id, changes, send: true });
    expect(await marksOf(world.fern, id)).toEqual([`${world.today()} launch`]);
    expect(await marksOf(world.harbor, id)).toEqual([
      `${launchedOn} launch`,
      `${launchedOn} pause`,
      `${launchedOn} resume`,
    ]);
    // Only Harbor was sent a version with The Trade Desk.
    const byChannel = { period: wholePeriod(), filters: { campaign: id, channel: "trade_desk" as const } };
    expect((await listCampaignMarks(world.fern, byChannel)).marks).toEqual([]);
    expect((await listCampaignMarks(world.harbor, byChannel)).marks).toHaveLength(3);
    // Nor does the other publisher's audience find the campaign for it.
    const byAudience = (key: (typeof both)[number]) => ({
      period: wholePeriod(),
      filters: { campaign: id, audience: world.audience(key) },
    });
    expect((await listCampaignMarks(world.fern, byAudience("hikers"))).marks).toEqual([]);
    expect((await listCampaignMarks(world.fern, byAudience("coffeeDrinkers"))).marks).toHaveLength(1);
  });
});

test("filters by audience, channel and category leave the campaigns that have them", async () => {
  const day = world.today();
  const products = [world.product("NW-PK-040")];
  const creatives = [await insertCreative(db(), world.accountId("northwind"))];
  const packs = await world.aRunningCampaign({
    audiences: both,
    approvedBy: ["harbor", "fern"],
    changes: {
      name: "Filtered",
      channels: ["adobe_advertising"],
      creative_ids: creatives,
      selected_products: products,
    },
  });
  await pauseLineItem(world.harbor, { id: packs });
  const plain = await world.aRunningCampaign({ audiences: ["campers"], changes: { name: "Plain" } });
  const found = async (filters: Parameters<typeof listCampaignMarks>[1]["filters"]) => {
    const { marks } = await listCampaignMarks(world.northwind, { period: { from: day, to: day }, filters });
    return marks.flatMap((mark) => (mark.campaignId === packs || mark.campaignId === plain ? [mark] : []));
  };
  const kinds = async (filters: Parameters<typeof found>[0]) => (await found(filters)).map(describeMark);
  const launch = `${day} launch`;
  const paused = `${day} pause by Harbor Goods`;
  expect(await kinds({})).toEqual([launch, paused, launch]);
  expect(await kinds({ audience: world.audience("hikers") })).toEqual([launch, paused]);
  // What Harbor pauses does not concern Fern's audience.
  expect(await kinds({ audience: world.audience("coffeeDrinkers") })).toEqual([launch]);
  expect(await kinds({ channel: "adobe_advertising" })).toEqual([launch, paused]);
  expect(await kinds({ category: "Packs" })).toEqual([launch, paused]);
  expect(await kinds({ category: "No such category" })).toEqual([]);
});

test("a day begins and ends at midnight UTC", async () => {
  world.setNow("2027-03-01T00:00:00.000Z");
  const first = await world.aLaunchedCampaign();
  world.setNow("2027-03-01T23:59:59.999Z");
  await pauseCampaignNow(first);
  world.setNow("2027-03-02T00:00:00.000Z");
  const next = await world.aLaunchedCampaign();
  const day = "2027-03-01" as CalendarDate;
  const { marks } = await listCampaignMarks(world.northwind, { period: { from: day, to: day } });
  expect(marks.map(({ day: on, kind, campaignId }) => [on, kind, campaignId])).toEqual([
    [day, "launch", first],
    [day, "pause", first],
  ]);
  expect(marks.some(({ campaignId }) => campaignId === next)).toBe(false);
});

async function pauseCampaignNow(id: CampaignId): Promise<void> {
  await reviewCampaign(world.harbor, { id, action: "approve" });
  await pauseCampaign(world.northwind, { id });
}

test("of more changes than are read, the newest are, and the day from which they are is named", async () => {
  world.setNow("2027-06-01T12:00:00Z");
  const id = await world.aLaunchedCampaign();
  const [{ advertiserId: ownerId = undefined } = {}] = await db()
    .select({ advertiserId: campaigns.advertiserId })
    .from(campaigns)
    .where(sql`id = ${id}`);
  const entry = { action: "campaign.paused", entity: "campaign", entityId: id, campaignId: id, ownerId } as const;
  const add = (count: number) => recordAudit(world.northwind, ...Array.from({ length: count }, () => entry));
  await add(3);
  world.setNow("2027-06-02T12:00:00Z");
  await add(maxMarks - 4);
  const period = { from: "2027-06-01" as CalendarDate, to: "2027-06-03" as CalendarDate };
  const all = await listCampaignMarks(world.northwind, { period });
  expect([all.marks.length, all.readFrom]).toEqual([maxMarks, null]);
  world.setNow("2027-06-03T12:00:00Z");
  await add(2);
  for (const filters of [{}, { campaign: id }]) {
    const newest = await listCampaignMarks(world.northwind, { period, filters });
    expect([newest.marks.length, newest.readFrom]).toEqual([maxMarks, "2027-06-01"]);
    expect(newest.marks[0]).toMatchObject({ day: "2027-06-01", kind: "pause" });
    const grouped = groupMarks(newest, intervalsIn(period, "day", period.to));
    expect(grouped.map(({ index, marks, isAtLeast }) => [index, marks.length, isAtLeast])).toEqual([
      [0, 2, true],
      [1, maxMarks - 4, false],
      [2, 2, false],
    ]);
  }
});

test("every mark is in exactly one day, week and month of the period", () => {
  const day = fc.integer({ min: 0, max: 400 });
  fc.assert(
    fc.property(
      fc.array(day),
      day,
      fc.nat(200),
      fc.constantFrom("day" as const, "week" as const, "month" as const),
      (places, start, length, interval) => {
        const period = { from: addDays(firstDay, start), to: addDays(firstDay, start + length) };
        const marks = places
          .sort((one, other) => one - other)
          .map((place) => addDays(firstDay, place))
          .filter((on) => on >= period.from && on <= period.to)
          .map((on) => ({ day: on, kind: "launch" }) as CampaignMark);
        const grouped = groupMarks({ marks, readFrom: null }, intervalsIn(period, interval, period.to));
        expect(grouped.flatMap((group) => group.marks)).toEqual(marks);
        expect(grouped.every((group) => group.marks.length > 0 && !group.isAtLeast)).toBe(true);
      },
    ),
  );
});
