import { describe, expect, it } from "vitest";
import { archiveLineItem } from "#app/domain/campaigns/archive/archive-line-item.server.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { listLineItems } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { pauseLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { listDecisions } from "#app/domain/campaigns/list-decisions.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { newId } from "#app/domain/ids.ts";
import * as approval from "#app/screens/publisher/campaigns/approval/route.tsx";
import * as review from "#app/screens/publisher/campaigns/review/route.tsx";
import { insertCreative } from "#tests/support/creatives.ts";
import { campaignChanges } from "#tests/support/world.ts";
import { messageOf, useWorld, visit } from "./portal.ts";

const world = useWorld();

function decide(id: string, form: Record<string, string>, who: "harbor" | "fern" = "harbor") {
  return visit(world(), who, review.action, `/publisher/approval/${id}?status=pending`, { form, params: { id } });
}

describe("the review dialog", () => {
  it("approves with notes and returns to the list it was opened from", async () => {
    const id = await world().aLaunchedCampaign();
    const response = await decide(id, { action: "approve", notes: "Glad to", version: "1" });
    expect(response).toMatchObject({ status: 302, location: "/publisher/approval?status=pending" });
    expect(response.headers.getSetCookie().join()).toContain("portal_flash=");
    expect(await world().lineItemStatus(world().harbor, id)).toBe("approved active");
    expect(await listDecisions(world().harbor, id)).toMatchObject([
      { action: "approve", notes: "Glad to", version: 1, decidedBy: "Daniel Okafor" },
    ]);
  });

  it("says that the campaign has ended when the decision leaves a budget that is already spent", async () => {
    const budgets = (budget: number) => ({ budget, daily_budget: budget });
    for (const [action, sent, verb] of [
      ["approve", 400, "approved"],
      ["reject", 900, "rejected"],
    ] as const) {
      const changes = { start_date: world().today(), ...budgets(action === "approve" ? 500 : 400) };
      const id = await world().aRunningCampaign({ changes });
      const other = await world().aRunningCampaign({ changes });
      for (const one of [id, other]) {
        await updateCampaign(world().northwind, { id: one, changes: campaignChanges(budgets(sent)), send: true });
      }
      await world().deliver(id, { spendMicros: 400_000_000 });
      const form = { action, notes: "So be it", version: "2" };
      expect((await messageOf(await decide(id, form)))?.message).toBe(
        `You ${verb} “Ridgeline Packs”. The budget is spent, so the campaign has ended.`,
      );
      expect(await world().statusOf(id)).toBe("completed");
      expect((await messageOf(await decide(other, form)))?.message).toBe(`You ${verb} “Ridgeline Packs”`);
    }
  });

  it("rejects with the selected reasons", async () => {
    const id = await world().aLaunchedCampaign();
    await decide(id, { action: "reject", reasons: "creative_quality", version: "1" });
    expect(await listDecisions(world().harbor, id)).toMatchObject([
      { action: "reject", notes: null, reasons: ["creative_quality"] },
    ]);
  });

  it("shows an ended campaign's approval, and not the rejection of a later change", async () => {
    const budgets = (budget: number) => ({ budget, daily_budget: budget });
    const id = await world().aRunningCampaign({ changes: { start_date: world().today(), ...budgets(400) } });
    await updateCampaign(world().northwind, { id, changes: campaignChanges(budgets(900)), send: true });
    await world().deliver(id, { spendMicros: 400_000_000 });
    await decide(id, { action: "reject", notes: "Too much", version: "2" });
    expect(await world().statusOf(id)).toBe("completed");
    const { body } = await visit(world(), "harbor", review.loader, `/publisher/approval/${id}`, { params: { id } });
    expect(body).toMatchObject({
      campaign: { approvalStatus: "approved", version: 1, notes: null },
      decision: { action: "approve", version: 1 },
    });
  });

  it("requires a reason or a note before it rejects, and decides nothing without", async () => {
    const id = await world().aLaunchedCampaign();
    for (const notes of ["", "  \n "]) {
      const response = await decide(id, { action: "reject", notes, version: "1" });
      expect(response).toMatchObject({
        status: 422,
        body: {
          initialValue: { version: "1" },
          error: { notes: ["Choose a reason or write a note, so the advertiser knows what to change"] },
        },
      });
    }
    expect(await world().lineItemStatus(world().harbor, id)).toBe("pending pending");
    expect(await decide(id, { action: "reject", notes: "Too loud", version: "1" })).toMatchObject({ status: 302 });
  });

  it("rejects without a reason when the publisher says so", async () => {
    const id = await world().aLaunchedCampaign();
    const response = await decide(id, { action: "reject", notes: "", without_reason: "on", version: "1" });
    expect(response).toMatchObject({ status: 302, location: "/publisher/approval?status=pending" });
    expect(await listDecisions(world().harbor, id)).toMatchObject([{ action: "reject", notes: null, reasons: [] }]);
  });

  it("keeps the notes when the advertiser changed the campaign meanwhile, and decides nothing", async () => {
    const id = await world().aLaunchedCampaign();
    await updateCampaign(world().northwind, { id, changes: campaignChanges({ budget: 9_000 }), send: true });
    const response = await decide(id, { action: "approve", notes: "Glad to", version: "1" });
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      initialValue: { notes: "Glad to", version: "1" },
      error: { "": [expect.stringContaining("changed this campaign")] },
    });
    expect(await world().lineItemStatus(world().harbor, id)).toBe("pending pending");
  });

  it("keeps the notes when the campaign was decided meanwhile", async () => {
    const id = await world().aRunningCampaign();
    const response = await decide(id, { action: "reject", notes: "On second thought", version: "1" });
    expect(response).toMatchObject({
      status: 409,
      body: {
        initialValue: { notes: "On second thought" },
        error: { "": ["This campaign was already approved or rejected"] },
      },
    });
  });

  it("says that the plan's limit is reached, and keeps the notes", async () => {
    await world().subscribe("fern", "starter");
    for (let taken = 0; taken < 5; taken += 1) {
      await world().aRunningCampaign({ audiences: ["coffeeDrinkers"], approvedBy: ["fern"] });
    }
    const id = await world().aLaunchedCampaign({ audiences: ["coffeeDrinkers"] });
    const response = await decide(id, { action: "approve", notes: "Please", version: "1" }, "fern");
    expect(response).toMatchObject({
      status: 409,
      body: {
        initialValue: { notes: "Please" },
        error: { "": [expect.stringContaining("Starter plan's limit of 5 campaigns")] },
        exceedsPlan: true,
      },
    });
    await world().subscribe("fern", "enterprise");
  });

  it("shows what the change would change", async () => {
    const id = await world().aRunningCampaign();
    await updateCampaign(world().northwind, { id, changes: campaignChanges({ budget: 9_000 }), send: true });
    const shown = await visit(world(), "harbor", review.loader, `/publisher/approval/${id}`, { params: { id } });
    expect(shown.body).toMatchObject({
      campaign: { totalBudgetCents: 900_000, approvedContent: { totalBudgetCents: 500_000 }, version: 2 },
    });
  });

  it("has the 404 page for an invalid or unknown id, or a campaign without a line item of one's own", async () => {
    const foreign = await world().aLaunchedCampaign({ audiences: ["coffeeDrinkers"] });
    for (const id of ["nonsense", newId<never>(), foreign]) {
      for (const handler of [review.loader, review.action]) {
        const form = handler === review.action ? { action: "approve", version: "1" } : undefined;
        const response = await visit(world(), "harbor", handler, `/publisher/approval/${id}`, { form, params: { id } });
        expect(response.status).toBe(404);
      }
    }
    expect(await getLineItem(world().fern, foreign)).toMatchObject({ approvalStatus: "pending" });
  });
});

