import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { findFundsHold } from "#app/domain/billing/wallet/find-funds-hold.server.ts";
import { syncFundsHolds } from "#app/domain/billing/wallet/sync-funds-holds.server.ts";
import { addDays, parseCalendarDate } from "#app/domain/calendar-date.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { listLineItems } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { pauseLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { countMatchingCampaigns, listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { describeRejection } from "#app/domain/campaigns/status/campaign-rejection.ts";
import {
  type StatusReason,
  type StatusSide,
  statusBadge,
  statusReasonCodes,
  statusResolution,
} from "#app/domain/campaigns/status/status-reason.ts";
import { describeStatusReason, describeUnexpectedReason } from "#app/domain/campaigns/status/status-reason-copy.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { getCampaignPacing } from "#app/domain/delivery/get-campaign-pacing.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { accounts } from "#db/schema/index.ts";
import { demoAudienceId } from "#db/seed/demo-audiences.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const both = ["hikers", "coffeeDrinkers"] as const;

/** What each side reads about the campaign: the badge, the reason, and what it can do. */
async function read(id: CampaignId) {
  const campaign = await getCampaign(world.northwind, id);
  const listed = (await listCampaigns(world.northwind, { limit: 100 })).rows.find((row) => row.id === id);
  expect(listed?.statusReason).toEqual(campaign.statusReason);
  return shown(campaign, "advertiser");
}

async function readAsHarbor(id: CampaignId) {
  const campaign = await getLineItem(world.harbor, id);
  const listed = (await listLineItems(world.harbor, { limit: 100 })).rows.find((row) => row.id === id);
  expect(listed?.statusReason).toEqual(campaign.statusReason);
  return shown(campaign, "publisher");
}

type ShownStatus = { status: Parameters<typeof statusBadge>[0]; statusReason: StatusReason };

function shown({ status, statusReason }: ShownStatus, side: StatusSide) {
  const { label, tone } = statusBadge(status, statusReason);
  return [label, tone, describeStatusReason(statusReason, side), statusResolution(statusReason, side)];
}

/** Sets the advertiser's credit, in cents, and puts its delivery on hold or releases it. */
async function setCredit(creditLimitCents: number): Promise<void> {
  const id = world.accountId("northwind");
  await db().update(accounts).set({ creditLimitCents }).where(eq(accounts.id, id));
  await syncFundsHolds(world.job, [id]);
}

