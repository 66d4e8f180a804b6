import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { mapPlatformRows } from "#app/domain/delivery/channels/map-platform-rows.server.ts";
import type { PlatformRow } from "#app/domain/delivery/channels/platform.ts";
import { audienceTag, campaignTag } from "#app/domain/delivery/channels/platform-tag.ts";
import { type CreativeFigures, toStoredCreatives } from "#app/domain/delivery/delivery-creatives.ts";
import { parseDeliveryRows } from "#app/domain/delivery/delivery-row.ts";
import { getCampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { ingestDeliveryReport } from "#app/domain/delivery/ingest-delivery-report.server.ts";
import { type CampaignId, type CreativeId, newId } from "#app/domain/ids.ts";
import { creatives, deliveries, deliveryRevisions, lineItems } from "#db/schema/index.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let [banner, video, foreign]: CreativeId[] = [];
beforeAll(async () => {
  world = await createWorld(db());
  banner = await insertCreative(db(), world.accountId("northwind"));
  video = await insertCreative(db(), world.accountId("northwind"), { name: "film.mp4", type: "video/mp4" });
  foreign = await insertCreative(db(), world.accountId("brightside"));
});

/** Ten days from today on both creatives, by two publishers; $1 a day at most. */
const running = (changes: object = {}) =>
  world.aRunningCampaign({
    approvedBy: ["harbor", "fern"],
    audiences: ["hikers", "coffeeDrinkers"],
    changes: { start_date: world.today(), creative_ids: [banner, video], ...changes },
  });

const part = (creative_id: string | undefined, impressions: number, spend: number) => ({
  creative_id,
  impressions,
  clicks: Math.min(impressions, 1),
  conversions: 0,
  spend,
  revenue: spend * 2,
});

async function report(id: CampaignId, rows: object[]) {
  const usual = { campaign_id: id, audience_id: world.audience("hikers"), channel: "dv360", date: world.today() };
  const figures = { impressions: 1_000, clicks: 10, conversions: 1, spend: 4, revenue: 9 };
  const read = parseDeliveryRows(
    rows.map((row) => ({ ...usual, ...figures, ...row })),
    "test",
  );
  return ingestDeliveryReport(world.job, { rows: read });
}

describe("a row with creatives", () => {
  let id: CampaignId;
  beforeAll(async () => {
    id = await running();
  });

  const wrong: [string, () => unknown[], string][] = [
    ["one that the version has not", () => [part(foreign, 10, 1)], "creative_not_chosen"],
    ["one that nobody has", () => [part(newId(), 10, 1)], "creative_not_chosen"],
    ["one twice", () => [part(banner, 10, 1), part(banner, 10, 1)], "invalid_creatives"],
    ["more impressions together", () => [part(banner, 600, 1), part(video, 401, 1)], "creatives_over_row"],
    ["more spend together", () => [part(banner, 1, 2), part(video, 1, 2.000001)], "creatives_over_row"],
    ["more clicks than impressions", () => [{ ...part(banner, 1, 1), clicks: 2 }], "clicks_over_impressions"],
    ["less than nothing", () => [{ ...part(banner, 1, 1), revenue: -1 }], "negative"],
    ["a figure that is missing", () => [{ ...part(banner, 1, 1), conversions: undefined }], "invalid_number"],
    ["too many", () => Array.from({ length: 21 }, () => part(newId(), 1, 0)), "invalid_creatives"],
  ];
  test.each(wrong)("is rejected for %s, and the other rows are accepted", async (what, list, code) => {
    const source = what.replaceAll(" ", "-");
    const done = await report(id, [{ source }, { creatives: list() }, { source: `${source}-2` }]);
    expect(done).toMatchObject({ accepted: 2, rejected: [{ index: 1, code }] });
  });

  test("is unchanged when repeated, and restated with its history when it differs", async () => {
    const [one, other] = [
      { source: "again", reach: 900, creatives: [part(video, 300, 1), part(banner, 700, 3)] },
      { source: "again", reach: 900, creatives: [part(video, 301, 1), part(banner, 699, 3)] },
    ];
    const done: unknown[] = [];
    const reversed = { ...one, creatives: [...one.creatives].reverse() };
    for (const row of [one, reversed, other, { source: "again", reach: 901 }, { source: "again" }]) {
      const { added, restated } = await report(id, [row]);
      done.push([added, restated]);
    }
    expect(done).toEqual([
      [1, 0],
      [0, 0],
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
    const ofSource = sql`source = 'again'`;
    const kept = await db().select().from(deliveryRevisions).where(ofSource).orderBy(deliveryRevisions.revision);
    expect(kept.map((fact) => [fact.reach, fact.creatives?.map((of) => of.impressions).sort()])).toEqual([
      [900, [300, 700]],
      [900, [301, 699]],
      [901, undefined],
    ]);
    const [now] = await db().select().from(deliveries).where(ofSource);
    expect([now?.revision, now?.reach, now?.creatives]).toEqual([4, null, null]);
    expect(await findBrokenInvariants(db())).toEqual({});
  });
});

test("is on the campaign's page by creative, with the unattributed rest, for each viewer's share", async () => {
  const id = await running();
  const parts = [part(banner, 500, 1.5), part(video, 300, 1)];
  await report(id, [
    { creatives: parts },
    { channel: "trade_desk", creatives: [part(video, 1_000, 4)] },
    { audience_id: world.audience("coffeeDrinkers"), channel: "trade_desk" },
  ]);
  const shown = async (ctx: World["northwind"] | World["harbor"]) =>
    (await getCampaignDelivery(ctx, id)).creatives.map((row) => [row.creative?.name, row.impressions, row.spendCents]);
  const own = [
    ["film.mp4", 1_300, 500],
    ["banner.png", 500, 150],
  ];
  expect(await shown(world.northwind)).toEqual([...own, [undefined, 1_200, 550]]);
  expect(await shown(world.harbor)).toEqual([...own, [undefined, 200, 150]]);
  expect(await shown(world.fern)).toEqual([]);
  const gone = await insertCreative(db(), world.accountId("northwind"));
  const over = await running({ creative_ids: [gone] });
  await report(over, [{ clicks: 1, conversions: 0, revenue: 8, creatives: [part(gone, 1_000, 4)] }]);
  await db().delete(creatives).where(eq(creatives.id, gone));
  const { creatives: left } = await getCampaignDelivery(world.northwind, over);
  expect(left).toMatchObject([{ id: gone, creative: null, impressions: 1_000 }]);
});

test("a platform's reach is a row's where one ad set is all of it, and unknown where there are several", async () => {
  const id = await running();
  const [item] = await db().select().from(lineItems).where(eq(lineItems.campaignId, id)).orderBy(lineItems.id);
  const audienceId = item?.publisherId === world.accountId("harbor") ? "hikers" : "coffeeDrinkers";
  const figures = { impressions: 900, clicks: 9, conversions: 0, spendMicros: 5, revenueMicros: 0, reach: 400 };
  const tag = { campaignName: campaignTag(item?.id ?? newId(), 1), groupName: audienceTag(world.audience(audienceId)) };
  const row = { ...tag, currency: "USD", ...figures };
  const at = { day: world.today(), channel: "meta", source: "meta" } as const;
  const mappedRows = async (rows: PlatformRow[]) =>
    (await mapPlatformRows(world.job, { ...at, rows })).map(
      (one) => typeof one === "object" && [one.impressions, one.reach],
    );
  expect(await mappedRows([row])).toEqual([[900, 400]]);
  expect(await mappedRows([row, { ...row, reach: 1 }])).toEqual([[1_800, null]]);
});

/** Splits a total by weights and may leave a remainder. */
function splitByWeights(total: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 1);
  return weights.map((weight) => Math.floor((total * weight) / all));
}

test(
  "roll-ups by creative are the sums of the facts, over random reports and what the budgets allow of them",
  async () => {
    const rows = fc.array(
      fc.record({
        source: fc.constantFrom("a", "b", "c"),
        channel: fc.constantFrom("dv360", "trade_desk"),
        impressions: fc.nat(5_000),
        micros: fc.nat(90_000_000),
        weights: fc.array(fc.nat(50), { maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(rows, rows, async (one, other) => {
        const id = await running({ budget: 300, daily_budget: 100 });
        for (const drawn of [one, other]) {
          await report(
            id,
            drawn.map(({ source, channel, impressions, micros, weights }) => {
              const [shown, spent] = [splitByWeights(impressions, weights), splitByWeights(micros, weights)];
              const list = [banner, video].slice(0, weights.length).map((creative, at) => ({
                ...part(creative, shown[at] ?? 0, 0),
                spend: (spent[at] ?? 0) / 1e6,
                clicks: 0,
                revenue: 0,
              }));
              const figures = { impressions, clicks: 0, conversions: 0, spend: micros / 1e6, revenue: 0 };
              return { source, channel, ...figures, creatives: list };
            }),
          );
        }
        const { creatives: byCreative, channels } = await getCampaignDelivery(world.northwind, id);
        if (byCreative.length === 0) return;
        for (const figure of ["impressions", "spendCents"] as const) {
          const total = channels.reduce((sum, row) => sum + row[figure], 0);
          expect(byCreative.reduce((sum, row) => sum + row[figure], 0)).toBe(total);
        }
      }),
      { numRuns: faultRuns({ small: 5, all: 60 }) },
    );
    expect(await findBrokenInvariants(db())).toEqual({});
  },
  faultTimeoutMs,
);

test("counted spend is divided among the creatives, to the micro, and no share exceeds what was reported", () => {
  const micros = fc.nat(2_000_000_000_000);
  fc.assert(
    fc.property(
      fc.array(micros, { minLength: 1, maxLength: 20 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (all, taken) => {
        const figures = { impressions: 0, clicks: 0, conversions: 0, revenueMicros: 0 };
        const parts = all.map(
          (spendMicros): CreativeFigures => ({ ...figures, creativeId: newId<CreativeId>(), spendMicros }),
        );
        const reportedMicros = all.reduce((sum, one) => sum + one, 0);
        const allocatedMicros = Math.floor(reportedMicros * taken);
        const kept = toStoredCreatives(parts, { allocatedMicros, reportedMicros }) ?? [];
        expect(kept.reduce((sum, one) => sum + one.spend_micros, 0)).toBe(allocatedMicros);
        for (const one of kept) {
          expect(one.spend_micros).toBeGreaterThanOrEqual(0);
          expect(one.spend_micros).toBeLessThanOrEqual(one.reported_micros);
        }
      },
    ),
  );
});
