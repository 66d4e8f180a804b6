import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { breakDownPerformance } from "#app/domain/analytics/break-down-performance.server.ts";
import { listPerformance } from "#app/domain/analytics/list-performance.server.ts";
import { getAudienceMetrics } from "#app/domain/audiences/list-audience-campaigns.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { sandboxChannel } from "#app/domain/delivery/channels/sandbox/sandbox-channel.server.ts";
import { getCampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { type CampaignId, lowestIdAt, type MailId, type NotificationId, newIdBeside } from "#app/domain/ids.ts";
import { createMonthPartitions } from "#app/domain/months/create-month-partitions.server.ts";
import { dropMailMonths } from "#app/domain/months/drop-mail-months.server.ts";
import { claimMail, completeMail } from "#app/domain/notifications/claim-mail.server.ts";
import { receiveMailFeedback } from "#app/domain/notifications/feedback/receive-mail-feedback.server.ts";
import { findMail, listMails } from "#app/domain/notifications/list-mails.server.ts";
import { mailStates } from "#app/domain/notifications/notification.ts";
import { erasePerson } from "#app/domain/privacy/erase-person.server.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { listReportSendings } from "#app/domain/reports/list-report-sendings.server.ts";
import { sendReportNow } from "#app/domain/reports/send-report-now.server.ts";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { mailSuppressions, mails, notifications } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { demoAudienceId } from "#db/seed/demo-audiences.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { createWorld, type World } from "#tests/support/world.ts";

/** Where the partitions begin: the month in which the database that this one was copied from was migrated. */
let begin: Date;

/** The month of a number of months from that one. */
function monthOf(offset: number) {
  const first = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + offset, 1)).toISOString();
  return {
    suffix: first.slice(0, 7).replace("-", "_"),
    day: (number: string) => `${first.slice(0, 8)}${number}` as CalendarDate,
  };
}
/** Before the partitions begin, in the first two, and after the last one. */
const delivered = [-2, 0, 1, 6];
const past = () => `deliveries_before_${monthOf(0).suffix}`;

const db = useDatabase();
let world: World;
let id: CampaignId;

const nameRow = z.object({ name: z.string() });
const names = async (query: ReturnType<typeof sql>, on: Database = db.owner()) =>
  (await queryRows(on, nameRow, query)).map(({ name }) => name);
const partitionsOf = (table: string) =>
  names(sql`select distinct tableoid::regclass::text as name from ${sql.identifier(table)} order by 1`);

beforeAll(async () => {
  const [first = ""] = await names(sql`
    select min(inhrelid::regclass::text) as name from pg_inherits where inhrelid::regclass::text ~ '^deliveries_2\\d+_\\d\\d$'`);
  begin = new Date(first.replace(/^deliveries_(\d+)_(\d\d)$/, "$1-$2-01"));
  world = await createWorld(db());
  world.setNow(`${monthOf(-2).day("10")}T12:00:00Z`);
  const flight = { start_date: monthOf(-2).day("10"), end_date: monthOf(7).day("10"), budget: 50_000 };
  id = await world.aRunningCampaign({ changes: flight });
  for (const offset of delivered) {
    world.setNow(`${monthOf(offset).day("20")}T12:00:00Z`);
    await world.deliver(id, { day: monthOf(offset).day("15") });
  }
});

