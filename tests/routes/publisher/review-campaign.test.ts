import { describe, expect, it } from "vitest";
import { changeCampaign } from "#app/domain/campaigns/change-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/get-line-item.server.ts";
import { listDecisions } from "#app/domain/campaigns/list-decisions.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { newId } from "#app/domain/ids.ts";
import * as approval from "#app/screens/publisher/approval.tsx";
import * as review from "#app/screens/publisher/review-campaign.tsx";
import { payload } from "#tests/support/world.ts";
import { useWorld, visit } from "./portal.ts";

const world = useWorld();

function answer(id: string, form: Record<string, string>, who: "harbor" | "fern" = "harbor") {
  return visit(world(), who, review.action, `/publisher/approval/${id}?status=pending`, { form, params: { id } });
}

describe("the review dialog", () => {
  it("approves with notes and goes back to the list one came from", async () => {
    const id = await world().aLaunchedCampaign();
    const answered = await answer(id, { action: "approve", notes: "Glad to", version: "1" });
    expect(answered).toMatchObject({ status: 302, location: "/publisher/approval?status=pending" });
    expect(answered.headers.getSetCookie().join()).toContain("portal_flash=");
    expect(await world().partOf(world().harbor, id)).toBe("approved active");
    expect(await listDecisions(world().harbor, id)).toMatchObject([
      { action: "approve", notes: "Glad to", version: 1, decidedBy: "Daniel Okafor" },
    ]);
  });

  it("rejects with the reasons that were ticked", async () => {
    const id = await world().aLaunchedCampaign();
    await answer(id, { action: "reject", reasons: "creative_quality", version: "1" });
    expect(await listDecisions(world().harbor, id)).toMatchObject([
      { action: "reject", notes: null, reasons: ["creative_quality"] },
    ]);
  });

  it("keeps the notes when the advertiser changed the campaign meanwhile, and decides nothing", async () => {
    const id = await world().aLaunchedCampaign();
    await changeCampaign(world().northwind, { id, changes: payload({ budget: 9_000 }), send: true });
    const answered = await answer(id, { action: "approve", notes: "Glad to", version: "1" });
    expect(answered.status).toBe(409);
    expect(answered.body).toMatchObject({
      initialValue: { notes: "Glad to", version: "1" },
      error: { "": [expect.stringContaining("changed this campaign")] },
    });
    expect(await world().partOf(world().harbor, id)).toBe("pending pending");
  });

  it("keeps the notes when the campaign was decided meanwhile", async () => {
    const id = await world().aRunningCampaign();
    const answered = await answer(id, { action: "reject", notes: "On second thought", version: "1" });
    expect(answered).toMatchObject({
      status: 409,
      body: { initialValue: { notes: "On second thought" }, error: { "": ["This campaign has been decided already"] } },
    });
  });

  it("says that the plan is full, and keeps the notes", async () => {
    await world().subscribe("fern", "starter");
    for (let taken = 0; taken < 5; taken += 1) {
      await world().aRunningCampaign({ audiences: ["coffeeDrinkers"], approvedBy: ["fern"] });
    }
    const id = await world().aLaunchedCampaign({ audiences: ["coffeeDrinkers"] });
    const answered = await answer(id, { action: "approve", notes: "Please", version: "1" }, "fern");
    expect(answered).toMatchObject({ status: 409, body: { initialValue: { notes: "Please" } } });
    await world().subscribe("fern", "enterprise");
  });

  it("shows what a change would change", async () => {
    const id = await world().aRunningCampaign();
    await changeCampaign(world().northwind, { id, changes: payload({ budget: 9_000 }), send: true });
    const shown = await visit(world(), "harbor", review.loader, `/publisher/approval/${id}`, { params: { id } });
    expect(shown.body).toMatchObject({
      campaign: { totalBudgetCents: 900_000, approvedContent: { totalBudgetCents: 500_000 }, version: 2 },
    });
  });

  it("has the 404 page for an id that is none, unknown, or of a campaign without a part of one's own", async () => {
    const foreign = await world().aLaunchedCampaign({ audiences: ["coffeeDrinkers"] });
    for (const id of ["nonsense", newId<never>(), foreign]) {
      for (const handler of [review.loader, review.action]) {
        const form = handler === review.action ? { action: "approve", version: "1" } : undefined;
        const answered = await visit(world(), "harbor", handler, `/publisher/approval/${id}`, { form, params: { id } });
        expect(answered.status).toBe(404);
      }
    }
    expect(await getLineItem(world().fern, foreign)).toMatchObject({ approvalStatus: "pending" });
  });
});

describe("the list of campaigns to approve", () => {
  it("shows what is pending unless asked otherwise, and survives any query", async () => {
    const pending = await world().aLaunchedCampaign();
    const rejected = await world().aLaunchedCampaign();
    await reviewCampaign(world().harbor, { id: rejected, action: "reject" });
    const idsOf = async (query: string) => {
      const { body } = await visit(world(), "harbor", approval.loader, `/publisher/approval${query}`);
      return JSON.stringify(body);
    };
    for (const query of ["", "?status=pending", "?status=nonsense&cursor=%00nonsense"]) {
      expect(await idsOf(query)).toContain(pending);
      expect(await idsOf(query)).not.toContain(rejected);
    }
    expect(await idsOf("?status=rejected")).toContain(rejected);
    expect(await idsOf("?status=rejected")).not.toContain(pending);
  });
});
