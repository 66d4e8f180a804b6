import { beforeEach, describe, expect, test, vi } from "vitest";
import type { AccountType } from "#app/domain/accounts/account.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { AudienceId, CampaignId, MailId, UserId } from "#app/domain/ids.ts";
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
    createdAt: new Date("2026-11-22T08:30:00Z"),
    isDemo: false,
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
    },
  };
}

const mails = notificationEvents.flatMap((event) => mailKinds[event].readers.map((reader) => ({ event, reader })));
const digest = (typed: string): ListedMail => {
  const parts = mails.map(({ event, reader }) => mailOf(event, reader, typed));
  return { ...mailOf("campaign_approved", "advertiser", typed), digestId: id as MailId, carries: 90, parts };
};

/** The elements that a mail is made of; anything else came from what somebody typed. */
const ours = new Set("html head meta title style link body table tbody tr td div p h1 a span hr".split(" "));

async function expectHarmless(mail: ListedMail): Promise<void> {
  const { subject, html, text, unsubscribe, messageId } = await renderMail(mail);
  expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
  expect(`${unsubscribe}${messageId}`).not.toMatch(/\s/);
  const styles = html.match(/<style/g)?.length;
  expect(styles).toBe(1);
  // Outlook's conditional comments are the library's.
  const tags = [...html.replace(/<!--.*?-->/gs, "").matchAll(/<\/?([a-z0-9]+)((?:"[^"]*"|[^>"])*)>/gi)];
  for (const [whole, name = "", attributes = ""] of tags) {
    expect(ours, whole).toContain(name.toLowerCase());
    expect(attributes.replace(/"[^"]*"/g, '""'), whole).not.toMatch(/\son\w+=/i);
    const href = /href="([^"]*)"/.exec(attributes)?.[1];
    if (href && name === "a") expect(href).toMatch(/^https:\/\/ads\.example\.com(\/|$)/);
  }
  expect(text).not.toContain("undefined");
  expect(html).not.toContain("undefined");
}

describe("every mail, with an attack in every field that somebody typed", () => {
  test.each(mails)("runs nothing and breaks out of nothing: $event to the $reader", async ({ event, reader }) => {
    await expectHarmless(mailOf(event, reader, hostile));
  });
  test("and so does the daily mail of all of them", () => expectHarmless(digest(hostile)));
});

test.each(mails)("reads well as text, with the place it is about: $event to the $reader", async ({ event, reader }) => {
  const { subject, text, html, unsubscribe } = await renderMail(mailOf(event, reader, "Ridgeline"));
  expect(text.startsWith(`${subject}\n\nHello Ridgeline,\n\n`)).toBe(true);
  expect(text).toMatch(new RegExp(`\n\n[A-Z][\\w ]+: https://ads\\.example\\.com/${reader}/[^\\s]+\n\n--\n`));
  expect(text).not.toMatch(/<|&[a-z]+;|\n{3}/);
  expect(html).toContain("prefers-color-scheme: dark");
  expect(Boolean(unsubscribe)).toBe(mailKinds[event].group !== null);
  expect(text.includes("Get no more like this")).toBe(Boolean(unsubscribe));
});

test("a time in a mail is language-neutral and in the reader's zone", async () => {
  const { text } = await renderMail(mailOf("new_sign_in", "advertiser", "Jo"));
  expect(text).toContain("2026-11-22 09:30 UTC+1");
});