test("facts are stored in the partition of their month, historic and unprepared ones too", async () => {
  const expected = [monthOf(0).suffix, monthOf(1).suffix].map((suffix) => `deliveries_${suffix}`);
  expect(await partitionsOf("deliveries")).toEqual([...expected, past(), "deliveries_default"].sort());
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("a report restates facts of several months, and their revisions are in the same months", async () => {
  for (const offset of delivered) {
    const row = { day: monthOf(offset).day("15"), impressions: 900, channel: "dv360" } as const;
    expect(await world.deliver(id, row)).toMatchObject({ restated: 1 });
  }
  const facts = await partitionsOf("deliveries");
  expect(await partitionsOf("delivery_revisions")).toEqual(
    facts.map((name) => name.replace("deliveries", "delivery_revisions")),
  );
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("a revision refers to a fact of its month, and neither is changed or deleted", async () => {
  for (const name of await partitionsOf("delivery_revisions")) {
    const part = sql.identifier(name);
    const other = sql`insert into ${part} select (jsonb_populate_record(one, '{"revision": 7, "source": "other"}')).* from ${part} one`;
    await expect(db.owner().execute(other)).rejects.toMatchObject({
      cause: { constraint_name: "delivery_revisions_fact" },
    });
    await expect(db.owner().execute(sql`truncate ${part}`)).rejects.toMatchObject({ cause: { code: "23001" } });
  }
  await expect(db.owner().execute(sql`delete from deliveries`)).rejects.toMatchObject({ cause: { code: "23001" } });
  await expect(db.owner().execute(sql`delete from delivery_revisions`)).rejects.toMatchObject({
    cause: { code: "23001" },
  });
});

test("the server has no access to a partition, and cannot drop or detach one", async () => {
  for (const attack of [
    `select from ${past()}`,
    `insert into ${past()} select * from deliveries`,
    `drop table ${past()}`,
    `alter table deliveries detach partition ${past()}`,
    `select prepare_partition('deliveries', 'other')`,
  ]) {
    await expect(db().execute(sql.raw(attack)), attack).rejects.toMatchObject({ cause: { code: "42501" } });
  }
});

const partition = /^(deliveries|delivery_revisions|mails|mail_feedback)_(before|default|2)/;
const scanRow = z.object({ name: z.string(), scans: z.number() });

/** Returns the partitions that statements of this work scanned or wrote to, and rolls it back. */
async function partitionsScanned(work: (on: Database) => Promise<unknown>) {
  let scanned: string[] = [];
  const end = new Error("rolled back");
  const rolledBack = db().transaction(async (tx) => {
    // A connection counts on from transactions before, until it reports what it counted.
    const scans = async () =>
      queryRows(
        tx,
        scanRow,
        sql`select relname as name, (seq_scan + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd)::int as scans from pg_stat_xact_user_tables`,
      );
    const before = new Map((await scans()).map(({ name, scans: count }) => [name, count]));
    await work(tx);
    const after = await scans();
    scanned = after
      .filter(({ name, scans: count }) => partition.test(name) && count > (before.get(name) ?? 0))
      .map(({ name }) => name)
      .sort();
    throw end;
  });
  await expect(rolledBack).rejects.toBe(end);
  return scanned;
}

describe("no statement scans a month that it does not need:", () => {
  /** Another campaign, which delivered only in one month. */
  let recent: CampaignId;
  let month: ReturnType<typeof monthOf>;
  let only: string[];
  beforeAll(async () => {
    month = monthOf(1);
    only = [`deliveries_${month.suffix}`];
    world.setNow(`${month.day("02")}T12:00:00Z`);
    const flight = { start_date: month.day("02"), end_date: month.day("20") };
    recent = await world.aRunningCampaign({ audiences: ["campers"], changes: flight });
    const audienceId = demoAudienceId("campers");
    await world.deliver(recent, { audienceId });
    world.setNow(`${month.day("10")}T12:00:00Z`);
  });

  test("an ingest of new facts", async () => {
    const scanned = await partitionsScanned((on) =>
      world.deliver(recent, { audienceId: demoAudienceId("campers"), day: month.day("03") }, { ...world.job, db: on }),
    );
    expect(scanned).toEqual(only);
  });

  test("an ingest that restates", async () => {
    const row = { audienceId: demoAudienceId("campers"), day: month.day("02"), impressions: 700 };
    const scanned = await partitionsScanned((on) => world.deliver(recent, row, { ...world.job, db: on }));
    expect(scanned).toEqual([...only, `delivery_revisions_${month.suffix}`]);
  });

  test("a campaign's page, for both sides", async () => {
    for (const by of [world.northwind, world.harbor]) {
      const scanned = await partitionsScanned(async (on) => {
        const { audiences } = await getCampaignDelivery({ ...by, db: on }, recent);
        expect(audiences).toHaveLength(1);
      });
      expect(scanned).toEqual(only);
    }
  });

  test("an audience's metrics, which are sums of months", async () => {
    const scanned = await partitionsScanned(async (on) => {
      const metrics = await getAudienceMetrics({ ...world.harbor, db: on }, demoAudienceId("campers"));
      expect(metrics.impressions).toBeGreaterThan(0);
    });
    expect(scanned).toEqual([]);
  });

  test("analytics that sum facts, of the period alone", async () => {
    // A whole month is read from its roll-up.
    const period = { from: month.day("02"), to: month.day("28") };
    for (const by of [world.northwind, world.harbor]) {
      const scanned = await partitionsScanned(async (on) => {
        const ctx = { ...by, db: on };
        const { groups } = await breakDownPerformance(ctx, {
          period,
          group: "campaign",
          split: "channel",
          limits: { groups: 5, parts: 5 },
        });
        expect(groups).toHaveLength(2);
        await listPerformance(ctx, { period, filters: { campaign: recent }, group: "channel", limit: 5 });
      });
      expect(scanned).toEqual(only);
    }
  });

  test("the simulated channels, which look for other reports of each line item in its months", async () => {
    const until = world.clock();
    const scanned = await partitionsScanned(async (on) => {
      await on.execute(sql`update line_items set withdrawn_at = now() where campaign_id = ${id}`);
      const reports = sandboxChannel().fetchReport({ ...world.job, db: on }, { from: until, until });
      for await (const rows of reports) expect(rows).toEqual([]);
    });
    expect(scanned).toEqual(only);
  });

  test("the check of a ledger whose settlement waits", async () => {
    const scanned = await partitionsScanned(async (on) => {
      await on.execute(sql`
        insert into line_item_settlements (line_item_id, spend_micros, spend_cents, earnings_cents, settled_through, revision)
        select id, 0, 0, 0, ${world.today()}::date, 1 from line_items where campaign_id = ${recent}`);
      await checkLedger({ ...world.job, db: on });
    });
    expect(scanned).toEqual(only);
  });
});

/** Returns the partitions that the work read whole where an index could be used, and rolls it back. */
async function partitionsReadWhole(work: (on: Database) => Promise<unknown>) {
  let whole: string[] = [];
  await partitionsScanned(async (on) => {
    await on.execute(sql`set local enable_seqscan = off`);
    const scans = () =>
      queryRows(
        on,
        scanRow,
        sql`select relname as name, seq_scan::int as scans from pg_stat_xact_user_tables where seq_scan > 0`,
      );
    const before = new Map((await scans()).map(({ name, scans: count }) => [name, count]));
    await work(on);
    whole = (await scans())
      .filter(({ name, scans: count }) => partition.test(name) && count > (before.get(name) ?? 0))
      .map(({ name }) => name);
  });
  return whole;
}

/** Inserts a mail with its notification, both of a month of the tests. */
async function aMail(offset: number, { digestId }: { digestId?: MailId } = {}): Promise<MailId> {
  const notificationId = newIdBeside<NotificationId>(lowestIdAt(Date.parse(`${monthOf(offset).day("15")}T12:00:00Z`)));
  const id = newIdBeside<MailId>(notificationId);
  const accountId = world.accountId("northwind");
  const notification = { id: notificationId, accountId, eventKey: id, subjectId: accountId, facts: { company: "A" } };
  await db()
    .insert(notifications)
    .values({ ...notification, event: "account_approved", createdAt: world.clock() });
  await db()
    .insert(mails)
    .values({
      id,
      notificationId,
      userId: demoUserId("northwind"),
      address: "advertiser@example.com",
      state: digestId ? "in_digest" : "waiting",
      createdAt: world.clock(),
      ...(digestId && { digestId }),
    });
  return id;
}
/** A mail of each month, by its offset. */
const mailIds = new Map<number, MailId>();

describe("mails and what servers reported about them", () => {
  beforeAll(async () => {
    for (const offset of delivered) {
      const mailId = await aMail(offset);
      mailIds.set(offset, mailId);
      await receiveMailFeedback(world.job, { mailId, kind: "complaint", status: null });
    }
  });
  const suffixes = () => [`before_${monthOf(0).suffix}`, monthOf(0).suffix, monthOf(1).suffix, "default"];

  test("are stored in the partition of the month of the mail's id", async () => {
    for (const table of ["mails", "mail_feedback"]) {
      expect(await partitionsOf(table)).toEqual(
        suffixes()
          .map((suffix) => `${table}_${suffix}`)
          .sort(),
      );
    }
  });

  test("are unique in it by notification and person, and a report needs its mail there", async () => {
    for (const suffix of suffixes()) {
      const part = sql.identifier(`mails_${suffix}`);
      const again = sql`insert into ${part} select (jsonb_populate_record(one, jsonb_build_object('id', left(one.id::text, 26) || '0000000000'))).* from ${part} one limit 1`;
      await expect(db.owner().execute(again)).rejects.toMatchObject({ cause: { code: "23505" } });
      const reports = sql.identifier(`mail_feedback_${suffix}`);
      const other = sql`insert into ${reports} select (jsonb_populate_record(one, jsonb_build_object('mail_id', left(one.mail_id::text, 26) || '0000000000'))).* from ${reports} one limit 1`;
      await expect(db.owner().execute(other)).rejects.toMatchObject({
        cause: { constraint_name: "mail_feedback_mail_id_mails_id_fk" },
      });
    }
  });

  test("are scanned in their month only: a mail that is claimed, read, sent and reported about", async () => {
    for (const offset of [0, 1]) {
      const id = mailIds.get(offset) ?? expect.fail();
      const scanned = await partitionsScanned(async (on) => {
        const ctx = { ...world.job, db: on };
        const { attempts = 0, ...claimed } = (await claimMail(ctx, id)) ?? {};
        expect(claimed).toMatchObject({ id, feedback: "complaint" });
        await completeMail(ctx, { id, attempts, state: "sent" });
        expect(await findMail(ctx, id)).toMatchObject({ state: "sent" });
        await receiveMailFeedback(ctx, { mailId: id, kind: "bounce", status: "5.1.1" });
      });
      expect(scanned).toEqual(["mail_feedback", "mails"].map((table) => `${table}_${monthOf(offset).suffix}`));
    }
  });

  test("are scanned in the newest month only: the list of the outbox", async () => {
    const scanned = await partitionsScanned(async (on) => {
      const { rows } = await listMails({ ...world.job, db: on }, { limit: 2, states: mailStates });
      expect(rows).toHaveLength(2);
    });
    const newest = ["mail_feedback", "mails"].map((table) => `${table}_${monthOf(0).suffix}`);
    // Where a server's clock is fast, mails of the next month are there on the last day of this one.
    const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
    const next = tomorrow >= monthOf(1).day("01") ? [`mails_${monthOf(1).suffix}`] : [];
    expect(scanned).toEqual([...newest, ...next]);
  });

  test("are read by indexes: what an erased person has, and what soft bounces of two weeks say", async () => {
    const userId = demoUserId("northwind");
    const erasing = await partitionsReadWhole(async (on) => {
      await erasePerson({ ...world.job, db: on }, { userId, accountId: undefined });
      const left = sql`select address from mails where user_id = ${userId} and (address <> '' or state = 'waiting')`;
      expect(await on.execute(left)).toHaveLength(0);
    });
    expect(erasing).toEqual([]);
    const bouncing = await partitionsReadWhole(async (on) => {
      const report = { mailId: mailIds.get(0) ?? expect.fail(), kind: "soft_bounce", status: "4.2.2" } as const;
      expect(await receiveMailFeedback({ ...world.job, db: on }, report)).toEqual({ effect: "counted" });
    });
    expect(bouncing).toEqual([]);
  });

  test("are scanned in the month of its sendings: a report's page", async () => {
    const { id: reportId } = await createReport(world.northwind, { name: "By channel", query: "group=channel" });
    // The person's address works again.
    await db().delete(mailSuppressions);
    await sendReportNow(world.northwind, { id: reportId, userId: demoUserId("northwind") });
    const scanned = await partitionsScanned(async (on) => {
      const { rows } = await listReportSendings({ ...world.northwind, db: on }, { reportId });
      expect(rows).toMatchObject([{ waiting: 1, sent: 0 }]);
    });
    // An hour around the sending, which is in two months where one of them begins.
    const months = [-1, 1].map((hours) => {
      const suffix = new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 7).replace("-", "_");
      return suffix < monthOf(0).suffix ? `mails_before_${monthOf(0).suffix}` : `mails_${suffix}`;
    });
    expect(scanned).toEqual([...new Set(months)].sort());
  });
});

const contents = () =>
  names(
    sql`select fact::text as name from deliveries fact union all select one::text from delivery_revisions one
      union all select mail::text from mails mail union all select report::text from mail_feedback report order by 1`,
  );

test("months are created ahead, by one process of several, and get their facts from the default partition", async () => {
  const before = await contents();
  world.setNow(`${monthOf(6).day("20")}T12:00:00Z`);
  const created = await Promise.all([1, 2, 3].map(() => createMonthPartitions(world.job)));
  // The migration created this month and three more; four tables have a partition of each of the six until the ninth.
  expect(created.sort()).toEqual([0, 0, 24]);
  const later = await partitionsOf("deliveries");
  expect(later).toContain(`deliveries_${monthOf(6).suffix}`);
  expect(later).not.toContain("deliveries_default");
  expect(await partitionsOf("delivery_revisions")).toContain(`delivery_revisions_${monthOf(6).suffix}`);
  expect(await partitionsOf("mails")).toContain(`mails_${monthOf(6).suffix}`);
  expect(await partitionsOf("mail_feedback")).toContain(`mail_feedback_${monthOf(6).suffix}`);
  expect(await contents()).toEqual(before);
  expect(await findBrokenInvariants(db())).toEqual({});
  // Guards and sums apply to them as to the others.
  await world.deliver(id, { day: monthOf(6).day("15"), impressions: 800 });
  await world.deliver(id, { day: monthOf(6).day("16") });
  await expect(db.owner().execute(sql`delete from deliveries`)).rejects.toMatchObject({ cause: { code: "23001" } });
  expect(await findBrokenInvariants(db())).toEqual({});
  expect(await createMonthPartitions(world.job)).toBe(0);
});

test("a transaction that reads all months makes the job fail without an effect, and goes on", async () => {
  world.setNow(`${monthOf(8).day("20")}T12:00:00Z`);
  const partitions = () => names(sql`select inhrelid::regclass::text as name from pg_inherits order by 1`);
  const before = await partitions();
  await db.owner().transaction(async (tx) => {
    await tx.execute(sql`select count(*) from deliveries`);
    await expect(createMonthPartitions(world.job)).rejects.toMatchObject({ cause: { code: "55P03" } });
    expect(await partitions()).toEqual(before);
    await tx.execute(sql`select count(*) from deliveries`);
  });
  expect(await createMonthPartitions(world.job)).toBeGreaterThan(0);
});

test("the server cannot create partitions of more than a year", async () => {
  await db().execute(sql`select create_month_partitions('infinity')`);
  const last = await names(sql`
    select max(inhrelid::regclass::text) as name from pg_inherits where inhrelid::regclass::text ~ '^deliveries_2\\d+_\\d\\d$'`);
  expect(last).toEqual([`deliveries_${monthOf(12).suffix}`]);
});

describe("months of mails whose retention is over", () => {
  const retentionDays = 400;
  const exists = async (id: MailId) => (await findMail(world.job, id)) !== undefined;
  const idOf = (offset: number) => mailIds.get(offset) ?? expect.fail();
  const reports = () => names(sql`select distinct mail_id::text as name from mail_feedback`);

  test("stay while one of their mails may be younger, or a transaction reads them", async () => {
    world.setNow(`${monthOf(13).day("01")}T12:00:00Z`);
    expect(await dropMailMonths(world.job, { retentionDays })).toBe(0);
    world.setNow(`${monthOf(14).day("20")}T12:00:00Z`);
    await db.owner().transaction(async (tx) => {
      await tx.execute(sql`select count(*) from mails`);
      await expect(dropMailMonths(world.job, { retentionDays })).rejects.toMatchObject({ cause: { code: "55P03" } });
    });
    expect(await exists(idOf(0))).toBe(true);
  });

  test("are dropped with what was reported, and a daily mail of the month after stays without those it carried", async () => {
    const digest = await aMail(2);
    await db().execute(sql`update mails set digest_id = id where id = ${digest}`);
    const carried = await aMail(1, { digestId: digest });
    const { id: reportId } = await createReport(world.northwind, { name: "Long ago", query: "" });
    await sendReportNow(world.northwind, { id: reportId, userId: demoUserId("northwind") });
    const younger = lowestIdAt(Date.parse(`${monthOf(6).day("01")}T00:00:00Z`));
    await db().execute(sql`
      insert into report_sendings select (jsonb_populate_record(sent, jsonb_build_object('id', ${younger}::text))).* from report_sendings sent
      where report_id = ${reportId}`);
    expect(await findMail(world.job, digest)).toMatchObject({ carries: 2 });
    // The past, this month and the next one are two partitions each and one of the past.
    const dropped = await Promise.all([1, 2].map(() => dropMailMonths(world.job, { retentionDays })));
    expect(dropped.sort()).toEqual([0, 6]);
    expect(await Promise.all([idOf(-2), idOf(0), idOf(1), carried].map(exists))).toEqual(Array(4).fill(false));
    expect(await Promise.all([idOf(6), digest].map(exists))).toEqual([true, true]);
    expect(await findMail(world.job, digest)).toMatchObject({ carries: 1 });
    expect((await listReportSendings(world.northwind, { reportId })).rows.map(({ id }) => id)).toEqual([younger]);
    expect(await reports()).toEqual([idOf(6)]);
    expect(await dropMailMonths(world.job, { retentionDays })).toBe(0);
  });

  test("still have a place, and their keys, for a mail of that time", async () => {
    const old = await aMail(0);
    expect(await partitionsOf("mails")).toContain(`mails_before_${monthOf(2).suffix}`);
    await receiveMailFeedback(world.job, { mailId: old, kind: "soft_bounce", status: null });
    expect(await partitionsOf("mail_feedback")).toContain(`mail_feedback_before_${monthOf(2).suffix}`);
    expect(await db().execute(sql`delete from mails where id = ${old}`)).toMatchObject({ count: 1 });
    expect(await reports()).toEqual([idOf(6)]);
    expect(await createMonthPartitions(world.job)).toBe(0);
  });

  test("are kept when they ended less than a week ago, however short their retention", async () => {
    world.setNow(`${monthOf(3).day("07")}T12:00:00Z`);
    expect(await dropMailMonths(world.job, { retentionDays: 7 })).toBe(0);
    world.setNow(`${monthOf(3).day("08")}T12:00:00Z`);
    expect(await dropMailMonths(world.job, { retentionDays: 7 })).toBe(4);
  });
});
