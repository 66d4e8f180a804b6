import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { listFilterOptions } from "#app/domain/analytics/list-filter-options.server.ts";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { getEarnings } from "#app/domain/billing/get-earnings.server.ts";
import { archiveCampaign, restoreCampaign } from "#app/domain/campaigns/archive/archive-campaign.server.ts";
import { archiveLineItem, restoreLineItem } from "#app/domain/campaigns/archive/archive-line-item.server.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { deleteDraft } from "#app/domain/campaigns/delete-draft.server.ts";
import { duplicateCampaign } from "#app/domain/campaigns/duplicate-campaign.server.ts";
import { openDraft } from "#app/domain/campaigns/editing/open-draft.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { countLineItems } from "#app/domain/campaigns/line-items/count-line-items.server.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { listLineItems } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { countCampaigns, countMatchingCampaigns, listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import { updateManagedCampaign } from "#app/domain/campaigns/managed/update-managed-campaign.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { auditEntries, campaigns, lineItems } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

async function paused(changes: Record<string, unknown> = {}): Promise<CampaignId> {
  const id = await world.aRunningCampaign({ changes });
  await pauseCampaign(world.northwind, { id });
  return id;
}

const archived = async (id: CampaignId) => (await getCampaign(world.northwind, id)).archivedAt !== null;
const idsOf = async (input: Parameters<typeof listCampaigns>[1]) =>
  (await listCampaigns(world.northwind, { ...input, limit: 500 })).rows.map((row) => row.id);
const ownIdsOf = async (input: Parameters<typeof listLineItems>[1]) =>
  (await listLineItems(world.harbor, { ...input, limit: 500 })).rows.map((row) => row.id);
async function actionsOn(id: CampaignId): Promise<string[]> {
  const entries = await db()
    .select({ action: auditEntries.action })
    .from(auditEntries)
    .where(eq(auditEntries.campaignId, id))
    .orderBy(auditEntries.id);
  return entries.map(({ action }) => action).filter((action) => /archived|restored/.test(action));
}

