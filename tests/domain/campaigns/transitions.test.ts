import { beforeAll, describe, expect, test } from "vitest";
import {
  campaignEvents,
  campaignStatuses,
  campaignStatusOf,
  campaignTransitions,
  lineItemEvents,
  lineItemPauseTransitions,
} from "#app/domain/campaigns/campaign.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { auditEntries } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

/** Creates a campaign in each of the advertiser's states through the events that lead there. */
const campaignIn = {
  draft: () => world.aDraft(),
  pending: () => world.aLaunchedCampaign(),
  active: () => world.aRunningCampaign(),
  paused: async () => {
    const id = await world.aRunningCampaign();
    await pauseCampaign(world.northwind, { id });
    return id;
  },
  completed: async () => {
    const id = await world.aRunningCampaign({ changes: { start_date: world.today(), end_date: world.today() } });
    world.advanceDays(1);
    await completeEndedCampaigns(world.job);
    world.advanceDays(-1);
    return id;
  },
};

const advertiserDoes = {
  launch: (id: CampaignId) => launchCampaign(world.northwind, { id }),
  pause: (id: CampaignId) => pauseCampaign(world.northwind, { id }),
  resume: (id: CampaignId) => resumeCampaign(world.northwind, { id }),
  complete: async () => {
    world.advanceDays(60);
    await completeEndedCampaigns(world.job);
    world.advanceDays(-60);
  },
};

/** What the contract says: the state after the event, or `=` unchanged without a trace, or `refused`. */
const campaignTable = {
  draft: { launch: "pending", pause: "refused", resume: "refused", complete: "=" },
  pending: { launch: "=", pause: "refused", resume: "refused", complete: "=" },
  active: { launch: "=", pause: "paused", resume: "=", complete: "completed" },
  paused: { launch: "=", pause: "=", resume: "active", complete: "completed" },
  completed: { launch: "refused", pause: "refused", resume: "refused", complete: "=" },
} as const;

describe("the advertiser: every status and event", () => {
  for (const state of campaignStatuses) {
    for (const event of campaignEvents) {
      const outcome = campaignTable[state][event];
      test(`${state} + ${event}: ${outcome}`, async () => {
        const id = await campaignIn[state]();
        const lines = await db().$count(auditEntries);
        const code = await codeOf(advertiserDoes[event](id));
        expect(code).toBe(outcome === "refused" ? "invalid_transition" : undefined);
        const after = outcome === "=" || outcome === "refused" ? state : outcome;
        expect(await world.statusOf(id)).toBe(after);
        if (after === state) expect(await db().$count(auditEntries)).toBe(lines);
        else expect(await db().$count(auditEntries)).toBeGreaterThan(lines);
      });
    }
  }

  test("the table in the code is the same", () => {
    for (const state of campaignStatuses) {
      for (const event of ["pause", "resume"] as const) {
        const expected = campaignTable[state][event];
        const meant = expected === "refused" ? "refused" : expected === "=" ? "same" : "done";
        expect(campaignTransitions[state][event], `${state} ${event}`).toBe(meant);
      }
    }
  });
});

/** A line item in each state a publisher can find it in: `approval status`, with whose pause it is. */
const partIn = {
  "pending pending": () => world.aLaunchedCampaign(),
  "approved active": () => world.aRunningCampaign(),
  "approved paused by publisher": async () => {
    const id = await world.aRunningCampaign();
    await pauseLineItem(world.harbor, { id });
    return id;
  },
  "approved paused by advertiser": campaignIn.paused,
  "pending active": async () => {
    const id = await world.aRunningCampaign();
    await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 6_000 }), send: true });
    return id;
  },
  "rejected pending": async () => {
    const id = await world.aLaunchedCampaign();
    await reviewCampaign(world.harbor, { id, action: "reject" });
    return id;
  },
  "approved completed": campaignIn.completed,
  "withdrawn withdrawn": async () => {
    const id = await world.aRunningCampaign();
    const changes = campaignChanges({ selected_audiences: [world.audience("coffeeDrinkers")] });
    await updateCampaign(world.northwind, { id, changes, send: true });
    return id;
  },
};

