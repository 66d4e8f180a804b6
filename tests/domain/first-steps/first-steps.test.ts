import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { FirstSteps } from "#app/domain/first-steps/first-steps.ts";
import { areFirstStepsHidden, setFirstStepsHidden } from "#app/domain/first-steps/first-steps-visibility.server.ts";
import { getFirstSteps } from "#app/domain/first-steps/get-first-steps.server.ts";
import { withDeadline } from "#db/client.server.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { type FirstHour, type FirstHourEvent, firstHourEvents, startFirstHour } from "./first-steps-model.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const readAll = ({ steps }: FirstSteps) =>
  steps.map(({ name, state, progress }) =>
    [name, state, progress && `${progress.current}/${progress.target}`].filter(Boolean).join(" "),
  );

const runs = faultRuns({ small: 12, all: 600 });
const audienceReady: FirstHourEvent[] = [
  { does: "create_audience" },
  { does: "members", change: "add", which: 0, from: 0, count: 1_000 },
];
const histories = fc
  .tuple(fc.constantFrom([], audienceReady, audienceReady), fc.array(firstHourEvents, { minLength: 4, maxLength: 24 }))
  .map(([opening, events]) => [...opening, ...events]);
/** A campaign that all publishers reject is a draft again; its audience is removed, and the launch remains done. */
const rejected: FirstHourEvent[] = [
  ...audienceReady,
  { does: "draft", audience: true },
  { does: "launch", which: 0 },
  { does: "review", which: 0, action: "reject" },
  { does: "choose_audience", which: 0, audience: false },
  { does: "launch", which: 0 },
  { does: "draft", audience: true },
  { does: "archive_campaign", which: 1 },
  { does: "delete_draft", which: 1 },
];
const approved: FirstHourEvent[] = [
  ...audienceReady,
  { does: "draft", audience: true },
  { does: "launch", which: 0 },
  { does: "review", which: 0, action: "approve" },
  { does: "members", change: "remove", which: 0, from: 900, count: 600 },
  { does: "bank_account" },
];

/** The people of an archived audience are no progress: it is out of use. */
const archived: FirstHourEvent[] = [
  { does: "create_audience" },
  { does: "members", change: "add", which: 0, from: 0, count: 600 },
  { does: "archive_audience", which: 0 },
  { does: "create_audience" },
  { does: "members", change: "add", which: 1, from: 0, count: 1 },
];

/** One of each event that few random histories contain. */
const rare: FirstHourEvent[] = [
  { does: "profile", website: true, vertical: true },
  { does: "example" },
  { does: "top_up", card: "tok_visa" },
];

describe("the first steps", () => {
  test(
    `are what was done, after each event of ${runs} random histories`,
    async () => {
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(histories, (events) =>
          inRolledBackTransaction(async (hour) => {
            for (const event of events) {
              if (await hour.apply(event)) seen.add(event.does);
              const found = {
                advertiser: readAll(await getFirstSteps(hour.advertiser)),
                publisher: readAll(await getFirstSteps(hour.publisher)),
              };
              expect(found, JSON.stringify(event)).toEqual(hour.expected());
            }
          }),
        ),
        { numRuns: runs + 4, examples: [[rejected], [approved], [archived], [rare]] },
      );
      expect([...seen]).toEqual(
        expect.arrayContaining([
          "profile",
          "draft",
          "launch",
          "review",
          "members",
          "top_up",
          "bank_account",
          "example",
        ]),
      );
    },
    faultTimeoutMs,
  );

  test("name the newest draft and the largest audience, where the next steps are done", async () => {
    expect(await getFirstSteps(world.brightside)).toMatchObject({ draftId: null });
    await world.aDraft({}, { by: world.brightside });
    const newest = await world.aDraft({}, { by: world.brightside });
    expect(await getFirstSteps(world.brightside)).toMatchObject({ draftId: newest });
    const { audienceId } = await getFirstSteps(world.harbor);
    const [largest] = await db().execute(
      sql`select id from audiences where publisher_id = ${world.harbor.actor.accountId} order by size desc limit 1`,
    );
    expect(audienceId).toBe(largest?.id);
  });

  test("are found by index, however many campaigns the account has", async () => {
    await db.owner().execute(sql`
      insert into campaigns (id, advertiser_id, name)
      select gen_random_uuid(), ${world.northwind.actor.accountId}, 'Draft ' || number from generate_series(1, 5000) number`);
    await db.owner().execute(sql`analyze campaigns`);
    const begun = sql`explain (format json) select exists (select from campaigns where advertiser_id = ${world.northwind.actor.accountId}
      and status = 'draft' and (version > 0 or audience_ids <> '{}') and version > 0)`;
    expect(JSON.stringify(await db().execute(begun))).toContain("campaigns_begun_drafts");
  });
});

describe("the list of first steps", () => {
  test("is hidden and shown again by each person alone", async () => {
    const [own, other] = [{ userId: demoUserId("northwind") }, { userId: demoUserId("brightside") }];
    await setFirstStepsHidden(world.northwind, { ...own, hidden: true });
    expect(await areFirstStepsHidden(world.northwind, own)).toBe(true);
    expect(await areFirstStepsHidden(world.brightside, other)).toBe(false);
    await setFirstStepsHidden(world.northwind, { ...own, hidden: false });
    expect(await areFirstStepsHidden(world.northwind, own)).toBe(false);
  });

  test("is out of reach for another account", async () => {
    const other = { userId: demoUserId("brightside"), hidden: true };
    await expectDomainError(setFirstStepsHidden(world.northwind, other), "not_found");
    expect(await areFirstStepsHidden(world.brightside, other)).toBe(false);
  });
});

class RolledBack extends Error {}

/** Runs a history in a transaction that is rolled back, so that each begins with new accounts alone. */
async function inRolledBackTransaction(history: (hour: FirstHour) => Promise<void>): Promise<void> {
  const running = withDeadline({ db: db() }, 60_000).db.transaction(async (tx) => {
    await history(await startFirstHour(tx, () => new Date("2026-11-20T12:00:00Z")));
    throw new RolledBack();
  });
  await running.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
}
