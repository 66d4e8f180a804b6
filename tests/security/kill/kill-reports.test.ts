import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { desc, eq, like, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import type { SavedViewId } from "#app/domain/ids.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { reportScheduleSchema } from "#app/domain/reports/report-payloads.ts";
import { scheduleReport } from "#app/domain/reports/schedule-report.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import {
  accounts,
  mails,
  notifications,
  reportSchedules,
  reportSendings,
  savedViews,
  users,
} from "#db/schema/index.ts";
import { buildIfStale } from "#server/build-if-stale.ts";
import { newUser } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { startMailCatcher } from "#tests/support/fakes/mail-catcher.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { killBoth } from "#tests/support/servers/process-tree.ts";
import { startWorkerProcess } from "#tests/support/servers/worker-process.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
const dataDir = mkdtempSync(join(tmpdir(), "endcap-worker-"));
/** How often a worker is killed at each moment. */
const kills = faultRuns({ small: 1, all: 12 });
const reportCount = 3;
let world: World;
let catcher: Awaited<ReturnType<typeof startMailCatcher>>;
let recipients: string[];

beforeAll(async () => {
  await buildIfStale();
  world = await createWorld(db());
  await db().update(accounts).set({ isDemo: false });
  const accountId = world.accountId("northwind");
  await db()
    .update(users)
    .set({ accountId })
    .where(eq(users.id, await newUser()));
  const people = await db().select({ email: users.email }).from(users).where(eq(users.accountId, accountId));
  recipients = people.map(({ email }) => email);
  catcher = await startMailCatcher();
}, 180_000);
afterAll(async () => {
  await catcher.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A local hour on a day on which clocks change, when it is due, and when the next day's is. */
const occasions = [
  // Shown twice: an hour later, when the second worker starts, the clock shows it again.
  { zone: "Europe/Berlin", hour: 2, due: "2026-10-25T00:00:00Z", next: "2026-10-26T01:00:00Z" },
  // Skipped: due when the clocks have gone forward.
  { zone: "Europe/Berlin", hour: 2, due: "2027-03-28T01:00:00Z", next: "2027-03-29T00:00:00Z" },
  { zone: "America/New_York", hour: 1, due: "2026-11-01T05:00:00Z", next: "2026-11-02T06:00:00Z" },
  { zone: "Australia/Lord_Howe", hour: 2, due: "2026-10-03T15:30:00Z", next: "2026-10-04T15:00:00Z" },
  { zone: "Africa/Cairo", hour: 0, due: "2026-04-23T22:00:00Z", next: "2026-04-24T21:00:00Z" },
  { zone: "UTC", hour: 8, due: "2026-11-20T08:00:00Z", next: "2026-11-21T08:00:00Z" },
] as const;

/** When the worker is killed: while it writes a sending or its emails, while it sends them, or at a random time. */
const moments = ["emails inserted", "after sending", "sending inserted", "before sending", "any"] as const;
type Moment = (typeof moments)[number];
/** A killed transaction and a killed delivery; the other moments are variants of them. */
const chosen = moments.slice(0, faultRuns({ small: 2, all: moments.length }));

/** Starts a worker whose clock runs on from an instant. */
function startWorkerAt(instant: Date) {
  const clock = pathToFileURL(resolve(import.meta.dirname, "../money/shifted-clock.mjs")).href;
  const environment = { NODE_OPTIONS: `--import ${clock}`, CLOCK_AT: instant.toISOString(), SMTP_URL: catcher.url };
  return startWorkerProcess({ dataDir, db, environment });
}

const waitOptions = { timeout: 120_000, interval: 20 };
const until = (holds: () => Promise<boolean> | boolean) =>
  vi.waitFor(async () => {
    if (!(await holds())) throw new Error("it never came to that");
  }, waitOptions);

/** Schedules reports of an occasion, to be due at the same moment. */
async function scheduleReports({ zone, hour, due }: (typeof occasions)[number]): Promise<SavedViewId[]> {
  world.setNow(new Date(Date.parse(due) - 3_600_000).toISOString());
  const schedule = { frequency: "daily", hour, time_zone: zone, range: "yesterday", format: "csv", recipients };
  const ids: SavedViewId[] = [];
  for (let index = 0; index < reportCount; index += 1) {
    const { id } = await createReport(world.northwind, { name: `Report ${index}`, query: "group=campaign" });
    await scheduleReport(world.northwind, { id, ...reportScheduleSchema.parse(schedule) });
    ids.push(id);
  }
  return ids;
}

/** Kills a worker that starts when the reports are due, at a moment of its work. */
async function killWorker(moment: Moment, at: Date): Promise<void> {
  if (moment === "sending inserted") return killBlocked("report_sendings", at);
  if (moment === "emails inserted") return killBlocked("mails", at);
  catcher.mood.held = 0;
  if (moment !== "any") catcher.mood.silent = moment === "before sending" ? "before" : "after";
  const worker = startWorkerAt(at);
  try {
    if (moment !== "any") await until(() => catcher.mood.held > 0);
    else {
      await until(async () => (await db().$count(reportSendings)) > 0);
      await sleep(Math.random() * 200);
    }
  } finally {
    await killBoth(worker);
    catcher.mood.silent = "never";
  }
}

/** Kills a worker while its transaction waits to insert into a table that is locked. */
async function killBlocked(table: "report_sendings" | "mails", at: Date): Promise<void> {
  await db.owner().transaction(async (tx) => {
    await tx.execute(sql`lock table ${sql.identifier(table)} in share row exclusive mode`);
    const worker = startWorkerAt(at);
    try {
      await until(async () => (await countBlocked(`insert into "${table}"%`)) > 0);
    } finally {
      await killBoth(worker);
    }
  });
}

async function countBlocked(query: string): Promise<number> {
  const blocked = sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${query}`;
  const [row] = await queryRows(db.owner(), z.object({ count: z.number() }), blocked);
  return row?.count ?? 0;
}

/**
 * Waits until the database has noticed that the worker is gone: until then it goes on with what the worker sent, and
 * may take one more job for it.
 */
async function awaitEndOfSessions(): Promise<void> {
  const others = sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name <> current_setting('application_name')`;
  await until(async () => {
    const [row] = await queryRows(db(), z.object({ count: z.number() }), others);
    return row?.count === 0;
  });
}

/** Lets an hour pass for the queue, whose locks have the database's time; the next worker's clock is set to it. */
async function passAnHourInQueue(): Promise<void> {
  await db.owner().execute(sql`
    update graphile_worker._private_jobs set locked_at = locked_at - interval '1 hour' where locked_at is not null`);
}

const sentTimes = (id: string) => catcher.caught.filter(({ messageId }) => messageId.includes(id)).length;
const listSendings = () => db().select().from(reportSendings).orderBy(desc(reportSendings.id));
const listReportMails = () =>
  db()
    .select({ id: mails.id, address: mails.address, state: mails.state, key: notifications.eventKey })
    .from(mails)
    .innerJoin(notifications, eq(notifications.id, mails.notificationId))
    .where(like(notifications.eventKey, "report/%"));

test.each(chosen)(
  `kill -9 of a worker that sends scheduled reports, on a day on which clocks change: each is sent once: %s`,
  async (moment) => {
    for (let round = 0; round < kills; round += 1) {
      const occasion = occasions[(moments.indexOf(moment) + round) % occasions.length] ?? occasions[0];
      const where = `${moment}, ${occasion.zone}, ${occasion.due}`;
      await db().delete(savedViews);
      await db().delete(mails);
      await db().delete(notifications);
      catcher.caught.length = 0;
      catcher.mood.held = 0;
      const due = new Date(occasion.due);
      const reports = await scheduleReports(occasion);
      const dueTimes = await db().select({ at: reportSchedules.nextDueAt }).from(reportSchedules);
      expect(dueTimes, where).toEqual(reports.map(() => ({ at: due })));

      await killWorker(moment, new Date(due.getTime() + 1_000));
      await awaitEndOfSessions();
      const isRolledBack = moment === "sending inserted" || moment === "emails inserted";
      // What a killed transaction wrote is undone as a whole: the report is due as before.
      if (isRolledBack)
        expect([await listSendings(), await listReportMails(), catcher.caught], where).toEqual([[], [], []]);
      await passAnHourInQueue();

      const worker = startWorkerAt(new Date(due.getTime() + 3_601_000));
      try {
        await until(async () => (await listSendings()).length === reportCount);
        await until(async () => (await listReportMails()).every(({ state }) => state === "sent"));
      } finally {
        await killBoth(worker);
      }
      const sendings = await listSendings();
      expect(new Set(sendings.map(({ reportId }) => reportId)), where).toEqual(new Set(reports));
      for (const { dueAt, missed } of sendings) expect([dueAt, missed], where).toEqual([due, 0]);
      const written = await listReportMails();
      const wanted = sendings.flatMap(({ id }) => recipients.map((address) => `report/${id} ${address}`));
      expect(written.map(({ key, address }) => `${key} ${address}`).sort(), where).toEqual(wanted.sort());
      const repeated = written.map(({ id }) => sentTimes(id) - 1);
      expect(Math.min(...repeated), where).toBe(0);
      // A worker sends four emails at a time; each may have arrived without the worker having noted it.
      const mayRepeat = moment === "after sending" || moment === "any" ? 4 : 0;
      expect(
        repeated.reduce((sum, count) => sum + count, 0),
        where,
      ).toBeLessThanOrEqual(mayRepeat);
      expect(Math.max(...repeated), where).toBeLessThanOrEqual(1);
      const upcoming = await db().select({ at: reportSchedules.nextDueAt }).from(reportSchedules);
      expect(upcoming, where).toEqual(reports.map(() => ({ at: new Date(occasion.next) })));
    }
  },
  // Two starts of a worker each.
  Math.max(faultTimeoutMs, 300_000),
);
