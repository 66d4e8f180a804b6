import { expect, it, vi } from "vitest";
import { z } from "zod";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { countUnread } from "#app/domain/notifications/list-notifications.server.ts";
import { notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";
import { updateMailSettings } from "#app/domain/notifications/update-mail-settings.server.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { sendReportNow } from "#app/domain/reports/send-report-now.server.ts";
import * as latest from "#app/screens/shared/notifications/latest/route.ts";
import * as screen from "#app/screens/shared/notifications/route.tsx";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const path = "/advertiser/notifications";
const page = z.object({ rows: z.array(z.object({ id: z.string(), title: z.string(), isRead: z.boolean() })) });

async function listed(query = "") {
  return page.parse((await visit(world(), "northwind", screen.loader, `${path}${query}`)).body).rows;
}

it("link to their subject, and are then read; another account's do not exist", async () => {
  const id = await world().aLaunchedCampaign();
  await reviewCampaign(world().harbor, { id, action: "reject", notes: "Too early" });
  const [newest, first] = await listed();
  expect([newest?.title, newest?.isRead]).toEqual(["Harbor Goods rejected “Ridgeline Packs”", false]);
  expect(first?.title).toBe("“Ridgeline Packs” was submitted for review");
  expect(await countUnread(world().northwind)).toBe(2);
  const form = { id: newest?.id ?? "" };
  const others = await visit(world(), "harbor", screen.action, "/publisher/notifications", { form });
  expect(others.location).toBe("/publisher/notifications");
  const opened = await visit(world(), "northwind", screen.action, path, { form });
  expect(opened.location).toBe(`/advertiser/campaigns/${id}`);
  expect(await countUnread(world().northwind)).toBe(1);
  expect((await listed("?show=unread")).map(({ title }) => title)).toEqual([
    "“Ridgeline Packs” was submitted for review",
  ]);
  expect(await countUnread(world().harbor)).toBe(1);
});

it("are all marked as read at once, only the account's own", async () => {
  const response = await visit(world(), "northwind", screen.action, path, { form: { intent: "read-all" } });
  expect(response.location).toBe(path);
  expect(await listed("?show=unread")).toEqual([]);
  expect(await countUnread(world().harbor)).toBe(1);
});

it("that arrived after the page or the popover was made stay unread when all are marked as read", async () => {
  const subjectId = world().accountId("northwind");
  const notify = async (key: string) => {
    world().setNow(new Date(world().clock().getTime() + 60_000).toISOString());
    vi.setSystemTime(world().clock());
    await notifyAccounts(world().job, [{ event: "webhook_disabled", accountId: subjectId, key, subjectId }]);
  };
  const unread = () => countUnread(world().northwind);
  const readUntil = (until: string) =>
    visit(world(), "northwind", screen.action, path, { form: { intent: "read-all", until } });
  await notify("first");
  const { now } = z.object({ now: z.date() }).parse((await visit(world(), "northwind", screen.loader, path)).body);
  await notify("second");
  await readUntil(now.toISOString());
  expect(await unread()).toBe(1);
  const popover = await visit(world(), "northwind", latest.loader, `${path}/latest`);
  const [{ at } = expect.fail("no row")] = z.array(z.object({ at: z.string() })).parse(popover.body);
  await notify("third");
  await readUntil(at);
  expect(await unread()).toBe(1);
  for (const wrong of ["", "none", "-200000-01-01T00:00:00Z", "+275760-09-13T00:00:00Z"]) {
    await notify(wrong);
    await readUntil(wrong);
    expect(await unread()).toBe(0);
  }
});

it("have a bounded number per page, whatever the URL says", async () => {
  for (const query of ["?show=nonsense", "?cursor=none", "?show=unread&cursor=%00"])
    expect(await listed(query)).toBeDefined();
  const post = (form: Record<string, string>) => visit(world(), "northwind", screen.action, path, { form });
  expect((await post({ intent: "nonsense" })).location).toBe(path);
  expect((await post({ id: "none" })).location).toBe(path);
  expect((await post({ id: "01900000-0000-7000-8000-000000000001" })).location).toBe(path);
});

it("of a report of test mode lead there, from test mode and from the account", async () => {
  const testMode = { ...world().northwind, entrypoint: "test_mode" } as const;
  const { id } = await createReport(testMode, { name: "Tried", query: "" });
  await sendReportNow(testMode, { id, userId: demoUserId("northwind") });
  const [notice] = await listed();
  expect(notice?.title).toBe("“Tried” is ready");
  for (const from of ["/advertiser/test-mode/notifications", path]) {
    const opened = await visit(world(), "northwind", screen.action, from, { form: { id: notice?.id ?? "" } });
    expect(opened.location).toMatch(/^\/advertiser\/test-mode\/analytics\?/);
  }
});

it("have times in the person's zone, on the page and in the popover", async () => {
  const { job, harbor } = world();
  const subjectId = world().accountId("harbor");
  const facts = { plan: "starter", amount: 99, at: "2026-11-23T23:30:00Z" } as const;
  await notifyAccounts(job, [
    { event: "subscription_payment_failed", accountId: subjectId, key: "failed", subjectId, facts },
  ]);
  const userId = demoUserId("harbor");
  await updateMailSettings(harbor, { userId, delivery: "immediate", time_zone: "Asia/Tokyo", events: [] });
  const line = expect.stringContaining("on 2026-11-24 08:30 UTC+9.");
  const shown = await visit(world(), "harbor", screen.loader, "/publisher/notifications");
  expect(shown.body).toMatchObject({ rows: [{ line }, {}] });
  const popover = await visit(world(), "harbor", latest.loader, "/publisher/notifications/latest");
  expect(popover.body).toMatchObject([{ line }, {}]);
});
