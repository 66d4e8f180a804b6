import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { mailSettings, mails, users } from "#db/schema/index.ts";
import { newUser } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { member, type TestMember } from "./api.ts";

const db = useDatabase();
let own: TestMember;
let address: string;
beforeEach(async () => {
  own = await member("advertiser");
  address = await addressOf(own);
});

async function addressOf({ userId }: Pick<TestMember, "userId">): Promise<string> {
  const [person] = await db().select({ email: users.email }).from(users).where(eq(users.id, userId));
  return person?.email ?? expect.fail();
}

const weekly = {
  frequency: "weekly",
  weekday: "friday",
  hour: 7,
  time_zone: "Europe/Berlin",
  range: "last_week",
  format: "pdf",
} as const;

async function aReport(name = "By channel", query = "group=channel"): Promise<string> {
  const { body } = await own.byKey("POST /api/reports", { body: { name, query } });
  return body.report.id;
}

test("a report is saved, changed, listed and deleted by a key as on the screens", async () => {
  const created = await own.byKey("POST /api/reports", {
    body: { name: " Channels ", query: "?split=campaign&group=channel&page=2" },
  });
  expect([created.status, created.body.report]).toEqual([
    201,
    {
      id: expect.any(String),
      name: "Channels",
      query: "group=channel&split=campaign",
      created_at: expect.any(String),
      schedule: null,
      last_sending: null,
    },
  ]);
  const { id } = created.body.report;
  const params = { id };
  const changed = await own.byKey("PATCH /api/reports/{id}", { params, body: { name: "By channel" } });
  expect(changed.body.report).toMatchObject({ name: "By channel", query: "group=channel&split=campaign" });
  const other = await own.byKey("PATCH /api/reports/{id}", { params, body: { query: "group=day" } });
  expect(other.body.report).toMatchObject({ name: "By channel", query: "group=day" });
  await aReport("Audiences");
  const first = await own.byKey("GET /api/reports", { query: { limit: 1 } });
  expect(first.body.reports.map(({ name }) => name)).toEqual(["Audiences"]);
  const second = await own.byKey("GET /api/reports", { query: { limit: 1, cursor: first.body.next_cursor ?? "" } });
  expect([second.body.reports.map(({ name }) => name), second.body.next_cursor]).toEqual([["By channel"], null]);
  expect((await own.byKey("GET /api/reports/{id}", { params })).body).toEqual(other.body);
  expect((await own.byKey("DELETE /api/reports/{id}", { params })).body).toEqual({ success: true });
  expect((await own.byKey("GET /api/reports/{id}", { params })).status).toBe(404);
});

test("the columns that were chosen in analytics are saved with a report, and with a change of it", async () => {
  const query = "group=campaign&columns=clicks&columns=spend";
  const created = await own.byKey("POST /api/reports", { body: { name: "Clicks and spend", query } });
  expect([created.status, created.body.report?.query]).toEqual([201, "columns=clicks%2Cspend&group=campaign"]);
  const params = { id: created.body.report.id };
  for (const stored of ["columns=roas&group=campaign", "columns=&group=campaign"]) {
    const changed = await own.byKey("PATCH /api/reports/{id}", { params, body: { query: stored } });
    expect([changed.status, changed.body.report?.query]).toEqual([200, stored]);
  }
});

test("a date range that ends before it starts is an error, of a new report and of a change", async () => {
  const fields = { query: ["The date range ends before it starts. Choose another one in analytics."] };
  const query = "from=2026-03-02&to=2026-03-01";
  const created = await own.byKey("POST /api/reports", { body: { name: "Reversed", query } });
  expect([created.status, created.error?.fields]).toEqual([422, fields]);
  const params = { id: await aReport("Forwards", "from=2026-03-01&to=2026-03-02") };
  const changed = await own.byKey("PATCH /api/reports/{id}", { params, body: { query } });
  expect([changed.status, changed.error?.fields]).toEqual([422, fields]);
  // A preset counts alone.
  const preset = await own.byKey("PATCH /api/reports/{id}", { params, body: { query: `${query}&range=7d` } });
  expect(preset.status).toBe(200);
});

