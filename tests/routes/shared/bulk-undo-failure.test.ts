import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import * as undo from "#app/screens/shared/undo/route.ts";
import { campaigns } from "#db/schema/index.ts";
import { messageOf, useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();

it("the Undo of a bulk action goes on after a row that cannot be written now", async () => {
  const [first, last] = [await world().aRunningCampaign(), await world().aRunningCampaign()];
  for (const id of [first, last]) await pauseCampaign(world().northwind, { id });
  const form: [string, string][] = [
    ["action", "resume_campaign"],
    ["id", first],
    ["id", last],
  ];
  const response = await world().db.transaction(async (tx) => {
    await tx.select().from(campaigns).where(eq(campaigns.id, first)).for("update");
    return visit(world(), "northwind", undo.action, "/advertiser/undo", { form });
  });
  expect(await messageOf(response)).toMatchObject({
    message: "1 of 2 campaigns resumed. 1: Something went wrong. Try again",
    undo: { action: "pause_campaign", id: last },
  });
  expect([await world().statusOf(first), await world().statusOf(last)]).toEqual(["paused", "active"]);
});