describe("the list of campaigns to approve", () => {
  it("shows pending campaigns by default, and survives any query", async () => {
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

it("does not tell a publisher whose campaigns are all archived that there was none yet", async () => {
  const { rows } = await listLineItems(world().fern, {});
  for (const { id, approvalStatus } of rows) {
    if (approvalStatus === "pending") await reviewCampaign(world().fern, { id, action: "reject" });
    else await pauseLineItem(world().fern, { id });
    await archiveLineItem(world().fern, { id });
  }
  const { body } = await visit(world(), "fern", approval.loader, "/publisher/approval");
  expect(body).toMatchObject({ counts: { all: 0 }, hasAny: true });
});

it("shows the first creative of each campaign in the list", async () => {
  const first = await insertCreative(world().northwind.db, world().accountId("northwind"));
  const second = await insertCreative(world().northwind.db, world().accountId("northwind"));
  const id = await world().aLaunchedCampaign({ changes: { creative_ids: [first, second] } });
  const plain = await world().aLaunchedCampaign();
  const { body } = await visit(world(), "harbor", approval.loader, "/publisher/approval");
  expect(body).toMatchObject({ creatives: { [id]: { id: first } } });
  expect(JSON.stringify(Object.keys(Object(Reflect.get(Object(body), "creatives"))))).not.toContain(plain);
});
