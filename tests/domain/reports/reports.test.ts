import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { eq, inArray, sql } from "drizzle-orm";
import fc from "fast-check";
import { extractText, getDocumentProxy } from "unpdf";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { PdfPool } from "#app/documents/pdf-pool.server.ts";
import { writePdf } from "#app/documents/write-pdf.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { AccountId, MailId, SavedViewId, UserId } from "#app/domain/ids.ts";
import { findMail } from "#app/domain/notifications/list-mails.server.ts";
import { purgePersonalData } from "#app/domain/privacy/purge-personal-data.server.ts";
import { retentionDefaults } from "#app/domain/privacy/retention.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { deleteReport, deleteReportSchedule } from "#app/domain/reports/delete-report.server.ts";
import { listReportSendings } from "#app/domain/reports/list-report-sendings.server.ts";
import { getReport, listReportPeople, listReports } from "#app/domain/reports/list-reports.server.ts";
import { pauseReport, resumeReport } from "#app/domain/reports/pause-report.server.ts";
import { reportScheduleSchema } from "#app/domain/reports/report-payloads.ts";
import { nextDueAfter, type ReportTiming, reportLimits } from "#app/domain/reports/report-schedule.ts";
import { scheduleReport } from "#app/domain/reports/schedule-report.server.ts";
import { sendDueReports } from "#app/domain/reports/send-due-reports.server.ts";
import { sendReportNow } from "#app/domain/reports/send-report-now.server.ts";
import { updateReport } from "#app/domain/reports/update-report.server.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { sendWebhookTask } from "#app/domain/webhooks/webhook.ts";
import { deliverMail } from "#app/mail/deliver-mail.server.ts";
import type { MailTransport, OutgoingMail } from "#app/mail/mail-transport.server.ts";
import { previewMail } from "#app/mail/preview-mail.server.ts";
import { createReportParts } from "#app/mail/report-parts.server.ts";
import { loadReportDocument, prepareReportFile } from "#app/web/exports/report-file.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import {
  accounts,
  mailSettings,
  mailSuppressions,
  mails,
  notifications,
  reportSendings,
  savedViews,
  users,
} from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { newUser } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { domainErrorFrom, expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let address: string;
let colleague: { id: UserId; email: string };

beforeAll(async () => {
  world = await createWorld(db());
  address = await addressOf(demoUserId("northwind"));
  const id = await newUser();
  await db()
    .update(users)
    .set({ accountId: world.accountId("northwind") })
    .where(eq(users.id, id));
  colleague = { id, email: await addressOf(id) };
});
beforeEach(async () => {
  world.setNow("2026-11-20T12:00:00Z");
  await db().delete(savedViews);
  await db().delete(mails);
  await db().delete(notifications);
  await db().delete(mailSettings);
});
afterEach(() =>
  db()
    .update(accounts)
    .set({ status: "approved" })
    .where(eq(accounts.id, world.accountId("northwind"))),
);

async function addressOf(id: UserId): Promise<string> {
  const [person] = await db().select().from(users).where(eq(users.id, id));
  return person?.email ?? expect.fail();
}

const daily = { frequency: "daily", hour: 8, time_zone: "UTC", range: "yesterday", format: "csv" };
async function aReport(
  changes: Record<string, unknown> = {},
  ctx: Ctx<TenantActor> = world.northwind,
  name = "Daily by campaign",
): Promise<SavedViewId> {
  const { id } = await createReport(ctx, { name, query: "group=campaign&sort=clicks" });
  const input = reportScheduleSchema.parse({ ...daily, recipients: [address], ...changes });
  await scheduleReport(ctx, { id, ...input });
  return id;
}
const sendingsOf = async (reportId: SavedViewId, ctx = world.northwind) =>
  (await listReportSendings(ctx, { reportId })).rows;
const waiting = () => db().select({ id: mails.id, userId: mails.userId }).from(mails).where(eq(mails.state, "waiting"));

describe("a report", () => {
  test("is a view of analytics that the whole account has, under a name of its own", async () => {
    const { id } = await createReport(world.northwind, { name: "By channel", query: "?group=channel&page=3&saved=1" });
    await createReport(world.harbor, { name: "By channel", query: "" });
    expect(await getReport(world.northwind, id)).toMatchObject({ query: "group=channel", schedule: null });
    expect(
      (await listReports({ ...world.northwind, actor: { ...world.northwind.actor, userId: colleague.id } })).length,
    ).toBe(1);
    const again = await domainErrorFrom(createReport(world.northwind, { name: "BY CHANNEL", query: "" }));
    expect(again.fields?.name).toEqual(["Your account has a report with this name. Choose another one."]);
    await updateReport(world.northwind, { id, name: "By day", query: "group=day" });
    expect(await getReport(world.northwind, id)).toMatchObject({ name: "By day", query: "group=day" });
    expect(await deleteReport(world.northwind, { id })).toEqual({ name: "By day" });
    expect(await listReports(world.northwind)).toEqual([]);
  });

  test("of another account, or of test mode, is nowhere", async () => {
    const id = await aReport();
    const testMode: Ctx<TenantActor> = { ...world.northwind, entrypoint: "test_mode" };
    const input = reportScheduleSchema.parse({ ...daily, recipients: [address] });
    for (const ctx of [world.brightside, world.harbor, testMode]) {
      for (const attempt of [
        () => getReport(ctx, id),
        () => updateReport(ctx, { id, name: "Mine" }),
        () => scheduleReport(ctx, { id, ...input }),
        () => pauseReport(ctx, { id }),
        () => resumeReport(ctx, { id }),
        () => sendReportNow(ctx, { id, userId: demoUserId("brightside") }),
        () => deleteReportSchedule(ctx, { id }),
        () => deleteReport(ctx, { id }),
      ]) {
        await expectDomainError(attempt(), "not_found");
      }
      expect(await listReports(ctx)).toEqual([]);
    }
  });

  test("is one of at most 50 of an account, also when they are saved at once", async () => {
    const save = (index: number) => createReport(world.northwind, { name: `Report ${index}`, query: "" });
    for (let index = 2; index < reportLimits.perAccount; index += 1) await save(index);
    const last = await Promise.allSettled([-1, -2, -3, -4, -5].map(save));
    expect(last.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    await expectDomainError(createReport(world.northwind, { name: "One more", query: "" }), "limit_reached");
  });
});

describe("the recipients of a report", () => {
  test("are people of the account and nobody else", async () => {
    const stranger = await addressOf(demoUserId("brightside"));
    for (const recipients of [[stranger], [address, stranger], ["nobody@example.com"]]) {
      const rejected = await domainErrorFrom(aReport({ recipients }));
      expect(rejected.fields?.recipients).toEqual([
        "A report is only sent to people of your account. Choose people from the list.",
      ]);
      await db().delete(savedViews);
    }
    const id = await aReport({ recipients: [address.toUpperCase(), address, colleague.email] });
    expect((await getReport(world.northwind, id)).schedule?.recipients.map(({ email }) => email).sort()).toEqual(
      [address, colleague.email].sort(),
    );
  });

  test("are offered again with their schedule, also in an account of more people than it offers", async () => {
    const id = await aReport({ recipients: [colleague.email] });
    const others = await Promise.all(Array.from({ length: 100 }, () => newUser()));
    const move = (accountId: AccountId | null) =>
      db().update(users).set({ accountId, name: "Aaron" }).where(inArray(users.id, others));
    await move(world.accountId("northwind"));
    onTestFinished(async () => void (await move(null)));
    const { schedule } = await getReport(world.northwind, id);
    const people = await listReportPeople(world.northwind, schedule);
    expect(people).toHaveLength(100);
    expect(people.at(-1)).toEqual({ id: colleague.id, name: expect.any(String), email: colleague.email });
    expect(await listReportPeople(world.northwind, null)).not.toContainEqual(people.at(-1));
  });

  test("receive nothing once they turned these emails off or left the account, and the schedule says so", async () => {
    const id = await aReport({ recipients: [address, colleague.email] });
    const states = async () =>
      (await getReport(world.northwind, id)).schedule?.recipients.map(({ state, name }) => [state, name !== ""]).sort();
    await db()
      .insert(mailSettings)
      .values({ userId: demoUserId("northwind"), muted: ["report_ready"] });
    await db()
      .update(users)
      .set({ accountId: world.accountId("brightside") })
      .where(eq(users.id, colleague.id));
    expect(await states()).toEqual([
      ["left", false],
      ["muted", true],
    ]);
    world.setNow("2026-11-21T08:00:00Z");
    expect(await sendDueReports(world.job)).toBe(1);
    expect(await db().$count(mails)).toBe(0);
    expect(await sendingsOf(id)).toMatchObject([{ sent: 0, waiting: 0, failed: 0, kept: 0 }]);
    await db()
      .update(users)
      .set({ accountId: world.accountId("northwind") })
      .where(eq(users.id, colleague.id));
  });

  test("get a report at its own time even if they want one email a day", async () => {
    await aReport();
    await db()
      .insert(mailSettings)
      .values({ userId: demoUserId("northwind"), delivery: "daily" });
    world.setNow("2026-11-21T08:00:00Z");
    await sendDueReports(world.job);
    expect(await waiting()).toHaveLength(1);
  });
});

describe("a due report", () => {
  test("is sent once, however many workers run the job at once", async () => {
    const id = await aReport({ recipients: [address, colleague.email] });
    world.setNow("2026-11-21T07:59:59Z");
    expect(await sendDueReports(world.job)).toBe(0);
    world.setNow("2026-11-21T08:00:00Z");
    const counts = await Promise.all(Array.from({ length: 8 }, () => sendDueReports(world.job)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await waiting()).toHaveLength(2);
    const [sending] = await sendingsOf(id);
    expect(sending).toMatchObject({
      dueAt: new Date("2026-11-21T08:00:00Z"),
      missed: 0,
      firstDay: "2026-11-20",
      lastDay: "2026-11-20",
      query: "from=2026-11-20&group=campaign&range=custom&sort=clicks&to=2026-11-20",
    });
    expect((await getReport(world.northwind, id)).schedule?.nextDueAt).toEqual(new Date("2026-11-22T08:00:00Z"));
  });

  test("does not wait for the next run behind hundreds of others, of which one cannot be sent", async () => {
    const id = await aReport();
    await db().execute(sql`
      with copied as (
        insert into saved_views select (jsonb_populate_record(view, jsonb_build_object('id', gen_random_uuid(), 'name', 'Copy ' || number))).*
        from saved_views view, generate_series(1, 420) number where view.id = ${id} returning id
      )
      insert into report_schedules select (jsonb_populate_record(schedule, jsonb_build_object('id', gen_random_uuid(), 'report_id', copied.id))).*
      from report_schedules schedule, copied where schedule.report_id = ${id}`);
    await sendReportNow(world.northwind, { id, userId: demoUserId("northwind") });
    await db().execute(sql`
      update report_sendings set due_at = '2026-11-21T08:00:00Z', schedule_id = (select id from report_schedules where report_id = ${id})`);
    world.setNow("2026-11-21T08:00:00Z");
    await expect(sendDueReports(world.job)).rejects.toThrow(/^failed for 1 of 421 schedules: [\w-]{36}$/);
    expect(await db().$count(reportSendings)).toBe(421);
    await db().delete(reportSendings);
    const stopping = AbortSignal.abort();
    expect(await sendDueReports({ ...world.job, stopping })).toBe(0);
    expect(await sendDueReports(world.job)).toBe(1);
  });

  test("after an outage of three days is sent once, for the latest moment missed", async () => {
    const id = await aReport();
    world.setNow("2026-11-24T09:30:00Z");
    expect(await sendDueReports(world.job)).toBe(1);
    expect(await sendDueReports(world.job)).toBe(0);
    expect(await sendingsOf(id)).toMatchObject([
      { dueAt: new Date("2026-11-24T08:00:00Z"), missed: 3, firstDay: "2026-11-23" },
    ]);
  });

  test("is not sent while it is paused, and not afterwards for the time of the pause", async () => {
    const id = await aReport();
    await pauseReport(world.northwind, { id });
    expect((await getReport(world.northwind, id)).schedule).toMatchObject({ isPaused: true, nextDueAt: null });
    world.setNow("2026-11-23T10:00:00Z");
    expect(await sendDueReports(world.job)).toBe(0);
    await resumeReport(world.northwind, { id });
    expect(await sendDueReports(world.job)).toBe(0);
    world.setNow("2026-11-24T08:00:00Z");
    expect(await sendDueReports(world.job)).toBe(1);
  });

  test("is still sent when only its recipients change, and at the new time when that changes", async () => {
    const id = await aReport();
    world.setNow("2026-11-21T08:00:00Z");
    await scheduleReport(world.northwind, {
      id,
      ...reportScheduleSchema.parse({ ...daily, recipients: [colleague.email] }),
    });
    expect(await sendDueReports(world.job)).toBe(1);
    expect((await waiting()).map(({ userId }) => userId)).toEqual([colleague.id]);
    const later = reportScheduleSchema.parse({ ...daily, hour: 20, recipients: [address] });
    await scheduleReport(world.northwind, { id, ...later });
    expect((await getReport(world.northwind, id)).schedule?.nextDueAt).toEqual(new Date("2026-11-21T20:00:00Z"));
  });

  test("of a suspended account is not sent, and not made up for", async () => {
    await aReport();
    await db()
      .update(accounts)
      .set({ status: "suspended" })
      .where(eq(accounts.id, world.accountId("northwind")));
    world.setNow("2026-11-21T08:00:00Z");
    expect(await sendDueReports(world.job)).toBe(0);
    await db()
      .update(accounts)
      .set({ status: "approved" })
      .where(eq(accounts.id, world.accountId("northwind")));
    expect(await sendDueReports(world.job)).toBe(0);
    expect(await db().$count(mails)).toBe(0);
  });

  test("is listed as long as the record of its emails is kept", async () => {
    const id = await aReport();
    for (const day of ["2026-11-21", "2026-11-22"]) {
      world.setNow(`${day}T08:00:00Z`);
      await sendDueReports(world.job);
    }
    expect(await sendingsOf(id)).toMatchObject([{ waiting: 1 }, { waiting: 1 }]);
    world.setNow("2026-12-21T12:00:00Z");
    await purgePersonalData(world.job, { days: { ...retentionDefaults, notifications: 30 } });
    expect(await sendingsOf(id)).toMatchObject([{ dueAt: new Date("2026-11-22T08:00:00Z"), waiting: 1 }]);
  });

  test("is sent once per due moment in any history of clocks, zones, pauses, workers and deaths of workers", async () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ does: fc.constant("pass" as const), minutes: fc.integer({ min: 1, max: 3_000 }) }),
      },
      { weight: 4, arbitrary: fc.record({ does: fc.constant("run" as const) }) },
      {
        weight: 2,
        arbitrary: fc.record({ does: fc.constantFrom("pause" as const, "resume" as const, "die" as const) }),
      },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 16 }),
        fc.constantFrom(...clockChanges),
        fc.record({
          frequency: fc.constantFrom("daily", "daily", "weekly", "monthly"),
          weekday: fc.constantFrom("saturday", "sunday", "monday"),
          day_of_month: fc.constantFrom(1, 25, 31),
          hour: fc.integer({ min: 0, max: 23 }),
        }),
        async (steps, [time_zone, change], rhythm) => {
          await db().delete(savedViews);
          await db().delete(mails);
          await db().delete(notifications);
          let now = Date.parse(change) - 20 * 3_600_000;
          world.setNow(new Date(now).toISOString());
          const id = await aReport({ ...rhythm, time_zone, recipients: [address, colleague.email] });
          const schedule = (await getReport(world.northwind, id)).schedule ?? expect.fail();
          const expected: { dueAt: Date; missed: number }[] = [];
          let [isPaused, since] = [false, now];
          for (const one of steps) {
            if (one.does === "pass") now += one.minutes * 60_000;
            world.setNow(new Date(now).toISOString());
            if (one.does === "pause") await pauseReport(world.northwind, { id });
            if (one.does === "resume") await resumeReport(world.northwind, { id });
            if (one.does === "die") await expect(dieBeforeCommit()).rejects.toThrow("killed");
            if (one.does === "run") {
              await Promise.all([sendDueReports(world.job), sendDueReports(world.job)]);
              const due = isPaused ? [] : dueMoments(schedule, { after: since, until: now });
              const dueAt = due.at(-1);
              if (dueAt) expected.push({ dueAt, missed: due.length - 1 });
              since = now;
            }
            if (one.does === "resume" && isPaused) since = now;
            if (one.does === "pause" || one.does === "resume") isPaused = one.does === "pause";
          }
          const sent = (await sendingsOf(id)).reverse();
          expect(sent.map(({ dueAt, missed }) => ({ dueAt, missed }))).toEqual(expected);
          const written = await db()
            .select({ key: notifications.eventKey, userId: mails.userId })
            .from(mails)
            .innerJoin(notifications, eq(notifications.id, mails.notificationId));
          const people = [demoUserId("northwind"), colleague.id];
          const wanted = sent.flatMap((sending) => people.map((userId) => `report/${sending.id} ${userId}`));
          expect(written.map(({ key, userId }) => `${key} ${userId}`).sort()).toEqual(wanted.sort());
        },
      ),
      { numRuns: 15 },
    );
    // Thousands of statements: seconds on a quiet machine.
  }, 240_000);
});