describe("an advertiser", () => {
  test("archives drafts, rejected, paused and completed campaigns, and not what runs or is reviewed", async () => {
    const draft = await world.aDraft();
    const rejected = await world.aLaunchedCampaign();
    await reviewCampaign(world.harbor, { id: rejected, action: "reject" });
    const stopped = await paused();
    for (const id of [draft, rejected, stopped]) {
      await archiveCampaign(world.northwind, { id });
      expect(await archived(id)).toBe(true);
    }
    const running = await world.aRunningCampaign();
    const pending = await world.aLaunchedCampaign();
    await expectDomainError(archiveCampaign(world.northwind, { id: running }), "invalid_transition", /Pause it before/);
    await expectDomainError(archiveCampaign(world.northwind, { id: pending }), "invalid_transition", /is reviewing/);
    expect([await archived(running), await archived(pending)]).toEqual([false, false]);
  });

  test("a paused campaign with a change under review is archived only after the decision", async () => {
    const id = await paused();
    await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 6_000 }), send: true });
    await expectDomainError(archiveCampaign(world.northwind, { id }), "invalid_transition", /is reviewing/);
    await reviewCampaign(world.harbor, { id, action: "reject" });
    await archiveCampaign(world.northwind, { id });
    expect(await archived(id)).toBe(true);
  });

  test("archiving and restoring change neither status nor line items, and are one entry each", async () => {
    const id = await paused();
    const before = await db().select().from(lineItems).where(eq(lineItems.campaignId, id));
    await archiveCampaign(world.northwind, { id });
    await archiveCampaign(world.northwind, { id });
    expect(await getCampaign(world.northwind, id)).toMatchObject({
      status: "paused",
      archivedAt: world.clock(),
      statusReason: { code: "archived", date: world.today() },
    });
    await restoreCampaign(world.northwind, { id });
    await restoreCampaign(world.northwind, { id });
    expect(await getCampaign(world.northwind, id)).toMatchObject({
      status: "paused",
      archivedAt: null,
      statusReason: { code: "paused_by_advertiser" },
    });
    expect(await db().select().from(lineItems).where(eq(lineItems.campaignId, id))).toEqual(before);
    expect(await actionsOn(id)).toEqual(["campaign.archived", "campaign.restored"]);
    const actions = (await listHistory(world.harbor, id)).map(({ action }) => action);
    expect(actions.filter((action) => action.startsWith("campaign."))).toEqual([]);
  });

  test("an archived campaign is in no list, count or picker but those of archived ones", async () => {
    const id = await paused({ name: "Out of sight" });
    const draft = await world.aDraft({ name: "Out of sight too" });
    const before = await countCampaigns(world.northwind);
    await archiveCampaign(world.northwind, { id });
    await archiveCampaign(world.northwind, { id: draft });
    const after = await countCampaigns(world.northwind);
    expect(after).toEqual({
      ...before,
      all: before.all - 2,
      paused: before.paused - 1,
      draft: before.draft - 1,
      archived: before.archived + 2,
    });
    for (const filter of [{}, { status: "paused" }, { status: "unsent" }, { q: "Out of sight" }] as const) {
      expect(await idsOf(filter)).not.toContain(id);
      expect(await idsOf(filter)).not.toContain(draft);
    }
    expect(await idsOf({ archived: true, q: "Out of sight" })).toEqual([draft, id]);
    expect(await idsOf({ archived: true, status: "paused" })).toContain(id);
    expect(await countMatchingCampaigns(world.northwind, { q: "Out of sight" })).toBe(0);
    expect(await countMatchingCampaigns(world.northwind, { q: "Out of sight", archived: true })).toBe(2);
    expect(await idsOf({ ids: [id] })).toEqual([id]);
    const options = async (campaign?: CampaignId) =>
      (await listFilterOptions(world.northwind, { campaign })).campaigns.map(({ value }) => value);
    expect(await options()).not.toContain(id);
    expect(await options(id)).toContain(id);
  });

  test("no verb changes an archived campaign", async () => {
    const id = await paused();
    const draft = await world.aDraft();
    for (const one of [id, draft]) await archiveCampaign(world.northwind, { id: one });
    const changes = campaignChanges({ budget: 6_000 });
    const edit = { sessionId: crypto.randomUUID(), revision: 1, step: 5, isFinished: false } as const;
    for (const change of [
      () => resumeCampaign(world.northwind, { id }),
      () => updateCampaign(world.northwind, { id, changes, send: true }),
      () => updateCampaign(world.northwind, { id: draft, changes, edit }),
      () => launchCampaign(world.northwind, { id }),
      () => launchCampaign(world.northwind, { id: draft }),
    ]) {
      await expectDomainError(change(), "invalid_transition", /is archived\. Restore it first\./);
    }
    expect(await world.statusOf(id)).toBe("paused");
    await pauseCampaign(world.northwind, { id });
    const copy = await duplicateCampaign(world.northwind, { id });
    expect(await archived(copy.id)).toBe(false);
    await restoreCampaign(world.northwind, { id });
    await resumeCampaign(world.northwind, { id });
    expect(await world.statusOf(id)).toBe("active");
    await deleteDraft(world.northwind, { id: draft });
  });

  test("the wizard opens no archived draft again", async () => {
    const first = await openDraft(world.northwind, { changes: {}, isEmpty: true });
    expect(await openDraft(world.northwind, { changes: {}, isEmpty: true })).toEqual(first);
    await archiveCampaign(world.northwind, { id: first.id });
    expect(await openDraft(world.northwind, { changes: {}, isEmpty: true })).not.toEqual(first);
  });

  test("the wizard of test mode, where nobody is signed in, opens the blank draft of its browser again", async () => {
    const { userId: _, ...nobody } = world.northwind.actor;
    const demo = { ...world.northwind, actor: nobody, entrypoint: "test_mode" as const };
    const nothing = { changes: {}, isEmpty: true };
    const ofPerson = await openDraft(world.northwind, nothing);
    const first = await openDraft(demo, nothing);
    const ofAnotherBrowser = await openDraft(demo, nothing);
    expect(new Set([ofPerson.id, first.id, ofAnotherBrowser.id]).size).toBe(3);
    expect(await openDraft(demo, { ...nothing, opened: first.id })).toEqual(first);
    expect(await openDraft(demo, { ...nothing, opened: ofPerson.id })).not.toEqual(ofPerson);
    expect(await openDraft(world.northwind, { ...nothing, opened: first.id })).toEqual(ofPerson);
    await updateCampaign(demo, { id: first.id, changes: campaignChanges({ name: "Named" }) });
    expect(await openDraft(demo, { ...nothing, opened: first.id })).not.toEqual(first);
  });

  test("an archived campaign is completed after its last day, and keeps its money", async () => {
    const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
    await world.deliver(id);
    await pauseCampaign(world.northwind, { id });
    const money = async () => {
      const { spentCents, impressions } = await getCampaign(world.northwind, id);
      return [spentCents, impressions, (await getEarnings(world.harbor)).commissionEarned];
    };
    const before = await money();
    await archiveCampaign(world.northwind, { id });
    expect(await money()).toEqual(before);
    world.advanceDays(30);
    await completeEndedCampaigns(world.job);
    expect(await getCampaign(world.northwind, id)).toMatchObject({ status: "completed", archivedAt: expect.any(Date) });
    expect(await money()).toEqual(before);
  });

  test("a version that nobody can approve any longer does not prevent it, and its rejection is recorded", async () => {
    const id = await world.aLaunchedCampaign();
    world.advanceDays(11);
    await archiveCampaign(world.northwind, { id });
    await expectDomainError(
      reviewCampaign(world.harbor, { id, action: "approve" }),
      "invalid_transition",
      /has passed/,
    );
    await reviewCampaign(world.harbor, { id, action: "reject" });
    expect(await world.statusOf(id)).toBe("draft");
    expect(await archived(id)).toBe(true);
  });

  test("archives only its own campaigns", async () => {
    const id = await world.aDraft();
    await expectDomainError(archiveCampaign(world.brightside, { id }), "not_found");
    await archiveCampaign(world.northwind, { id });
    await expectDomainError(restoreCampaign(world.brightside, { id }), "not_found");
  });
});