const publisherDoes = {
  approve: (id: CampaignId) => reviewCampaign(world.harbor, { id, action: "approve" }),
  reject: (id: CampaignId) => reviewCampaign(world.harbor, { id, action: "reject" }),
  pause: (id: CampaignId) => pauseLineItem(world.harbor, { id }),
  resume: (id: CampaignId) => resumeLineItem(world.harbor, { id }),
};

const no = { approve: "not_pending", reject: "not_pending" } as const;
const still = { pause: "invalid_transition", resume: "invalid_transition" } as const;
const partTable: Record<keyof typeof partIn, Record<(typeof lineItemEvents)[number], string>> = {
  "pending pending": { approve: "approved active", reject: "rejected pending", ...still },
  "approved active": { ...no, pause: "approved paused", resume: "=" },
  "approved paused by publisher": { ...no, pause: "=", resume: "approved active" },
  // Its own pause is kept beside the advertiser's, so the state reads the same and there is a trace.
  "approved paused by advertiser": { ...no, pause: "approved paused", resume: "invalid_transition" },
  "pending active": { approve: "approved active", reject: "rejected active", pause: "pending paused", resume: "=" },
  "rejected pending": { ...no, ...still },
  "approved completed": { ...no, ...still },
  "withdrawn withdrawn": { ...no, ...still },
};

describe("the publisher: every status and event", () => {
  for (const [state, make] of Object.entries(partIn)) {
    for (const event of lineItemEvents) {
      const outcome = rowOf(state)[event];
      test(`${state} + ${event}: ${outcome}`, async () => {
        const id = await make();
        const before = await world.lineItemStatus(world.harbor, id);
        expect(before).toBe(state.replace(/ by .*/, ""));
        const lines = await db().$count(auditEntries);
        const code = await codeOf(publisherDoes[event](id));
        const refused = outcome === "not_pending" || outcome === "invalid_transition";
        expect(code).toBe(refused ? outcome : undefined);
        expect(await world.lineItemStatus(world.harbor, id)).toBe(refused || outcome === "=" ? before : outcome);
        expect((await db().$count(auditEntries)) - lines).toBe(refused || outcome === "=" ? 0 : 1);
      });
    }
  }

  test("the table in the code is the same for pauses", () => {
    expect(lineItemPauseTransitions).toEqual({
      pending: { pause: "refused", resume: "refused" },
      active: { pause: "done", resume: "same" },
      paused: { pause: "same", resume: "done" },
      completed: { pause: "refused", resume: "refused" },
      withdrawn: { pause: "refused", resume: "refused" },
    });
  });
});

test("the campaign's status derives from its line items", () => {
  const of = (...items: [string, boolean][]) =>
    campaignStatusOf({
      launched: true,
      paused: false,
      completed: false,
      lineItems: items.map(([approvalStatus, everApproved]) => ({
        approvalStatus:
          approvalStatus === "rejected" ? "rejected" : approvalStatus === "approved" ? "approved" : "pending",
        everApproved,
      })),
    });
  expect(of(["pending", false], ["pending", false])).toBe("pending");
  expect(of(["pending", false], ["rejected", false])).toBe("pending");
  expect(of(["rejected", false], ["rejected", false])).toBe("draft");
  expect(of(["approved", true], ["rejected", false])).toBe("active");
  expect(of(["pending", true], ["pending", false])).toBe("active");
  expect(of(["rejected", true])).toBe("active");
});

function rowOf(state: string) {
  const row = Object.entries(partTable).find(([name]) => name === state)?.[1];
  if (!row) throw new Error(`no row for ${state}`);
  return row;
}

async function codeOf(operation: Promise<unknown>): Promise<string | undefined> {
  try {
    await operation;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}
