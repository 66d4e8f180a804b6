import { describe, expect, it, vi } from "vitest";
import { archiveAudience } from "#app/domain/audiences/archive-audience.server.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { archiveCampaign } from "#app/domain/campaigns/archive/archive-campaign.server.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { pauseLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { newId } from "#app/domain/ids.ts";
import * as undo from "#app/screens/shared/undo/route.ts";
import type { DemoTenant } from "#db/seed/demo-accounts.ts";
import { messageOf, useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();

async function press(who: DemoTenant, form: Record<string, string> | [string, string][]) {
  const portal = who === "northwind" || who === "brightside" ? "advertiser" : "publisher";
  const response = await visit(world(), who, undo.action, `/${portal}/undo`, { form });
  return { status: response.status, location: response.location, flash: await messageOf(response) };
}

describe("the Undo of a message", () => {
  it("ends an advertiser's pause, returns to the page it was on, and can be undone itself", async () => {
    const id = await world().aRunningCampaign({ changes: { name: "Boots" } });
    await pauseCampaign(world().northwind, { id });
    const back = "/advertiser/campaigns?status=active";
    expect(await press("northwind", { action: "resume_campaign", id, back })).toEqual({
      status: 302,
      location: back,
      flash: { tone: "success", message: "“Boots” resumed", undo: { action: "pause_campaign", id } },
    });
    expect(await world().statusOf(id)).toBe("active");
    await press("northwind", { action: "pause_campaign", id, back });
    expect(await world().statusOf(id)).toBe("paused");
  });

  it("ends a publisher's own pause", async () => {
    const id = await world().aRunningCampaign();
    await pauseLineItem(world().harbor, { id });
    expect((await press("harbor", { action: "resume_line_item", id })).flash).toEqual({
      tone: "success",
      message: "Campaign resumed",
      undo: { action: "pause_line_item", id },
    });
    expect(await world().lineItemStatus(world().harbor, id)).toBe("approved active");
  });

  it("restores an archived campaign on either side, and archives it again", async () => {
    const id = await world().aRunningCampaign({ changes: { name: "Shelf" } });
    await pauseCampaign(world().northwind, { id });
    await archiveCampaign(world().northwind, { id });
    expect((await press("northwind", { action: "resume_campaign", id })).flash).toMatchObject({
      message: "Nothing to undo: “Shelf” has changed since. It is now archived.",
    });
    expect((await press("northwind", { action: "restore_campaign", id })).flash).toEqual({
      tone: "success",
      message: "“Shelf” restored",
      undo: { action: "archive_campaign", id },
    });
    expect((await press("northwind", { action: "restore_campaign", id })).flash?.tone).toBe("info");
    expect((await press("harbor", { action: "archive_line_item", id })).flash).toMatchObject({
      message: "Campaign archived",
      undo: { action: "restore_line_item", id },
    });
    expect((await press("harbor", { action: "restore_campaign", id })).status).toBe(404);
    expect((await press("harbor", { action: "restore_line_item", id })).flash?.message).toBe("Campaign restored");
    expect(await world().statusOf(id)).toBe("paused");
  });

  it("undoes a bulk action row by row, counts what has changed since, and can be undone itself", async () => {
    const [one, other, third] = [
      await world().aRunningCampaign(),
      await world().aRunningCampaign(),
      await world().aRunningCampaign(),
    ];
    for (const id of [one, other, third]) await pauseCampaign(world().northwind, { id });
    await resumeCampaign(world().northwind, { id: third });
    const fields = (action: string, ...ids: string[]) => [
      ["action", action] satisfies [string, string],
      ...ids.map((id): [string, string] => ["id", id]),
    ];
    const foreign = await world().aRunningCampaign({ by: world().brightside });
    expect((await press("northwind", fields("resume_campaign", one, other, third, foreign))).flash).toEqual({
      tone: "info",
      message: "2 of 4 campaigns resumed. 1: This campaign has changed since. 1: Campaign not found",
      undo: { action: "pause_campaign", ids: [one, other] },
    });
    expect((await press("northwind", fields("pause_campaign", one, other))).flash).toMatchObject({
      message: "2 campaigns paused",
    });
    expect([await world().statusOf(one), await world().statusOf(third)]).toEqual(["paused", "active"]);
    expect((await press("harbor", fields("archive_line_item", one, other))).flash).toMatchObject({
      message: "2 campaigns archived",
      undo: { action: "restore_line_item", ids: [one, other] },
    });
    const many = Array.from({ length: 26 }, () => newId<never>());
    expect((await press("northwind", fields("pause_campaign", ...many))).status).toBe(400);
    expect((await press("fern", fields("restore_audience", one, other))).status).toBe(400);
  });

  it("restores an archived audience", async () => {
    const id = world().audience("coffeeDrinkers");
    const { status } = await getAudience(world().fern, id);
    await archiveAudience(world().fern, { id });
    expect(await press("fern", { action: "restore_audience", id })).toMatchObject({
      location: "/publisher/dashboard",
      flash: { tone: "success", message: expect.stringMatching(/^“.+” restored$/) },
    });
    expect((await getAudience(world().fern, id)).status).toBe(status);
    expect((await press("fern", { action: "restore_audience", id })).flash?.tone).toBe("info");
  });

  it("changes nothing that has changed since, and says so", async () => {
    const id = await world().aRunningCampaign({ changes: { name: "Tents" } });
    await pauseCampaign(world().northwind, { id });
    await resumeCampaign(world().northwind, { id });
    expect((await press("northwind", { action: "resume_campaign", id })).flash).toEqual({
      tone: "info",
      message: "Nothing to undo: “Tents” has changed since. It is now active.",
    });
    expect((await press("harbor", { action: "resume_line_item", id })).flash?.tone).toBe("info");
  });

  it("has the 404 page for another account's object, and for another portal's action", async () => {
    const id = await world().aRunningCampaign();
    const audience = world().audience("hikers");
    for (const [who, action, on] of [
      ["brightside", "pause_campaign", id],
      ["northwind", "pause_line_item", id],
      ["northwind", "restore_audience", audience],
      ["fern", "pause_line_item", id],
      ["fern", "restore_audience", audience],
      ["harbor", "pause_campaign", id],
      ["harbor", "pause_line_item", newId<never>()],
    ] as const) {
      expect((await press(who, { action, id: on })).status, `${who} ${action}`).toBe(404);
    }
    expect((await press("harbor", { action: "delete_campaign", id })).status).toBe(400);
    expect((await press("harbor", { action: "pause_line_item", id: "nonsense" })).status).toBe(400);
    expect(await world().statusOf(id)).toBe("active");
  });

  it.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])(
    "never leaves the site: %s",
    async (back) => {
      const id = await world().aRunningCampaign();
      expect((await press("northwind", { action: "pause_campaign", id, back })).location).toBe("/advertiser/dashboard");
    },
  );

  it("shows why the verb rejects it", async () => {
    const id = await world().aRunningCampaign();
    await pauseLineItem(world().harbor, { id });
    world().advanceDays(200);
    vi.setSystemTime(world().clock());
    await completeEndedCampaigns(world().job);
    expect((await press("harbor", { action: "resume_line_item", id })).flash).toEqual({
      tone: "error",
      message: "This campaign is completed and can't be resumed",
    });
  });
});