describe("a publisher", () => {
  test("archives its own part of what does not run, out of its lists alone", async () => {
    const id = await world.aRunningCampaign();
    await expectDomainError(archiveLineItem(world.harbor, { id }), "invalid_transition", /Pause it before/);
    await pauseLineItem(world.harbor, { id });
    const before = await countLineItems(world.harbor);
    const earned = await getEarnings(world.harbor);
    await archiveLineItem(world.harbor, { id });
    const after = await countLineItems(world.harbor);
    expect(after.management).toEqual({
      ...before.management,
      all: before.management.all - 1,
      archived: before.management.archived + 1,
    });
    expect(after.approval).toEqual({
      ...before.approval,
      approved: before.approval.approved - 1,
      all: before.approval.all - 1,
    });
    expect([after.impressions, after.commissionCents]).toEqual([before.impressions, before.commissionCents]);
    expect(await getEarnings(world.harbor)).toEqual(earned);
    for (const filter of [{}, { filter: "all" }, { approval: "approved" }, { approval: "all" }] as const) {
      expect(await ownIdsOf(filter)).not.toContain(id);
    }
    expect(await ownIdsOf({ archived: true })).toEqual([id]);
    expect(await getLineItem(world.harbor, id)).toMatchObject({ status: "paused", statusReason: { code: "archived" } });
    expect(await idsOf({})).toContain(id);
    expect((await listHistory(world.northwind, id)).map(({ action }) => action)).not.toContain("line_item.archived");
    await expectDomainError(resumeLineItem(world.harbor, { id }), "invalid_transition", /Restore it first/);
    await restoreLineItem(world.harbor, { id });
    await resumeLineItem(world.harbor, { id });
    expect(await world.lineItemStatus(world.harbor, id)).toBe("approved active");
    expect(await actionsOn(id)).toEqual(["line_item.archived", "line_item.restored"]);
  });

  test("has the campaign back when the advertiser resumes it or sends a version", async () => {
    const resumed = await paused();
    await archiveLineItem(world.harbor, { id: resumed });
    await resumeCampaign(world.northwind, { id: resumed });
    const sent = await paused();
    await archiveLineItem(world.harbor, { id: sent });
    await updateCampaign(world.northwind, { id: sent, changes: campaignChanges({ budget: 7_000 }), send: true });
    const own = await paused();
    await pauseLineItem(world.harbor, { id: own });
    await archiveLineItem(world.harbor, { id: own });
    await resumeCampaign(world.northwind, { id: own });
    expect(await ownIdsOf({})).toEqual(expect.arrayContaining([resumed, sent]));
    expect(await ownIdsOf({ archived: true })).toContain(own);
    await expectDomainError(archiveLineItem(world.harbor, { id: sent }), "invalid_transition", /needs your review/);
  });

  test("cannot edit a managed campaign that either side archived", async () => {
    const { id } = await createManagedCampaign(world.harbor, {
      ...campaignChanges(world.complete()),
      advertiser_id: world.accountId("northwind"),
      commission_rate: 60,
    });
    const change = () => updateManagedCampaign(world.harbor, { id, changes: campaignChanges({ budget: 6_000 }) });
    await pauseLineItem(world.harbor, { id });
    await archiveLineItem(world.harbor, { id });
    await expectDomainError(change(), "invalid_transition", /is archived\. Restore/);
    await restoreLineItem(world.harbor, { id });
    await pauseCampaign(world.northwind, { id });
    await archiveCampaign(world.northwind, { id });
    await expectDomainError(change(), "invalid_transition", /advertiser archived/);
    await restoreCampaign(world.northwind, { id });
    await change();
  });

  test("has a place of its plan taken by an archived campaign until it ends", async () => {
    await world.subscribe("fern", "starter");
    const launch = () => world.aLaunchedCampaign({ audiences: ["coffeeDrinkers"] });
    const ids: CampaignId[] = [];
    for (let index = 0; index < 5; index += 1) {
      const id = await launch();
      await reviewCampaign(world.fern, { id, action: "approve" });
      ids.push(id);
    }
    const [first] = ids;
    if (!first) throw new Error("no campaign");
    await pauseCampaign(world.northwind, { id: first });
    await pauseLineItem(world.fern, { id: first });
    await archiveCampaign(world.northwind, { id: first });
    await archiveLineItem(world.fern, { id: first });
    const sixth = await launch();
    await expectDomainError(reviewCampaign(world.fern, { id: sixth, action: "approve" }), "limit_reached");
    await restoreCampaign(world.northwind, { id: first });
    await restoreLineItem(world.fern, { id: first });
    expect(await findBrokenInvariants(db(), { only: (rule) => rule.includes("plan allows") })).toEqual({});
  });
});

