import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { createManagedCampaign } from "#app/domain/campaigns/create-managed-campaign.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/get-line-item.server.ts";
import { listLineItems } from "#app/domain/campaigns/list-line-items.server.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { accounts, campaigns } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db());
});

function manage(words: Record<string, unknown> = {}) {
  const advertiser_id = world.accountId("northwind");
  return createManagedCampaign(
    world.harbor,
    managedCampaignSchema.parse({ ...world.complete(), advertiser_id, ...words }),
  );
}

test("a managed campaign is the advertiser's, approved at once, at the agreed rate, with its CPM frozen", async () => {
  const { id } = await manage({ commission_rate: 62.5 });
  expect(await getCampaign(world.northwind, id)).toMatchObject({
    status: "active",
    managedByRetailer: true,
    version: 1,
  });
  const part = await getLineItem(world.harbor, id);
  expect(part).toMatchObject({ managedByRetailer: true, commissionRate: 62.5, approvalStatus: "approved" });
  expect(part.audiences[0]?.cpmCents).toBe(750);
  const { rows } = await listLineItems(world.harbor, { filter: "managed" });
  expect(rows.map((row) => row.id)).toEqual([id]);
});

test("the advertiser can pause it", async () => {
  const { id } = await manage();
  await pauseCampaign(world.northwind, { id });
  expect(await world.partOf(world.harbor, id)).toBe("approved paused");
});

test("the rate is 70 percent unless agreed, and never above 80", async () => {
  const { id } = await manage();
  expect((await getLineItem(world.harbor, id)).commissionRate).toBe(70);
  expect(managedCampaignSchema.safeParse({ advertiser_id: id, commission_rate: 80 }).success).toBe(true);
  for (const commission_rate of [80.01, 81, -1, "NaN", Number.POSITIVE_INFINITY]) {
    expect(managedCampaignSchema.safeParse({ advertiser_id: id, commission_rate }).success, `${commission_rate}`).toBe(
      false,
    );
  }
});

test("other publishers' audiences are refused in the words for absent ones", async () => {
  const before = await db().$count(campaigns);
  const foreign = await refusalOf(
    manage({ selected_audiences: [world.audience("hikers"), world.audience("grilling")] }),
  );
  const absent = await refusalOf(manage({ selected_audiences: ["01900000-0000-7000-8000-d99999999999"] }));
  expect([foreign.code, foreign.fields]).toEqual([absent.code, absent.fields]);
  expect(await db().$count(campaigns)).toBe(before);
});

test("only an approved advertiser that allows it can be chosen", async () => {
  const chosen = async (id: string) => (await refusalOf(manage({ advertiser_id: id }))).fields;
  const refused = { advertiser_id: ["Choose an advertiser from the list"] };
  expect(await chosen(world.accountId("larkspur"))).toEqual(refused);
  expect(await chosen(world.accountId("fern"))).toEqual(refused);
  expect(await chosen("01900000-0000-7000-8000-a99999999999")).toEqual(refused);
  await db()
    .update(accounts)
    .set({ allowsManagedCampaigns: false })
    .where(eq(accounts.id, world.accountId("brightside")));
  expect(await chosen(world.accountId("brightside"))).toEqual(refused);
});

test("it needs all that a launch needs, and leaves nothing behind when it does not", async () => {
  const before = await db().$count(campaigns);
  const refusal = await refusalOf(manage({ budget: null, channels: [] }));
  expect(Object.keys(refusal.fields ?? {}).sort()).toEqual(["budget", "channels"]);
  expect(await db().$count(campaigns)).toBe(before);
});
