import { and, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { type CampaignId, type DecisionId, newId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { auditEntries, campaignVersions, decisions, lineItems } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

type Decide = (input: { id: CampaignId; action: "approve" | "reject" }) => Promise<unknown>;

/** Fifty people decide one line item at once: the number of successes, and the stored decisions. */
async function race(decide: Decide) {
  const id = await world.aLaunchedCampaign();
  const calls = Array.from({ length: 50 }, (_, index) => decide({ id, action: index % 2 ? "approve" : "reject" }));
  const settled = await Promise.allSettled(calls);
  const [item] = await db().select().from(lineItems).where(eq(lineItems.campaignId, id));
  if (!item) throw new Error("no line item");
  const written = await db().select().from(decisions).where(eq(decisions.lineItemId, item.id));
  return {
    winners: settled.filter((one) => one.status === "fulfilled").length,
    refusals: settled.flatMap((one) => (one.status === "rejected" ? [codeOf(one.reason)] : [])),
    decisions: written.map((row) => row.action),
    approvalStatus: item.approvalStatus,
    auditLines: await db().$count(
      auditEntries,
      and(
        eq(auditEntries.entityId, item.id),
        eq(auditEntries.entrypoint, "screen"),
        eq(auditEntries.actorKind, "publisher"),
      ),
    ),
  };
}

test("of fifty who approve or reject one line item at once, one wins and 49 are told so", async () => {
  for (let round = 0; round < 3; round += 1) {
    const outcome = await race((input) => reviewCampaign(world.harbor, input));
    expect(outcome.winners).toBe(1);
    expect(outcome.refusals).toEqual(Array.from({ length: 49 }, () => "not_pending"));
    expect(outcome.decisions).toHaveLength(1);
    expect(outcome.approvalStatus).toBe(outcome.decisions[0] === "approve" ? "approved" : "rejected");
    expect(outcome.auditLines).toBe(1);
  }
});

test("control: reading first and writing then fails the same check", async () => {
  const decideWithoutLock: Decide = ({ id, action }) =>
    inTransaction(world.harbor, async (ctx) => {
      const [item] = await ctx.db.select().from(lineItems).where(eq(lineItems.campaignId, id));
      if (item?.approvalStatus !== "pending") throw new DomainError("not_pending", "decided");
      await ctx.db
        .update(lineItems)
        .set(
          action === "approve"
            ? { approvalStatus: "approved", approvedVersion: 1 }
            : { approvalStatus: "rejected", approvedVersion: null },
        )
        .where(eq(lineItems.id, item.id));
      await ctx.db
        .insert(decisions)
        .values({ id: newId<DecisionId>(), lineItemId: item.id, version: 1, action, decidedAt: ctx.clock() })
        .onConflictDoNothing();
      await recordAudit(ctx, { action: "line_item.decided", entity: "line_item", entityId: item.id });
    });
  // By chance all fifty may run one after the other, so that the check needs to fail only once.
  let most = { winners: 0, auditLines: 0 };
  for (let round = 0; round < 10 && most.winners <= 1; round += 1) most = await race(decideWithoutLock);
  expect(most.winners).toBeGreaterThan(1);
  expect(most.auditLines).toBeGreaterThan(1);
});

test("a launch clicked ten times at once is one launch", async () => {
  const id = await world.aDraft({}, { audiences: ["hikers", "coffeeDrinkers"] });
  await Promise.all(Array.from({ length: 10 }, () => launchCampaign(world.northwind, { id })));
  expect(await db().$count(campaignVersions, eq(campaignVersions.campaignId, id))).toBe(1);
  expect(await db().$count(lineItems, eq(lineItems.campaignId, id))).toBe(2);
});

test("concurrent approvals, changes and pauses of one campaign end in a consistent state", async () => {
  const id = await world.aRunningCampaign({ audiences: ["hikers", "coffeeDrinkers"] });
  const operations = Array.from({ length: 30 }, (_, index) => {
    if (index % 5 === 0)
      return updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 5_001 + index }), send: true });
    if (index % 5 === 1) return reviewCampaign(world.harbor, { id, action: "approve" });
    if (index % 5 === 2) return reviewCampaign(world.fern, { id, action: index % 2 ? "approve" : "reject" });
    return index % 5 === 3 ? pauseCampaign(world.northwind, { id }) : resumeCampaign(world.northwind, { id });
  });
  for (const one of await Promise.allSettled(operations)) {
    // On a busy machine a call may time out, or get no connection, and then has no effect.
    if (one.status === "rejected") expect(one.reason).toSatisfy(isRefusal);
  }
  const status = await world.statusOf(id);
  expect(["active", "paused"]).toContain(status);
  const items = await db().select().from(lineItems).where(eq(lineItems.campaignId, id));
  for (const item of items) {
    if (item.approvedVersion === null) continue;
    expect(item.status).toBe(status);
  }
});

function isRefusal(reason: unknown): boolean {
  return (
    reason instanceof DomainError ||
    (reason instanceof Error && "code" in reason && /^DATABASE_(DEADLINE|BUSY)$/.test(String(reason.code)))
  );
}

function codeOf(reason: unknown): string {
  return reason instanceof DomainError ? reason.code : String(reason);
}
