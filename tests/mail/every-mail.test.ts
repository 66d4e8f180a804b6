import { beforeEach, describe, expect, test, vi } from "vitest";
import type { AccountType } from "#app/domain/accounts/account.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { AudienceId, CampaignId, MailId, SavedViewId, UserId } from "#app/domain/ids.ts";
import type { ListedMail } from "#app/domain/notifications/list-mails.server.ts";
import { mailKinds } from "#app/domain/notifications/mail-kinds.ts";
import { type NotificationEvent, notificationEvents } from "#app/domain/notifications/notification.ts";
import * as environment from "#app/env.server.ts";
import { readEnv } from "#app/env.server.ts";
import { renderMail } from "#app/mail/render-mail.server.ts";

const source = { SESSION_SECRET: "s".repeat(32), PUBLIC_URL: "https://ads.example.com", ALLOW_STANDIN_SIGNIN: "1" };
beforeEach(() => {
  vi.spyOn(environment, "env").mockReturnValue(readEnv(source));
});

const id = "01900000-0000-7000-8000-000000000001";
const hostile = `x"'><script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">y</a><style>*{}</style>]]>-->\r\nBcc: all@example.com\u2028\u202e{{7*7}}\${7*7}%0d%0a`;

function mailOf(event: NotificationEvent, accountType: AccountType, typed: string): ListedMail {
  return {
    id: id as MailId,
    userId: id as UserId,
    campaignId: id as CampaignId,
    subjectId: id,
    digestId: null,
    carries: 0,
    event,
    accountType,
    address: "jo@example.com",
    personName: typed,
    state: "sent",
    attempts: 1,
    lastError: null,
    feedback: null,
    createdAt: new Date("2026-11-22T08:30:00Z"),
    isDemo: false,
    isMuted: false,
    timeZone: "Europe/Berlin",
    facts: {
      company: typed,
      campaign: typed,
      advertiser: typed,
      publisher: typed,
      audience: typed,
      notes: typed,
      reason: typed,
      device: typed,
      day: typed as CalendarDate,
      at: typed === "Jo" ? "2026-11-22T08:30:00Z" : typed,
      isWaiting: true,
      amount: 12.5,
      spend: 80,
      budget: 100,
      impressions: 1_234_567,
      clicks: 89,
      asked: 3,
      approved: 2,
      audienceId: id as AudienceId,
      people: 640,
      report: typed,
      reportId: id as SavedViewId,
      query: "from=2026-11-16&group=campaign&range=custom&to=2026-11-22",
      firstDay: "2026-11-16" as CalendarDate,
      lastDay: "2026-11-22" as CalendarDate,
      isIncomplete: true,
    },
  };
}

const mails = notificationEvents.flatMap((event) => mailKinds[event].readers.map((reader) => ({ event, reader })));
const digest = (typed: string): ListedMail => {
  const parts = mails.map(({ event, reader }) => mailOf(event, reader, typed));
  return { ...mailOf("campaign_approved", "advertiser", typed), digestId: id as MailId, carries: 90, parts };
};

/** The elements that mails use; any other would come from text that someone typed. */
const allowedTags = new Set("html head meta title style link body table tbody tr th td div p h1 a span hr".split(" "));

async function expectHarmless(mail: ListedMail): Promise<void> {
  const { subject, html, text, unsubscribe, messageId } = await renderMail(mail);
  expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
  expect(`${unsubscribe}${messageId}`).not.toMatch(/\s/);
  const styles = html.match(/<style/g)?.length;
  expect(styles).toBe(1);
  // Outlook's conditional comments come from the library.
  const tags = [...html.replace(/<!--.*?-->/gs, "").matchAll(/<\/?([a-z0-9]+)((?:"[^"]*"|[^>"])*)>/gi)];
  for (const [whole, name = "", attributes = ""] of tags) {
    expect(allowedTags, whole).toContain(name.toLowerCase());
    expect(attributes.replace(/"[^"]*"/g, '""'), whole).not.toMatch(/\son\w+=/i);
    const href = /href="([^"]*)"/.exec(attributes)?.[1];
    if (href && name === "a") expect(href).toMatch(/^https:\/\/ads\.example\.com(\/|$)/);
  }
  expect(text).not.toContain("undefined");
  expect(html).not.toContain("undefined");
}

describe("every email, with an attack in every user-entered field", () => {
  test.each(mails)("runs nothing and escapes its markup nowhere: $event to the $reader", async ({ event, reader }) => {
    await expectHarmless(mailOf(event, reader, hostile));
  });
  test("and so does the daily digest of all of them", () => expectHarmless(digest(hostile)));
});

test.each(mails)("is readable as plain text, with its link: $event to the $reader", async ({ event, reader }) => {
  const { subject, text, html, unsubscribe } = await renderMail(mailOf(event, reader, "Ridgeline"));
  expect(text.startsWith(`${subject}\n\nHi Ridgeline,\n\n`)).toBe(true);
  expect(text).toMatch(new RegExp(`\n\n[A-Z][\\w ]+: https://ads\\.example\\.com/${reader}/[^\\s]+\n\n--\n`));
  expect(text).not.toMatch(/<|&[a-z]+;|\n{3}/);
  expect(html).toContain("prefers-color-scheme: dark");
  expect(Boolean(unsubscribe)).toBe(mailKinds[event].group !== null);
  expect(text.includes("Unsubscribe from these emails")).toBe(Boolean(unsubscribe));
});

test("a report's email says by what it is filtered", async () => {
  const mail = mailOf("report_ready", "publisher", "Weekly");
  const query = "range=custom&from=2026-11-16&to=2026-11-22&campaign=&audience=x&category=&channel=meta";
  const { text } = await renderMail({ ...mail, facts: { ...mail.facts, query } });
  expect(text).toContain("Filtered by audience and channel: the figures leave out the rest of your delivery.");
});

test("a report's email has its figures, says where the file is, and leads to the same dates and to the schedule", async () => {
  const mail = mailOf("report_ready", "publisher", "Weekly");
  const figures = [{ label: "Earnings", value: "$1,234.00", note: "Up 12.4% from the 7 days before" }];
  const file = { name: "weekly.csv", type: "text/csv", content: Buffer.from("a\r\n") };
  const filePath = "/reports/1/sendings/2";
  const attached = await renderMail(mail, { figures, file, filePath });
  expect(attached.subject).toBe("“Weekly” is ready");
  expect(attached.attachment).toEqual(file);
  expect(attached.text).toContain(
    `Nov 16 – Nov 22, 2026. Days are in UTC.

The last day was not over when the report was due, so its results may still grow.

The file is attached.

Earnings: $1,234.00 (Up 12.4% from the 7 days before)

View in analytics: https://ads.example.com/publisher/analytics?from=2026-11-16&group=campaign&range=custom&to=2026-11-22

Change or stop this report: https://ads.example.com/publisher/reports/${id}

--`,
  );
  const linked = await renderMail(mail, { figures, file: undefined, filePath });
  expect(linked.attachment).toBeUndefined();
  expect(linked.text).toContain("The file is too large for an email.");
  for (const body of [linked.text, linked.html])
    expect(body).toContain("https://ads.example.com/publisher/reports/1/sendings/2");
});

test("a time in an email is language-neutral and in the reader's zone", async () => {
  const { text } = await renderMail(mailOf("new_sign_in", "advertiser", "Jo"));
  expect(text).toContain("2026-11-22 09:30 UTC+1");
});
