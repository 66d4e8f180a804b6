import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { archiveCampaign } from "#app/domain/campaigns/archive/archive-campaign.server.ts";
import { campaignIdSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import * as ownCampaigns from "#app/screens/advertiser/campaigns/list/route.tsx";
import * as audiences from "#app/screens/publisher/audiences/list/route.tsx";
import * as approval from "#app/screens/publisher/campaigns/approval/route.tsx";
import * as campaigns from "#app/screens/publisher/campaigns/list/route.tsx";
import * as creatives from "#app/screens/shared/creatives/list/route.tsx";
import * as notifications from "#app/screens/shared/notifications/route.tsx";
import { insertCreative } from "#tests/support/creatives.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
beforeAll(async () => {
  await world().aLaunchedCampaign();
  await insertCreative(world().harbor.db, world().accountId("harbor"));
});

const pageSchema = z.object({ rows: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() });
/** Most lists have their page apart from the rest. */
const bodySchema = z.union([z.object({ page: pageSchema }), pageSchema]);

async function shown(who: "northwind" | "harbor", handler: Parameters<typeof visit>[2], path: string) {
  const { status, body } = await visit(world(), who, handler, path);
  expect(status, path).toBe(200);
  const found = bodySchema.parse(body);
  return "page" in found ? found.page : found;
}

/** A position behind all rows of a list by id, as if those of its page were gone. */
const behindAll = Buffer.from(JSON.stringify(["after", null, "00000000-0000-4000-8000-000000000000"])).toString(
  "base64url",
);

describe("a publisher's list at a page whose rows are gone, or of another order, is its first page", () => {
  it.each([
    ["campaigns", campaigns.loader, "/publisher/campaigns?filter=all&cursor="],
    ["campaigns by spend", campaigns.loader, "/publisher/campaigns?sort=spent&cursor="],
    ["campaigns to approve", approval.loader, "/publisher/approval?cursor="],
    ["audiences", audiences.loader, "/publisher/audiences?cursor="],
    ["audiences by size", audiences.loader, "/publisher/audiences?sort=size&cursor="],
    ["creatives", creatives.loader, "/publisher/creatives?cursor="],
    ["notifications", notifications.loader, "/publisher/notifications?show=unread&cursor="],
  ] as const)("%s", async (_, loader, path) => {
    const first = await shown("harbor", loader, path);
    expect(first.rows.length).toBeGreaterThan(0);
    expect(await shown("harbor", loader, `${path}${behindAll}`)).toEqual(first);
  });
});

it("an advertiser who archives all of the last page sees the first", async () => {
  for (let number = 1; number <= 26; number += 1) await world().aDraft({ name: `Draft ${number}` });
  const path = "/advertiser/campaigns?status=draft&cursor=";
  const first = await shown("northwind", ownCampaigns.loader, path);
  const last = await shown("northwind", ownCampaigns.loader, `${path}${first.nextCursor}`);
  expect(last.rows).toHaveLength(1);
  const { id } = last.rows[0] ?? { id: "" };
  await archiveCampaign(world().northwind, { id: campaignIdSchema.parse(id) });
  const { rows } = await shown("northwind", ownCampaigns.loader, `${path}${first.nextCursor}`);
  expect(rows).toEqual(first.rows);
});
