import { describe, expect, test } from "vitest";
import { getCampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { createWorld } from "#tests/support/world.ts";

describe("in a database whose facts were distributed before the newest migrations", () => {
  const db = useDatabase({ onCitus: "migrated later" });

  test("facts are ingested, restated and summed", async () => {
    const world = await createWorld(db());
    const id = await world.aRunningCampaign({
      audiences: ["hikers", "campers"],
      changes: { start_date: world.today() },
    });
    for (const impressions of [1_000, 3_000, 2_000]) {
      await world.deliver(id, { impressions });
      await world.deliver(id, { impressions: 2 * impressions, audienceId: world.audience("campers") });
    }
    const { channels } = await getCampaignDelivery(world.northwind, id);
    expect(channels.map((channel) => channel.impressions)).toEqual([6_000]);
    expect(await findBrokenInvariants(db.owner())).toEqual({});
  });
});
