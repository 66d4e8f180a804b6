import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { desc } from "drizzle-orm";
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { breakDownPerformance } from "#app/domain/analytics/break-down-performance.server.ts";
import * as factsLimit from "#app/domain/analytics/facts-limit.server.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { reportScheduleSchema } from "#app/domain/reports/report-payloads.ts";
import { parseReportQuery } from "#app/domain/reports/report-query.ts";
import { scheduleReport } from "#app/domain/reports/schedule-report.server.ts";
import { sendDueReports } from "#app/domain/reports/send-due-reports.server.ts";
import * as staleReads from "#app/domain/stale-reads.server.ts";
import { createReportParts } from "#app/mail/report-parts.server.ts";
import * as analytics from "#app/screens/shared/analytics/export.ts";
import * as file from "#app/screens/shared/reports/file/route.ts";
import { rateLimits, reportSendings, savedViews, users } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { messageOf, useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
useEnvironment({ RATE_LIMITS: "on" });
const query = "group=campaign&split=category&channel=dv360";

beforeAll(async () => {
  const id = await world().aRunningCampaign({ changes: { name: "Two days", start_date: world().today() } });
  await world().deliver(id, { clicks: 10 });
  world().advanceDays(1);
  await world().deliver(id, { clicks: 20 });
});
beforeEach(async () => {
  // What a page sums for a breakdown is less than what two days of one campaign have.
  vi.spyOn(factsLimit, "maxBreakdownFacts", "get").mockReturnValue(1);
  await world().db.delete(savedViews);
  await world().db.delete(rateLimits);
});

const download = ({ id, reportId }: typeof reportSendings.$inferSelect) =>
  visit(world(), "northwind", file.loader, `/advertiser/reports/${reportId}/sendings/${id}`, {
    params: { id: reportId, sending: id },
  });

/** Sends a report of both days tomorrow, by its schedule, and returns its sending. */
async function sentReport(format: "csv" | "pdf") {
  const person = (await world().db.select().from(users)).find(({ id }) => id === demoUserId("northwind"));
  const { id } = await createReport(world().northwind, { name: "By campaign and category", query });
  const schedule = { frequency: "daily", hour: 8, time_zone: "UTC", range: "last_7_days", format };
  await scheduleReport(world().northwind, {
    id,
    ...reportScheduleSchema.parse({ ...schedule, recipients: [person?.email ?? ""] }),
  });
  world().advanceDays(1);
  vi.setSystemTime(world().clock());
  expect(await sendDueReports(world().job)).toBe(1);
  const [sending] = await world().db.select().from(reportSendings).orderBy(desc(reportSendings.id)).limit(1);
  return sending ?? expect.fail();
}

test("the email of a report has its file where the page has too much delivery to show it", async () => {
  const sending = await sentReport("csv");
  const limits = { groups: 10, parts: 5 };
  const asked = parseReportQuery(world().northwind, sending.query);
  const { group, split } = { group: "campaign", split: "category" } as const;
  await expectDomainError(breakDownPerformance(world().northwind, { ...asked, group, split, limits }), "invalid_input");
  const parts = await createReportParts(world().job, { subjectId: sending.id, userId: demoUserId("northwind") });
  const content = parts?.file?.content;
  expect(content instanceof Readable && (await text(content))).toMatch(/^Campaign,.*\r\nTwo days,.*,30,/);
});

test.each(["csv", "pdf"] as const)("its %s is downloaded again", async (format) => {
  const { status, headers, body } = await download(await sentReport(format));
  expect([status, headers.get("Content-Disposition")]).toEqual([
    200,
    expect.stringMatching(new RegExp(`filename="by-campaign-and-category-.*\\.${format}"`)),
  ]);
  expect(String(body)).toMatch(format === "csv" ? /\r\nTwo days,.*,30,/ : /^%PDF-/);
});

test("a report, which has no limit of delivery, is downloaded from a single snapshot", async () => {
  const sending = await sentReport("csv");
  const snapshots = vi.spyOn(staleReads, "inStaleSnapshot");
  onTestFinished(() => snapshots.mockRestore());
  expect((await download(sending)).status).toBe(200);
  expect(snapshots).toHaveBeenCalledOnce();
});

test("an export that is refused for too much delivery doesn't count toward the five of the hour", async () => {
  const get = (asked: string) =>
    visit(world(), "northwind", analytics.loader, `/advertiser/analytics/export?${asked}&range=7d&format=csv`);
  const tooMuch = "There is too much delivery to show it this way. Choose a campaign or a shorter period.";
  for (let times = 0; times < 6; times += 1) expect((await messageOf(await get(query)))?.message).toBe(tooMuch);
  for (let times = 0; times < 5; times += 1) expect((await get("group=campaign")).status).toBe(200);
  expect((await messageOf(await get("group=campaign")))?.message).toContain("the limit of 5 exports per hour");
});

test.each([
  ["csv", 5, "You've reached the limit of 5 exports per hour. Try again in 12 minutes."],
  ["pdf", 20, "You've reached the limit of 20 PDFs of reports per hour. Try again in 3 minutes."],
] as const)(
  "its %s is downloaded at most %s times an hour, with a message after that",
  async (format, limit, message) => {
    const sending = await sentReport(format);
    for (let times = 0; times < limit; times += 1) expect((await download(sending)).status).toBe(200);
    const rejected = await download(sending);
    expect([rejected.status, rejected.location]).toEqual([302, `/advertiser/reports/${sending.reportId}`]);
    expect((await messageOf(rejected))?.message).toBe(message);
  },
);
