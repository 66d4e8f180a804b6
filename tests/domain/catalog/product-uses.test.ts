import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { deleteProduct, deleteProducts } from "#app/domain/catalog/delete-products.server.ts";
import { getSelectionSummary } from "#app/domain/catalog/get-selection-summary.server.ts";
import { listProductBlockingCampaigns } from "#app/domain/catalog/product-use.server.ts";
import { listCreativeBlockingCampaigns } from "#app/domain/creatives/creative-use.server.ts";
import { deleteCreative } from "#app/domain/creatives/delete-creative.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { CampaignId, CreativeId, ProductId } from "#app/domain/ids.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { campaigns, products } from "#db/schema/index.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { succeeds, succeedsBesideOthers } from "#tests/support/outcome.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let content: { creative_ids: string[] };
beforeAll(async () => {
  world = await createWorld(db());
  content = { creative_ids: [await insertCreative(db(), world.accountId("northwind"))] };
});

const mislisted = () => findBrokenInvariants(db(), { only: (rule) => rule.includes("list of what shows it") });

/** Inserts copies of a product of the demo. */
async function newProducts(count: number): Promise<ProductId[]> {
  const rows = await queryRows(
    db(),
    z.object({ id: columnValue(products.id) }),
    sql`insert into products select (jsonb_populate_record(one, jsonb_build_object('id', uuidv7(), 'sku', 'U-' || gen_random_uuid()))).*
      from products one cross join generate_series(1, ${count}) n where one.id = ${world.product("NW-PK-040")} returning id`,
  );
  return rows.map(({ id }) => id);
}

const newCreatives = (count: number) =>
  Promise.all(Array.from({ length: count }, () => insertCreative(db(), world.accountId("northwind"))));

/** The campaigns that show a product or a creative by asking the versions of all that are not over. */
async function askedOf(id: ProductId | CreativeId): Promise<CampaignId[]> {
  const rows = await queryRows(
    db(),
    z.object({ id: columnValue(campaigns.id) }),
    sql`select distinct campaign.id from campaigns campaign join line_items item on item.campaign_id = campaign.id
      join campaign_versions v on v.campaign_id = campaign.id
        and (v.number = item.approved_version or (v.number = item.sent_version and item.approval_status = 'pending'))
      where campaign.advertiser_id = ${world.accountId("northwind")} and campaign.status in ('pending', 'active', 'paused')
        and item.status <> 'withdrawn' and ${id}::uuid = any(v.product_ids || v.creative_ids) order by 1 desc`,
  );
  return rows.map(({ id }) => id);
}

const audiences = { harbor: ["hikers"], fern: ["coffeeDrinkers"], both: ["hikers", "coffeeDrinkers"] } as const;
const campaign = fc.nat(1);
const nth = fc.nat(2);
const events = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constant("send" as const),
        campaign,
        chosen: fc.subarray([0, 1, 2]),
        to: fc.constantFrom("harbor" as const, "fern" as const, "both" as const),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constantFrom("approve" as const, "reject" as const),
        campaign,
        publisher: fc.constantFrom("harbor" as const, "fern" as const),
      }),
    },
    fc.record({ does: fc.constantFrom("pause" as const, "resume" as const), campaign }),
    fc.record({
      does: fc.constantFrom("delete" as const, "delete_selected" as const, "delete_creative" as const),
      nth,
    }),
    fc.record({ does: fc.constant("pass_days" as const), days: fc.constantFrom(1, 12) }),
  ),
  { minLength: 4, maxLength: 14 },
);
type Event = typeof events extends fc.Arbitrary<(infer One)[]> ? One : never;

type Known = { ids: readonly CampaignId[]; choices: readonly ProductId[]; files: readonly CreativeId[] };

async function apply(event: Event, { ids, choices, files }: Known): Promise<void> {
  if (event.does === "pass_days") {
    world.advanceDays(event.days);
    await completeEndedCampaigns(world.job);
  } else if (event.does === "delete_creative") {
    const id = files[event.nth];
    if (id) await deleteCreative(world.northwind, { id });
  } else if ("nth" in event) {
    const id = choices[event.nth];
    if (!id) return;
    if (event.does === "delete") {
      await deleteProduct(world.northwind, { id });
      return;
    }
    const { deleted } = await deleteProducts(world.northwind, { ids: [id] });
    if (deleted === 0) throw new DomainError("invalid_transition", "kept");
  } else {
    const id = ids[event.campaign];
    if (!id) return;
    if ("publisher" in event) await reviewCampaign(world[event.publisher], { id, action: event.does });
    else if (event.does === "send") {
      const changes = {
        selected_audiences: audiences[event.to].map((key) => world.audience(key)),
        selected_products: event.chosen.flatMap((index) => choices[index] ?? []),
        creative_ids: [...content.creative_ids, ...event.chosen.flatMap((index) => files[index] ?? [])],
      };
      await updateCampaign(world.northwind, { id, changes: campaignChanges(changes), send: true });
    } else await (event.does === "pause" ? pauseCampaign : resumeCampaign)(world.northwind, { id });
  }
}

/**
 * A version that waits beside the one that runs, a publisher that is withdrawn and asked again, and a campaign that is
 * over.
 */