/** Zones whose clocks change by an hour or half an hour, at night, at midnight and on the 30th, and when. */
const clockChanges = [
  ["Europe/Berlin", "2026-10-25T01:00:00Z"],
  ["Europe/Berlin", "2027-03-28T01:00:00Z"],
  ["America/St_Johns", "2026-11-01T04:30:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
  ["Australia/Lord_Howe", "2027-04-03T15:00:00Z"],
  ["Africa/Cairo", "2026-10-29T21:00:00Z"],
  ["Asia/Tokyo", "2026-12-31T15:00:00Z"],
  ["UTC", "2028-02-29T00:00:00Z"],
] as const;

/** The due moments in `(after, until]`, which `report-schedule.test.ts` compares with the wall clock. */
function dueMoments(of: ReportTiming, { after, until }: { after: number; until: number }): Date[] {
  const found: Date[] = [];
  for (let at = nextDueAfter(of, new Date(after)); at.getTime() <= until; at = nextDueAfter(of, at)) found.push(at);
  return found;
}

/** Sends what is due in a transaction that never commits, as that of a process that is killed. */
function dieBeforeCommit(): Promise<void> {
  return db().transaction(async (tx) => {
    await sendDueReports({ ...world.job, db: tx });
    throw new Error("killed");
  });
}

/** Repeats what fails while the thread of documents is not ready in time, as the email's job does. */
function whenThreadIsFree<T>(work: () => Promise<T>): Promise<T> {
  return vi.waitFor(work, { timeout: 50_000, interval: 100 });
}

describe("the email of a report", () => {
  async function deliver(id: MailId) {
    const sent: (Omit<OutgoingMail, "attachment"> & { file: string })[] = [];
    const transport: MailTransport = {
      send: async ({ attachment, ...mail }) => {
        const content = attachment?.content;
        const file = content instanceof Readable ? await text(content) : String(content);
        sent.push({ ...mail, file });
      },
      close: () => undefined,
    };
    await deliverMail(world.job, { id, transport });
    const [state] = await db().select({ state: mails.state }).from(mails).where(eq(mails.id, id));
    return { mail: sent[0], state: state?.state };
  }
  const live = () => db().update(accounts).set({ isDemo: false });

  test("has the figures, the file, a link to the same view and dates, and one to stop it", async () => {
    await live();
    const campaign = await world.aRunningCampaign({ changes: { start_date: world.today() } });
    await world.deliver(campaign, { impressions: 20_000, clicks: 400, spendMicros: 50_000_000 });
    await db().delete(mails);
    const id = await aReport();
    world.setNow("2026-11-21T08:00:00Z");
    await sendDueReports(world.job);
    const [{ id: mailId } = expect.fail()] = await waiting();
    const { mail, state } = await deliver(mailId);
    expect(state).toBe("sent");
    expect(mail?.subject).toBe("“Daily by campaign” is ready");
    expect(mail?.text).toContain("Spend: $50.00");
    expect(mail?.text).toContain("Impressions: 20,000\n");
    expect(mail?.text).toMatch(/analytics\?from=2026-11-20&group=campaign&range=custom&sort=clicks&to=2026-11-20\n/);
    expect(mail?.text).toMatch(new RegExp(`Change or stop this report: http://[^\\s]+/advertiser/reports/${id}\n`));
    expect(mail?.unsubscribe).toContain("/unsubscribe?token=");
    expect(mail?.file).toBe(
      "Campaign,Impressions,Clicks,CTR (%),Conversions,Spend (USD),Revenue (USD),ROAS\r\n" +
        "Ridgeline Packs,20000,400,2,1,50,9,0.18\r\nTotal,20000,400,2,1,50,9,0.18\r\n",
    );
  });

  test("has a PDF document where the schedule says so", async () => {
    await live();
    await aReport({ format: "pdf" });
    world.setNow("2026-11-21T08:00:00Z");
    await sendDueReports(world.job);
    const [{ id } = expect.fail()] = await waiting();
    const { mail } = await whenThreadIsFree(() => deliver(id));
    expect(mail?.file.slice(0, 5)).toBe("%PDF-");
  });

  test("holds no transaction open while its document is written", async () => {
    await aReport({ format: "pdf" });
    world.setNow("2026-11-21T08:00:00Z");
    await sendDueReports(world.job);
    const [sending] = await db().select({ id: reportSendings.id }).from(reportSendings);
    const open = sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and backend_type = 'client backend'`;
    const counts: number[] = [];
    const { write } = PdfPool.prototype;
    vi.spyOn(PdfPool.prototype, "write").mockImplementation(async function (this: PdfPool, ...asked) {
      const [row] = await queryRows(db(), z.object({ count: z.number() }), open);
      counts.push(row?.count ?? -1);
      return write.apply(this, asked);
    });
    const mail = { subjectId: sending?.id ?? "", userId: demoUserId("northwind") };
    const parts = await whenThreadIsFree(() => createReportParts(world.job, mail));
    expect([parts?.file?.type, new Set(counts)]).toEqual(["application/pdf", new Set([0])]);
  });

  test("leads into test mode when the report is one of test mode, and in the mailbox looks as it is sent", async () => {
    const testMode: Ctx<TenantActor> = { ...world.northwind, entrypoint: "test_mode" };
    for (const [ctx, base, name] of [
      [world.northwind, "/advertiser", "Live"],
      [testMode, "/advertiser/test-mode", "Tried"],
    ] as const) {
      const id = await aReport({}, ctx, name);
      await sendReportNow(ctx, { id, userId: demoUserId("northwind") });
      const [{ id: mailId } = expect.fail()] = await waiting();
      const { text: sent, attachment } = await previewMail(
        world.job,
        (await findMail(world.job, mailId)) ?? expect.fail(),
      );
      expect(sent).toContain(`${base}/analytics?`);
      expect(sent).toContain(`${base}/reports/${id}\n`);
      expect(sent).toMatch(/The file is attached\.[\s\S]+Spend: \$/);
      const file = attachment?.content;
      expect(file instanceof Readable && (await text(file))).toMatch(/^Campaign,Impressions/);
      await db().delete(mails);
      await deleteReport(ctx, { id });
    }
  });

  test("has a document of the rows of the view, by two dimensions too, as the file for spreadsheets has", async () => {
    const campaign = await world.aRunningCampaign({
      changes: { start_date: world.today(), channels: ["dv360", "trade_desk"], name: "Two channels" },
    });
    await world.deliver(campaign, { clicks: 10, channel: "dv360" });
    await world.deliver(campaign, { clicks: 20, channel: "trade_desk" });
    const query = "audience=&campaign=Two&group=campaign&split=channel&range=custom&from=2026-11-20&to=2026-11-20";
    const asked = new URLSearchParams(query);
    asked.set("campaign", campaign);
    const source = { name: "Channels", companyName: "Northwind", query: asked.toString() };
    const document = await loadReportDocument(world.northwind, { ...source, format: "pdf" });
    const makeFile = await inSnapshot(world.northwind, (tx) => prepareReportFile(tx, { ...source, format: "csv" }));
    const { content } = await makeFile();
    const bytes = content instanceof Readable ? await buffer(content) : Buffer.alloc(0);
    expect(bytes.toString()).toMatch(/^\uFEFFCampaign,Channel,/);
    const lines = bytes.toString().trim().split("\r\n");
    const named = ({ rows }: typeof document.table) => rows.map(([name, channel, , clicks]) => [name, channel, clicks]);
    expect(document.table.columns.slice(0, 2).map(({ head }) => head)).toEqual(["Campaign", "Channel"]);
    expect(named(document.table).sort()).toEqual([
      ["Two channels", "DV360", "10"],
      ["Two channels", "The Trade Desk", "20"],
    ]);
    expect(
      lines
        .slice(1, -1)
        .map((line) => line.split(",").slice(0, 2))
        .sort(),
    ).toEqual([
      ["Two channels", "DV360"],
      ["Two channels", "The Trade Desk"],
    ]);
    expect(document.table.totals?.slice(0, 4)).toEqual(["Total", "", "2,000", "30"]);
    expect(document.facts).toContainEqual({ label: "Filtered by", value: "Campaign" });
  });

  test("says as of when its figures are, if a replica had them some time ago", async () => {
    const query = "group=channel&range=custom&from=2026-11-20&to=2026-11-20";
    const source = { name: "Channels", companyName: "Northwind", query };
    const textOf = (asOf: Date | undefined) =>
      inSnapshot(world.northwind, async (tx) => {
        const reading = { ...tx, asOf };
        const { facts } = await loadReportDocument(reading, { ...source, format: "pdf" });
        const { content } = await (await prepareReportFile(reading, { ...source, format: "csv" }))();
        const lines = (content instanceof Readable ? await text(content) : "").trim().split("\r\n");
        return { fact: facts?.find(({ label }) => label === "Figures as of")?.value, last: lines.at(-1) };
      });
    const now = world.clock().getTime();
    expect(await textOf(new Date(now - 65_000))).toEqual({ fact: "11:58:55 UTC", last: "Figures as of 11:58:55 UTC" });
    for (const recent of [undefined, new Date(now - 1_000)]) {
      expect(await textOf(recent)).toEqual({ fact: undefined, last: expect.stringMatching(/^Total,/) });
    }
  });

  test("truncates no figure in its document, however large", async () => {
    const campaign = await world.aRunningCampaign({ changes: { start_date: world.today(), name: "x".repeat(120) } });
    const large = { impressions: 1_234_567_890, clicks: 123_456_789, conversions: 12_345_678 };
    await world.deliver(campaign, { ...large, revenueMicros: 12_345_678_900_000 });
    const query = `campaign=${campaign}&group=campaign&split=channel&range=custom&from=2026-11-20&to=2026-11-20`;
    const source = { name: "Large", companyName: "Northwind", query, format: "pdf" } as const;
    const document = await loadReportDocument(world.northwind, source);
    const chunks: Uint8Array[] = [];
    for await (const chunk of writePdf(document)) chunks.push(chunk);
    const written = await extractText(await getDocumentProxy(new Uint8Array(Buffer.concat(chunks))), {
      mergePages: true,
    });
    const { columns, rows } = document.table;
    const figures = columns.map(({ head }, at) => [head, rows[0]?.[at] ?? ""] as const).slice(2);
    expect(figures.map(([, value]) => value)).toEqual(expect.arrayContaining(["1,234,567,890", "$12,345,678.90"]));
    for (const [head, value] of figures) {
      expect(written.text).toContain(head);
      expect(written.text).toContain(value);
    }
  });

  test("has a link instead of a file that is too large", async () => {
    const id = await aReport();
    world.setNow("2026-11-21T08:00:00Z");
    await sendDueReports(world.job);
    const [sending] = await sendingsOf(id);
    const mail = { subjectId: sending?.id ?? "", userId: demoUserId("northwind") };
    const parts = await createReportParts(world.job, mail, { maxBytes: 20 });
    expect(parts).toMatchObject({ file: undefined, filePath: `/reports/${id}/sendings/${sending?.id}` });
  });

  test.each([
    ["left the account", () => db().update(users).set({ accountId: null }).where(eq(users.id, colleague.id))],
    [
      "turned it off",
      () =>
        db()
          .insert(mailSettings)
          .values({ userId: colleague.id, muted: ["report_ready"] }),
    ],
    ["lost the report", () => db().delete(savedViews)],
  ])("is not sent to who %s since it was due", async (_why, happens) => {
    await live();
    await aReport({ recipients: [colleague.email] });
    world.setNow("2026-11-21T08:00:00Z");
    await sendDueReports(world.job);
    const [{ id } = expect.fail()] = await waiting();
    await happens();
    expect(await deliver(id)).toEqual({ mail: undefined, state: "suppressed" });
    await db()
      .update(users)
      .set({ accountId: world.accountId("northwind") })
      .where(eq(users.id, colleague.id));
  });

  test("get a report after the other emails that are due, and before webhooks", async () => {
    const id = await aReport();
    await sendReportNow(world.northwind, { id, userId: colleague.id });
    const [report] = await waiting();
    await world.aLaunchedCampaign();
    const jobs = await queryRows(
      db(),
      z.object({ key: z.string(), priority: z.number() }),
      sql`select key, priority from graphile_worker.jobs where key in (select 'mail ' || id from mails) order by priority`,
    );
    const last = jobs.pop();
    expect(last?.key).toBe(`mail ${report?.id}`);
    expect(jobs.length).toBeGreaterThan(1);
    expect(new Set(jobs.map(({ priority }) => priority))).toEqual(new Set([0]));
    expect(last?.priority).toBeGreaterThan(0);
    expect(last?.priority).toBeLessThan(sendWebhookTask.priority);
  });

  test("asked for by a person goes to that person alone, with the dates and the format of the schedule", async () => {
    const id = await aReport({ recipients: [address, colleague.email], range: "last_7_days", format: "pdf" });
    await sendReportNow(world.northwind, { id, userId: colleague.id });
    expect((await waiting()).map(({ userId }) => userId)).toEqual([colleague.id]);
    const sent = { dueAt: null, firstDay: "2026-11-13", lastDay: "2026-11-19", format: "pdf", waiting: 1 };
    expect(await sendingsOf(id)).toMatchObject([sent]);
    await deleteReportSchedule(world.northwind, { id });
    await updateReport(world.northwind, { id, query: "range=7d" });
    await sendReportNow(world.northwind, { id, userId: colleague.id });
    const ofView = { dueAt: null, firstDay: "2026-11-14", lastDay: "2026-11-20", format: "csv", waiting: 1 };
    expect((await sendingsOf(id))[0]).toMatchObject(ofView);
  });

  test("receive nothing while emails to their address are held back: the schedule says so, and asking for one is an error", async () => {
    const id = await aReport({ recipients: [address, colleague.email] });
    const states = async () =>
      Object.fromEntries(
        (await getReport(world.northwind, id)).schedule?.recipients.map(({ email, state }) => [email, state]) ?? [],
      );
    const suppression = { userId: colleague.id, reason: "bounce", suppressedAt: world.clock() } as const;
    await db()
      .insert(mailSuppressions)
      .values({ ...suppression, address: colleague.email.toUpperCase() });
    onTestFinished(async () => void (await db().delete(mailSuppressions)));
    expect(await states()).toEqual({ [address]: "active", [colleague.email]: "suppressed" });
    await expectDomainError(sendReportNow(world.northwind, { id, userId: colleague.id }), "invalid_transition");
    expect(await sendingsOf(id)).toEqual([]);
    // Emails to an address that is no longer the person's say nothing about the present one.
    await db().update(mailSuppressions).set({ address: "before@example.com" });
    expect(await states()).toEqual({ [address]: "active", [colleague.email]: "active" });
    await db().update(mailSuppressions).set({ address: colleague.email, liftedAt: world.clock() });
    expect(await states()).toEqual({ [address]: "active", [colleague.email]: "active" });
    await sendReportNow(world.northwind, { id, userId: colleague.id });
    expect(await sendingsOf(id)).toHaveLength(1);
  });

  test("asked for by a person who turned these emails off is an error, and by one of another account not found", async () => {
    const id = await aReport();
    await db()
      .insert(mailSettings)
      .values({ userId: colleague.id, muted: ["report_ready"] });
    await expectDomainError(sendReportNow(world.northwind, { id, userId: colleague.id }), "invalid_transition");
    await expectDomainError(sendReportNow(world.northwind, { id, userId: demoUserId("brightside") }), "not_found");
    expect(await sendingsOf(id)).toEqual([]);
  });
});