test("a value that analytics would ignore is an error, of a new report and of a change", async () => {
  const query = "channel=dv36O&group=channel&from=2026-02-30&split=";
  const fields = { query: ["Analytics has no such value of channel, from. Choose another one."] };
  const created = await own.byKey("POST /api/reports", { body: { name: "Misspelled", query } });
  expect([created.status, created.error?.fields]).toEqual([422, fields]);
  const params = { id: await aReport("One channel", "channel=dv360") };
  const changed = await own.byKey("PATCH /api/reports/{id}", { params, body: { query } });
  expect([changed.status, changed.error?.fields]).toEqual([422, fields]);
  expect((await own.byKey("GET /api/reports/{id}", { params })).body.report.query).toBe("channel=dv360");
});

test.each([
  [
    "a parameter that is none",
    "channels=google&group=channel",
    "Analytics has no parameter channels. Check how it is spelled.",
  ],
  [
    "two of them",
    "theme=dark&channels=&theme=light",
    "Analytics has no parameter theme, channels. Check how it is spelled.",
  ],
  ["a metric that is none", "metric=Sales", "Analytics has no such value of metric. Choose another one."],
  [
    "metrics of publishers",
    "metric=Earnings&second=eCPM&sort=earnings",
    "Analytics has no such value of metric, second, sort. Choose another one.",
  ],
  ["a dimension of publishers", "group=advertiser", "Analytics has no such value of group. Choose another one."],
  ["days that are split", "group=day&split=channel", "Analytics has no such value of split. Choose another one."],
  [
    "a column that the account's table lacks",
    "columns=spend,earnings",
    "Analytics has no such value of columns. Choose another one.",
  ],
  [
    "more than two years",
    "from=2023-10-30&to=2025-10-30",
    "The date range is longer than 731 days, which are two years. Choose a shorter one.",
  ],
  [
    "more than two years until today",
    "from=2020-01-01",
    "The date range is longer than 731 days, which are two years. Choose a shorter one.",
  ],
  [
    "days after today",
    "from=2199-01-01&channel=dv360",
    "The date range begins after today (UTC). Choose another one in analytics.",
  ],
  [
    "two channels",
    "channel=dv360&group=channel&channel=google",
    "The query has channel more than once. Keep one of each.",
  ],
  [
    "filters that an empty one of the same name would end",
    "campaign=x&audience=y&campaign=&audience=",
    "The query has campaign, audience more than once. Keep one of each.",
  ],
])("a query with %s is an error, of a new report and of a change", async (_what, query, message) => {
  const created = await own.byKey("POST /api/reports", { body: { name: "Wrong", query } });
  expect([created.status, created.error?.fields]).toEqual([422, { query: [message] }]);
  const params = { id: await aReport("Right", "channel=dv360") };
  const changed = await own.byKey("PATCH /api/reports/{id}", { params, body: { query } });
  expect([changed.status, changed.error?.fields]).toEqual([422, { query: [message] }]);
  expect((await own.byKey("GET /api/reports/{id}", { params })).body.report.query).toBe("channel=dv360");
});

test("a query of thousands of unknown parameters is an error that names a few", async () => {
  const query = Array.from({ length: 700 }, (_, index) => `${"x".repeat(5)}${index}=1`).join("&");
  const { status, error } = await own.byKey("POST /api/reports", { body: { name: "Long", query } });
  expect([status, error?.fields?.query?.[0]?.length]).toEqual([422, expect.any(Number)]);
  expect(error?.fields?.query?.[0]?.length).toBeLessThan(200);
});

test("own metrics, two years and the URL of the page are saved", async () => {
  const query = "?metric=ROAS&second=Spend&sort=revenue&order=ascending&from=2023-10-31&to=2025-10-30&page=3&saved=x";
  const { status, body } = await own.byKey("POST /api/reports", { body: { name: "All", query } });
  expect([status, body.report.query]).toEqual([
    201,
    "from=2023-10-31&metric=ROAS&order=ascending&second=Spend&sort=revenue&to=2025-10-30",
  ]);
});

test("a name that the account has, an empty one and the 51st report are errors", async () => {
  await aReport("Weekly");
  const again = await own.byKey("POST /api/reports", { body: { name: "WEEKLY" } });
  expect([again.status, again.error?.fields]).toEqual([
    422,
    { name: ["Your account has a report with this name. Choose another one."] },
  ]);
  const empty = await own.byKey("POST /api/reports", { body: { name: " " } });
  expect([empty.status, empty.error?.fields]).toEqual([422, { name: ["Enter a name"] }]);
  for (let index = 1; index < 50; index += 1) await aReport(`Report ${index}`);
  const tooMany = await own.byKey("POST /api/reports", { body: { name: "One more" } });
  expect([tooMany.status, tooMany.error?.code]).toEqual([409, "limit_reached"]);
});