const everything: Event[] = [
  { does: "approve", campaign: 0, publisher: "harbor" },
  { does: "send", campaign: 0, chosen: [1], to: "harbor" },
  { does: "delete", nth: 0 },
  { does: "delete_creative", nth: 1 },
  { does: "send", campaign: 0, chosen: [2], to: "both" },
  { does: "pause", campaign: 0 },
  { does: "delete_selected", nth: 1 },
  { does: "reject", campaign: 0, publisher: "harbor" },
  { does: "resume", campaign: 0 },
  { does: "send", campaign: 0, chosen: [], to: "fern" },
  { does: "send", campaign: 0, chosen: [2], to: "harbor" },
  { does: "reject", campaign: 1, publisher: "harbor" },
  { does: "approve", campaign: 0, publisher: "harbor" },
  { does: "delete_selected", nth: 1 },
  { does: "delete_creative", nth: 1 },
  { does: "pass_days", days: 12 },
  { does: "delete", nth: 2 },
  { does: "delete_creative", nth: 2 },
];

const runs = faultRuns({ small: 5, all: 300 });

test(
  `after each event of ${runs} random histories products and creatives are used, and kept, as the versions of campaigns say`,
  async () => {
    const outcomes = new Map<string, number>();
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(events, async (history) => {
        const [choices, files] = [await newProducts(3), await newCreatives(3)];
        const shown = { selected_products: choices.slice(0, 2), creative_ids: files.slice(0, 2) };
        const launch = () => world.aLaunchedCampaign({ changes: shown });
        const known = { ids: [await launch(), await launch()], choices, files };
        for (const event of history) {
          const all = event.does === "delete_creative" ? files : choices;
          const deleted = "nth" in event ? all[event.nth] : undefined;
          const isUsed = deleted !== undefined && (await askedOf(deleted)).length > 0;
          const succeeded = await succeeds(apply(event, known));
          if (isUsed) expect(succeeded, `${event.does} of what is shown`).toBe(false);
          outcomes.set(`${event.does} ${succeeded}`, (outcomes.get(`${event.does} ${succeeded}`) ?? 0) + 1);
          expect(await mislisted(), JSON.stringify(event)).toEqual({});
          const asked = await Promise.all(choices.map(askedOf));
          const listed = await Promise.all(choices.map((id) => listProductBlockingCampaigns(world.northwind, id)));
          expect(listed.map((list) => list.map(({ id }) => id))).toEqual(asked);
          for (const id of files) {
            const blocking = await listCreativeBlockingCampaigns(world.northwind, id);
            expect(blocking.map((one) => one.id)).toEqual(await askedOf(id));
          }
          const used = asked.filter((list) => list.length > 0).length;
          expect((await getSelectionSummary(world.northwind, { ids: choices })).used).toBe(used);
          seen.add(used);
        }
      }),
      { numRuns: runs, examples: [[everything]] },
    );
    for (const { does } of everything) expect(outcomes.get(`${does} true`), does).toBeGreaterThan(0);
    expect(seen.size).toBeGreaterThan(2);
  },
  faultTimeoutMs,
);

test("the migrations list what older campaigns show while others are launched, reviewed, sent again and over", async () => {
  const [choices, files] = [await newProducts(3), await newCreatives(3)];
  const changes = { creative_ids: files, selected_products: choices };
  const older = await Promise.all([0, 1].map(() => world.aRunningCampaign({ changes })));
  const drafts = await Promise.all([0, 1, 2].map(() => world.aDraft(changes, { audiences: audiences.both })));
  const work = async (id: CampaignId, at: number) => {
    expect(await succeedsBesideOthers(() => launchCampaign(world.northwind, { id }))).toBe(true);
    const known = { ids: [id], choices, files };
    await succeedsBesideOthers(() =>
      apply({ does: "approve", campaign: 0, publisher: at % 2 === 0 ? "harbor" : "fern" }, known),
    );
    for (const chosen of [[0], [1, 2], [at % 3]])
      await succeedsBesideOthers(() =>
        apply({ does: "send", campaign: 0, chosen, to: at % 2 === 0 ? "both" : "harbor" }, known),
      );
    await succeedsBesideOthers(() => apply({ does: "reject", campaign: 0, publisher: "harbor" }, known));
  };
  const fill = async () => {
    await db.owner().execute(sql`call fill_product_uses()`);
    await db.owner().execute(sql`call fill_creative_uses()`);
  };
  await db.owner().execute(sql`truncate product_uses, creative_uses`);
  expect(Object.keys(await mislisted())).toHaveLength(2);
  const filling = async () => {
    for (let time = 0; time < 10; time += 1) await fill();
  };
  await Promise.all([...drafts.map(work), filling()]);
  expect(await mislisted()).toEqual({});
  const read = async () => [
    ...(await db().execute(
      sql`select product_id as id, campaign_id from product_uses union all select creative_id, campaign_id from creative_uses order by 1, 2`,
    )),
  ];
  const readOlder = async () => (await read()).filter((row) => older.some((id) => id === row.campaign_id));
  const complete = await read();
  expect(await readOlder()).toHaveLength(older.length * (choices.length + files.length));
  expect(complete.length).toBeGreaterThan(older.length * (choices.length + files.length));
  await fill();
  expect(await read()).toEqual(complete);

  world.advanceDays(20);
  await Promise.all([completeEndedCampaigns(world.job), fill(), fill()]);
  // The job passes over campaigns that the migration has locked.
  await completeEndedCampaigns(world.job);
  expect([await mislisted(), await readOlder()]).toEqual([{}, []]);
});
