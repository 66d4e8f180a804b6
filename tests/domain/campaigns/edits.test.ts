import { randomUUID } from "node:crypto";
import { and, asc, eq, isNotNull } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { CampaignStep } from "#app/domain/campaigns/campaign-field-kinds.ts";
import { deleteDraft } from "#app/domain/campaigns/delete-draft.server.ts";
import { closeIdleEdits } from "#app/domain/campaigns/editing/close-idle-edits.server.ts";
import { continuesEdit, editIdleMs } from "#app/domain/campaigns/editing/edit-session.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { auditEntries, campaignEdits } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { failAuditOf } from "#tests/support/database/fail-audit-of.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let id: CampaignId;
beforeAll(async () => {
  world = await createWorld(db());
});
beforeEach(async () => {
  world.setNow("2026-11-20T12:00:00Z");
  await db().delete(campaignEdits);
  id = await world.aDraft();
});

type AutosaveInput = { session: string; revision: number; step?: CampaignStep; isFinished?: boolean };

/** Autosaves a form. */
async function save(
  changes: Record<string, unknown>,
  { session, step = 1, isFinished = false, revision }: AutosaveInput,
) {
  const edit = { sessionId: session, revision, step, isFinished };
  await updateCampaign(world.northwind, { id, changes: campaignChanges(changes), edit });
}

/** Returns the history's lines about changes, oldest first. */
async function history() {
  const entries = await db()
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.campaignId, id))
    .orderBy(asc(auditEntries.id));
  return entries
    .filter(({ action }) => action !== "campaign.created")
    .map(({ action, before, after, actorUserId }) => ({ action, before, after, actorUserId }));
}

const name = async () => (await getCampaign(world.northwind, id)).name;
const minutes = (count: number) => new Date(world.clock().getTime() + count * 60_000).toISOString();

describe("an edit", () => {
  test("is one entry for all saves of a step, from the first value to the last", async () => {
    const session = randomUUID();
    await save({ name: "T" }, { session, revision: 1 });
    await save({ name: "Te" }, { session, revision: 2 });
    await save({ name: "Tents", objective: "traffic" }, { session, revision: 3 });
    expect(await history()).toEqual([]);
    await save({ name: "Tents!" }, { session, revision: 4, isFinished: true });
    expect(await history()).toEqual([
      {
        action: "campaign.changed",
        before: { name: "Ridgeline Packs", objective: "conversions" },
        after: { name: "Tents!", objective: "traffic" },
        actorUserId: demoUserId("northwind"),
      },
    ]);
  });

  test("continues after a reload of the page, and ends with the next step", async () => {
    await save({ name: "Before" }, { session: randomUUID(), revision: 5 });
    await save({ name: "After" }, { session: randomUUID(), revision: 1 });
    await save({ channels: ["dv360"] }, { session: randomUUID(), revision: 1, step: 4 });
    expect(await history()).toMatchObject([{ before: { name: "Ridgeline Packs" }, after: { name: "After" } }]);
  });

  test("ends after ten minutes without a save, by the job, under the editor's name", async () => {
    const session = randomUUID();
    await save({ name: "Left open" }, { session, revision: 1 });
    world.setNow(minutes(10));
    expect(await closeIdleEdits(world.job)).toBe(0);
    world.setNow(minutes(1));
    expect(await closeIdleEdits(world.job)).toBe(1);
    expect(await closeIdleEdits(world.job)).toBe(0);
    expect(await history()).toMatchObject([{ after: { name: "Left open" }, actorUserId: demoUserId("northwind") }]);
    await save({ name: "Again" }, { session, revision: 2, isFinished: true });
    expect(await history()).toMatchObject([{}, { before: { name: "Left open" }, after: { name: "Again" } }]);
  });

  test("that fails to end keeps no other open, and ends with a later run", async () => {
    const failing = id;
    await save({ name: "First" }, { session: randomUUID(), revision: 1 });
    id = await world.aDraft();
    world.setNow(minutes(1));
    await save({ name: "Second" }, { session: randomUUID(), revision: 1 });
    world.setNow(minutes(11));
    const mend = await failAuditOf(db.owner(), failing);
    onTestFinished(mend);
    await expect(closeIdleEdits(world.job)).rejects.toThrow(`failed for 1 of 2 campaigns: ${failing}`);
    expect(await history()).toMatchObject([{ after: { name: "Second" } }]);
    await mend();
    expect(await closeIdleEdits({ ...world.job, stopping: AbortSignal.abort() })).toBe(0);
    expect(await closeIdleEdits(world.job)).toBe(1);
  });

  test("that returns to its first value leaves no entry", async () => {
    const session = randomUUID();
    await save({ name: "Else" }, { session, revision: 1 });
    await save({ name: "Ridgeline Packs" }, { session, revision: 2, isFinished: true });
    expect(await history()).toEqual([]);
  });

  test("ends before a launch, another's change and a deletion, so that the history is in order", async () => {
    await save({ name: "First" }, { session: randomUUID(), revision: 1 });
    await updateCampaign(world.northwind, { id, changes: campaignChanges({ name: "Second" }) });
    await save({ name: "Third" }, { session: randomUUID(), revision: 1 });
    await launchCampaign(world.northwind, { id });
    expect((await history()).map(({ action, after }) => [action, after?.name])).toEqual([
      ["campaign.changed", "First"],
      ["campaign.changed", "Second"],
      ["campaign.changed", "Third"],
      ["campaign.launched", undefined],
      ["line_item.sent", undefined],
    ]);
    id = await world.aDraft();
    await save({ name: "Gone soon" }, { session: randomUUID(), revision: 1 });
    await deleteDraft(world.northwind, { id });
    expect(await history()).toMatchObject([{ after: { name: "Gone soon" } }]);
  });

  test("of a person ends when another person of the company edits the same step", async () => {
    await save({ name: "Hers" }, { session: randomUUID(), revision: 1 });
    const other = { ...world.northwind, actor: { ...world.northwind.actor, userId: demoUserId("brightside") } };
    const edit = { sessionId: randomUUID(), revision: 1, step: 1 as const, isFinished: true };
    await updateCampaign(other, { id, changes: campaignChanges({ name: "His" }), edit });
    expect((await history()).map(({ after, actorUserId }) => [after, actorUserId])).toEqual([
      [{ name: "Hers" }, demoUserId("northwind")],
      [{ name: "His" }, demoUserId("brightside")],
    ]);
  });

  test("is not ended by the last save of a page that was left, when that changes nothing", async () => {
    const first = randomUUID();
    await save({ name: "Named" }, { session: first, revision: 1, isFinished: true });
    await save({ channels: ["dv360"] }, { session: randomUUID(), revision: 1, step: 4 });
    await save({ name: "Named" }, { session: first, revision: 1, isFinished: true });
    expect(await history()).toHaveLength(1);
  });
});