test("a schedule is stored, replaced, paused, resumed and deleted", async () => {
  const params = { id: await aReport() };
  const body = { ...weekly, recipients: [address.toUpperCase()] };
  const scheduled = await own.byKey("POST /api/reports/{id}/schedule", { params, body });
  const { schedule } = scheduled.body.report;
  expect([scheduled.status, schedule]).toEqual([
    200,
    {
      ...weekly,
      day_of_month: 1,
      recipients: [{ name: expect.any(String), email: address, state: "active" }],
      is_paused: false,
      next_due_at: expect.any(String),
    },
  ]);
  expect(new Date(schedule?.next_due_at ?? "").getUTCDay()).toBe(5);
  const paused = await own.byKey("POST /api/reports/{id}/pause", { params });
  expect(paused.body.report.schedule).toMatchObject({ is_paused: true, next_due_at: null });
  const replaced = await own.byKey("POST /api/reports/{id}/schedule", {
    params,
    body: { ...body, frequency: "monthly", day_of_month: 31, format: "csv" },
  });
  expect(replaced.body.report.schedule).toMatchObject({ frequency: "monthly", day_of_month: 31, is_paused: true });
  const resumed = await own.byKey("POST /api/reports/{id}/resume", { params });
  expect(resumed.body.report.schedule).toMatchObject({ is_paused: false, next_due_at: expect.any(String) });
  const unscheduled = await own.byKey("DELETE /api/reports/{id}/schedule", { params });
  expect([unscheduled.status, unscheduled.body.report.schedule]).toEqual([200, null]);
  expect((await own.byKey("DELETE /api/reports/{id}/schedule", { params })).status).toBe(404);
  expect((await own.byKey("POST /api/reports/{id}/pause", { params })).status).toBe(404);
});

test("only people of the account can be recipients, and each wrong field is named", async () => {
  const params = { id: await aReport() };
  const stranger = await addressOf(await member("advertiser"));
  const outside = await own.byKey("POST /api/reports/{id}/schedule", {
    params,
    body: { ...weekly, recipients: [address, stranger] },
  });
  expect([outside.status, outside.error?.fields]).toEqual([
    422,
    { recipients: ["A report is only sent to people of your account. Choose people from the list."] },
  ]);
  const wrong = await own.byKey("POST /api/reports/{id}/schedule", {
    params,
    body: { ...weekly, hour: 24, time_zone: "Mars/Olympus", recipients: [] },
  });
  expect([wrong.status, wrong.error?.fields]).toEqual([
    422,
    {
      hour: ["Choose an hour from 0 to 23"],
      time_zone: ["Choose a time zone from the list"],
      recipients: ["Choose at least one person"],
    },
  ]);
  expect((await own.byKey("GET /api/reports/{id}", { params })).body.report.schedule).toBe(null);
});

test("a report is sent at once to who is signed in, who sees the email's state; a key has no email address", async () => {
  const params = { id: await aReport() };
  const colleague = await newUser();
  await db().update(users).set({ accountId: own.accountId }).where(eq(users.id, colleague));
  const sent = await own.api("POST /api/reports/{id}/send", { params });
  expect([sent.status, sent.body.sending]).toMatchObject([
    202,
    { report_id: params.id, due_at: null, format: "csv", emails: { sent: 0, waiting: 1, failed: 0, not_emailed: 0 } },
  ]);
  const written = await db().select({ to: mails.address }).from(mails).where(eq(mails.userId, own.userId));
  expect(written).toContainEqual({ to: address });
  expect(await db().$count(mails, eq(mails.userId, colleague))).toBe(0);
  const { body } = await own.byKey("GET /api/reports/{id}/sendings", { params });
  expect(body).toEqual({ sendings: [sent.body.sending], next_cursor: null });
  expect((await own.byKey("GET /api/reports/{id}", { params })).body.report.last_sending).toEqual(sent.body.sending);
  const byKey = await own.byKey("POST /api/reports/{id}/send", { params });
  expect([byKey.status, byKey.error?.code]).toEqual([403, "forbidden"]);
  await db()
    .insert(mailSettings)
    .values({ userId: own.userId, muted: ["report_ready"] });
  const muted = await own.api("POST /api/reports/{id}/send", { params });
  expect([muted.status, muted.error?.code]).toEqual([409, "invalid_transition"]);
});