describe("the reason of a status", () => {
  test("a draft is not launched yet", async () => {
    expect(await read(await world.aDraft())).toEqual(["Draft", "neutral", "Not launched yet", "edit"]);
  });

  test("a launched campaign names the publisher it waits for, or how many they are", async () => {
    const one = await world.aLaunchedCampaign();
    expect(await read(one)).toEqual(["Pending", "violet", "Pending review by Harbor Goods", null]);
    expect(await readAsHarbor(one)).toEqual(["Pending", "violet", "Needs your review", "review"]);
    const two = await world.aLaunchedCampaign({ audiences: both });
    expect(await read(two)).toEqual(["Pending", "violet", "Pending review by 2 publishers", null]);
  });

  test("a rejected campaign is red for both parties and is not pending approval", async () => {
    const id = await world.aLaunchedCampaign();
    await reviewCampaign(world.harbor, { id, action: "reject", notes: "Too loud" });
    expect(await world.statusOf(id)).toBe("draft");
    expect(await read(id)).toEqual(["Rejected", "bad", "Rejected by Harbor Goods", "edit_and_resend"]);
    expect(await readAsHarbor(id)).toEqual(["Rejected", "bad", "Rejected by you", null]);
    const { lineItems } = await getCampaign(world.northwind, id);
    expect(lineItems.map(({ statusReason }) => statusReason.code)).toEqual(["rejected"]);
  });

  test("an approved campaign is scheduled, and not green, until its first day", async () => {
    const id = await world.aRunningCampaign();
    expect(await read(id)).toEqual(["Active", "info", "Scheduled for Nov 21, 2026", null]);
    expect(await readAsHarbor(id)).toEqual(["Active", "info", "Scheduled for Nov 21, 2026", null]);
  });

  test("without funds it is on hold, before its first day too, and nothing is projected", async () => {
    const later = await world.aRunningCampaign();
    const now = await world.aRunningCampaign({ changes: { start_date: world.today() } });
    expect((await getCampaignPacing(world.northwind, later))?.stopped).toBe(false);
    await setCredit(0);
    expect(await findFundsHold(world.northwind)).toEqual({ shortfall: 0 });
    expect(await read(now)).toEqual(["Active", "warn", "On hold: insufficient funds", "top_up"]);
    expect(await read(later)).toEqual(["Active", "warn", "On hold: insufficient funds", "top_up"]);
    expect(await readAsHarbor(now)).toEqual(["Active", "warn", "On hold: advertiser has no funds", null]);
    for (const id of [later, now]) {
      const pace = await getCampaignPacing(world.northwind, id);
      expect(pace?.stopped).toBe(true);
      expect(pace?.projectedEnd).toBe(0);
      expect(pace?.reason).toBe("The campaign is not running (on hold: insufficient funds).");
    }
    await setCredit(1_000_000_000);
    expect(await read(now)).toEqual(["Active", "good", "Delivering", null]);
  });

  test("each party's pause is named to the other, with a way to resume for the one that paused", async () => {
    const changes = { start_date: world.today() };
    const own = await world.aRunningCampaign({ changes });
    await pauseCampaign(world.northwind, { id: own });
    expect(await read(own)).toEqual(["Paused", "warn", "Paused by you", "resume"]);
    expect(await readAsHarbor(own)).toEqual(["Paused", "warn", "Paused by the advertiser", null]);
    const theirs = await world.aRunningCampaign({ changes });
    await pauseLineItem(world.harbor, { id: theirs });
    expect(await read(theirs)).toEqual(["Active", "warn", "Paused by Harbor Goods", null]);
    expect(await readAsHarbor(theirs)).toEqual(["Paused", "warn", "Paused by you", "resume"]);
  });

  test("a campaign that only some of its publishers run is limited", async () => {
    const changes = { start_date: world.today() };
    const id = await world.aRunningCampaign({ audiences: both, approvedBy: ["harbor", "fern"], changes });
    expect(await read(id)).toEqual(["Active", "good", "Delivering", null]);
    await pauseLineItem(world.fern, { id });
    expect(await read(id)).toEqual(["Active", "good", "Limited: delivering with 1 of 2 publishers", null]);
    expect(await readAsHarbor(id)).toEqual(["Active", "good", "Delivering", null]);
  });

  test("a spent daily budget waits for the next day, a spent total budget completes", async () => {
    const changes = { start_date: world.today(), budget: 20, daily_budget: 10 };
    const id = await world.aRunningCampaign({ changes });
    await world.deliver(id, { spendMicros: 10_000_000 });
    expect(await read(id)).toEqual([
      "Active",
      "info",
      "Daily budget spent. Resumes at midnight UTC",
      "raise_daily_budget",
    ]);
    world.advanceDays(1);
    expect(await read(id)).toEqual(["Active", "good", "Delivering", null]);
    await world.deliver(id, { spendMicros: 10_000_000 });
    expect(await read(id)).toEqual(["Completed", "info", "Budget spent", "duplicate"]);
    expect(await readAsHarbor(id)).toEqual(["Completed", "info", "Budget spent", null]);
  });

  test("a smaller budget that is sent for review and spent is no end of the flight, nor once it is rejected", async () => {
    const budgets = (budget: number) => ({ budget, daily_budget: budget });
    const id = await world.aRunningCampaign({ changes: { start_date: world.today(), ...budgets(100) } });
    await world.deliver(id, { spendMicros: 40_000_000 });
    const change = (budget: number) =>
      updateCampaign(world.northwind, { id, changes: campaignChanges(budgets(budget)), send: true });
    await change(50);
    await world.deliver(id, { spendMicros: 10_000_000, channel: "trade_desk" });
    expect(await read(id)).toEqual(["Active", "info", "Budget spent", "duplicate"]);
    expect(await readAsHarbor(id)).toEqual(["Active", "info", "Budget spent", null]);
    await reviewCampaign(world.harbor, { id, action: "reject" });
    expect(await read(id)).toEqual(["Completed", "info", "Budget spent", "duplicate"]);
    world.advanceDays(30);
    expect(await readAsHarbor(id)).toEqual(["Completed", "info", "Budget spent", null]);
    world.advanceDays(-30);
  });

  test("a flight that is over shows when it ended, before the job completes it and after", async () => {
    const changes = { start_date: world.today(), end_date: world.today() };
    const id = await world.aRunningCampaign({ changes });
    world.advanceDays(1);
    expect(await read(id)).toEqual(["Active", "info", "Ended Nov 21, 2026", "duplicate"]);
    await completeEndedCampaigns(world.job);
    expect(await read(id)).toEqual(["Completed", "info", "Ended Nov 21, 2026", "duplicate"]);
  });
});

test("a publisher that did not decide before the end is not said to have lost its audiences", async () => {
  const changes = { start_date: world.today(), end_date: world.today() };
  const id = await world.aRunningCampaign({ audiences: both, changes });
  const reasonOfFern = async () => {
    const { statusReason, hasEndedUndecided } = await getLineItem(world.fern, id);
    return [describeStatusReason(statusReason, "publisher"), hasEndedUndecided];
  };
  world.advanceDays(1);
  await completeEndedCampaigns(world.job);
  expect(await reasonOfFern()).toEqual(["Withdrawn: the campaign ended before your decision", true]);
  const { lineItems } = await getCampaign(world.northwind, id);
  const shownReasons = lineItems.map(({ statusReason }) => describeStatusReason(statusReason, "advertiser"));
  expect(shownReasons).toContain("Withdrawn: the campaign ended before its decision");
});