test("the last save of a page that was left replaces nothing that another form has saved since", async () => {
  const session = randomUUID();
  const edit = { sessionId: session, revision: 1, step: 1 as const, isAutomatic: true };
  const autosave = (isFinished: boolean) =>
    updateCampaign(world.northwind, { id, changes: campaignChanges({ name: "Mine" }), edit: { ...edit, isFinished } });
  await autosave(false);
  await save({ name: "Theirs" }, { session: randomUUID(), revision: 1 });
  await autosave(true);
  expect(await name()).toBe("Theirs");
  expect(await history()).toMatchObject([{ before: { name: "Ridgeline Packs" }, after: { name: "Theirs" } }]);
  await save({ name: "Mine" }, { session, revision: 1, isFinished: true });
  expect(await name()).toBe("Mine");
});

describe("saves that arrive out of order", () => {
  test("keep the latest, also when a button's save came in between and another step began", async () => {
    const session = randomUUID();
    await save({ name: "Lat" }, { session, revision: 3 });
    await save({ name: "La" }, { session, revision: 2 });
    expect(await name()).toBe("Lat");
    await save({ name: "Latest" }, { session, revision: 6, isFinished: true });
    await save({ channels: ["dv360"] }, { session: randomUUID(), revision: 1, step: 4, isFinished: true });
    await save({ name: "Late" }, { session, revision: 4 });
    expect(await name()).toBe("Latest");
    expect(await history()).toHaveLength(2);
  });

  test("in any order, at once and repeated, end with the last one and one entry", async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 3 }), async (order) => {
        id = await world.aDraft();
        const session = randomUUID();
        const last = Math.max(...order);
        const sent = [...order, ...order];
        await Promise.all(
          sent.map((revision) =>
            save({ name: `Name ${revision}` }, { session, revision, isFinished: revision === last }),
          ),
        );
        expect(await name()).toBe(`Name ${last}`);
        expect(await history()).toMatchObject([
          { before: { name: "Ridgeline Packs" }, after: { name: `Name ${last}` } },
        ]);
        expect(
          await db().$count(campaignEdits, and(eq(campaignEdits.campaignId, id), isNotNull(campaignEdits.before))),
        ).toBe(0);
      }),
      { numRuns: 6 },
    );
  });

  test("of two tabs and the job at once lose no entry of the history", async () => {
    const tabs = [randomUUID(), randomUUID()];
    const saves = Array.from({ length: 20 }, (_, index) =>
      save({ name: `Name ${index}` }, { session: tabs[index % 2] ?? "", revision: index, step: index % 4 < 2 ? 1 : 2 }),
    );
    world.setNow(minutes(11));
    await Promise.all([...saves, closeIdleEdits(world.job), closeIdleEdits(world.job)]);
    world.setNow(minutes(11));
    await closeIdleEdits(world.job);
    // Each entry begins where the one before ended.
    const entries = await history();
    const chain = entries.map(({ before }) => before?.name);
    expect(chain).toEqual(["Ridgeline Packs", ...entries.slice(0, -1).map(({ after }) => after?.name)]);
    expect(entries.at(-1)?.after?.name).toBe(await name());
  });
});

test("an edit continues for the same step and person within ten minutes, and for nothing else", () => {
  const userId = demoUserId("northwind");
  const open = { step: 1, userId, savedAt: new Date(0) } as const;
  const toDate = (ms: number) => new Date(ms);
  expect(continuesEdit(open, { step: 1, userId, at: toDate(editIdleMs - 1) })).toBe(true);
  expect(continuesEdit(open, { step: 1, userId, at: toDate(editIdleMs) })).toBe(false);
  expect(continuesEdit(open, { step: 2, userId, at: toDate(0) })).toBe(false);
  expect(continuesEdit(open, { step: 1, userId: null, at: toDate(0) })).toBe(false);
});

test("a session is deleted after a day", async () => {
  await save({ name: "Old" }, { session: randomUUID(), revision: 1, isFinished: true });
  world.setNow(minutes(25 * 60));
  await closeIdleEdits(world.job);
  expect(await db().$count(campaignEdits, eq(campaignEdits.campaignId, id))).toBe(0);
});