test("of archiving and resuming or launching at once, one wins and nothing archived runs", async () => {
  for (let round = 0; round < 8; round += 1) {
    const id = await paused();
    const draft = await world.aDraft();
    const settled = await Promise.allSettled([
      archiveCampaign(world.northwind, { id }),
      resumeCampaign(world.northwind, { id }),
      archiveCampaign(world.northwind, { id: draft }),
      launchCampaign(world.northwind, { id: draft }),
      archiveLineItem(world.harbor, { id }),
    ]);
    const [stored, launched] = settled.slice(0, 4).reduce<number[][]>(
      (pairs, { status }, index) => {
        pairs[index < 2 ? 0 : 1]?.push(status === "fulfilled" ? 1 : 0);
        return pairs;
      },
      [[], []],
    );
    expect([stored?.filter(Boolean).length, launched?.filter(Boolean).length]).toEqual([1, 1]);
    expect(await archived(id)).toBe((await world.statusOf(id)) === "paused");
    expect(await archived(draft)).toBe((await world.statusOf(draft)) === "draft");
  }
  const running = await db().select().from(campaigns).where(eq(campaigns.status, "active"));
  expect(running.length).toBeGreaterThan(0);
  expect(running.every(({ archivedAt }) => archivedAt === null)).toBe(true);
  const items = await db().select().from(lineItems).where(eq(lineItems.status, "active"));
  expect(items.every(({ archivedAt }) => archivedAt === null)).toBe(true);
});