test("a publisher whose audiences were removed is told so, also after the end", async () => {
  const changes = { start_date: world.today(), end_date: world.today() };
  const id = await world.aRunningCampaign({ audiences: both, changes });
  await updateCampaign(world.northwind, {
    id,
    changes: { selected_audiences: [demoAudienceId("hikers")] },
    send: true,
  });
  await reviewCampaign(world.harbor, { id, action: "approve" });
  world.advanceDays(1);
  await completeEndedCampaigns(world.job);
  const { statusReason } = await getLineItem(world.fern, id);
  expect(describeStatusReason(statusReason, "publisher")).toBe("Withdrawn: your audiences were removed");
});

describe("the rejected filter", () => {
  const listed = async () =>
    (await listCampaigns(world.brightside, { status: "rejected", limit: 100 })).rows.map(
      ({ id, rejection }) => [id, rejection && describeRejection(rejection)] as const,
    );
  const counts = async () => [
    await countMatchingCampaigns(world.brightside, { status: "rejected" }),
    await countMatchingCampaigns(world.brightside, { status: "unsent" }),
  ];
  const launch = (changes = {}) => world.aLaunchedCampaign({ changes, by: world.brightside, audiences: both });

  test("lists what all publishers rejected, until it is sent again", async () => {
    const draft = await world.aDraft({}, { by: world.brightside });
    const id = await world.aLaunchedCampaign({ by: world.brightside });
    expect(await listed()).toEqual([]);
    await reviewCampaign(world.harbor, { id, action: "reject" });
    expect(await listed()).toEqual([[id, "Rejected by Harbor Goods"]]);
    expect(await counts()).toEqual([1, 1]);
    const unsent = await listCampaigns(world.brightside, { status: "unsent" });
    expect(unsent.rows.map((row) => row.id)).toEqual([draft]);
    await launchCampaign(world.brightside, { id });
    expect(await listed()).toEqual([]);
  });

  test("lists what one of two publishers rejected, while the other decides and when it runs", async () => {
    const id = await launch();
    await reviewCampaign(world.fern, { id, action: "reject" });
    expect(await listed()).toEqual([[id, "Partly rejected by Fern & Field Market"]]);
    await reviewCampaign(world.harbor, { id, action: "approve" });
    expect(await listed()).toEqual([[id, "Partly rejected by Fern & Field Market"]]);
    expect((await counts())[0]).toBe(1);
    await updateCampaign(world.brightside, {
      id,
      changes: { selected_audiences: [demoAudienceId("hikers")] },
      send: true,
    });
    expect(await listed()).toEqual([]);
  });

  test("lists a rejected change of a running campaign, until the campaign is completed", async () => {
    const end = { end_date: addDays(world.today(), 1) };
    const id = await launch(end);
    for (const who of [world.harbor, world.fern]) await reviewCampaign(who, { id, action: "approve" });
    await updateCampaign(world.brightside, { id, changes: campaignChanges({ budget: 9_000 }), send: true });
    expect(await listed()).toEqual([]);
    for (const who of [world.harbor, world.fern]) await reviewCampaign(who, { id, action: "reject" });
    expect(await listed()).toEqual([[id, "Change rejected by 2 publishers"]]);
    world.advanceDays(2);
    await completeEndedCampaigns(world.job);
    expect(await listed()).toEqual([]);
    expect((await counts())[0]).toBe(0);
  });
});

test("every code has a text for both parties, and only delivering ones are green", () => {
  const date = parseCalendarDate("2026-11-25") ?? null;
  expect(date).not.toBeNull();
  for (const code of statusReasonCodes) {
    const reason: StatusReason = { code, publishers: ["Harbor Goods"], of: 2, date };
    for (const side of ["advertiser", "publisher"] as const) {
      expect(describeStatusReason(reason, side)).toMatch(/^[A-Z].*[^.]$/);
    }
    expect(statusBadge("active", reason).tone === "good").toBe(code === "delivering" || code === "limited");
  }
});

test("where there is room for one line, a reason is shown if it says more than the status", () => {
  const shown = statusReasonCodes.filter((code) =>
    describeUnexpectedReason({ code, publishers: ["Harbor Goods"], of: 1, date: null }, "advertiser"),
  );
  expect(statusReasonCodes.filter((code) => !shown.includes(code))).toEqual([
    "draft",
    "delivering",
    "budget_spent",
    "flight_ended",
  ]);
  const paused: StatusReason = { code: "paused_by_publisher", publishers: ["Harbor Goods"], of: 1, date: null };
  expect(describeUnexpectedReason(paused, "advertiser")).toBe("Paused by Harbor Goods");
});
