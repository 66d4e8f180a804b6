import type { Browser, Page } from "@playwright/test";
import { eq, type SQL, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { newSecret } from "#app/domain/accounts/secrets.server.ts";
import { createSignInAttempt } from "#app/domain/accounts/sign-in/create-sign-in-attempt.server.ts";
import { startSession } from "#app/domain/accounts/sign-in/start-session.server.ts";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { type AudienceId, newId, parseId, type SavedViewId, type UploadId, type UserId } from "#app/domain/ids.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { reportScheduleSchema } from "#app/domain/reports/report-payloads.ts";
import { scheduleReport } from "#app/domain/reports/schedule-report.server.ts";
import { sendReportNow } from "#app/domain/reports/send-report-now.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { audienceUploads, users } from "#db/schema/index.ts";
import { demoAccountId, demoUserId } from "#db/seed/demo-accounts.ts";
import { newUser, visitor } from "#tests/domain/accounts/people.ts";
import { useOtherSite } from "#tests/security/cross-site.ts";
import { launchChromium } from "#tests/support/browser/launch-chromium.ts";
import { advertiserScreens, publisherScreens, screenUrl } from "#tests/support/browser/screens.ts";
import { cookiePair, sessionCookie } from "#tests/support/cookies.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { faultRuns, faultTimeoutMs, isFullFaultRun } from "#tests/support/fault-runs.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";
import { canaryArguments, type HostilePage, openHostilePage, type SentForm } from "./xss-browser.ts";
import { naivePage, payload, payloadCount, withinPolicy } from "./xss-payloads.ts";
import { fillTextColumns, nameOf, type TextColumn, textColumns } from "./xss-rows.ts";

const db = useDatabase({ demoAt: inject("startedAt") });
const otherSite = useOtherSite();
const rounds = faultRuns({ small: 1, all: payloadCount });
const everyPayload = Array.from({ length: payloadCount }, (_, index) => index);
/** The payloads of the controls; each opens a page of its own. */
const tried = everyPayload.filter((index) => isFullFaultRun || index % 8 === 0);

let server: AppServer;
let chromium: Browser;
let people: Record<UserType, HostilePage>;
let columns: TextColumn[];
let screens: Visit[];
/**
 * Of the demo: campaigns to edit, to pause, to decide on and decided with notes, an audience, its upload, and the URL
 * of a pending sign-in.
 */
let [draft, running, waiting, noted, audience, report, authorize] = ["", "", "", "", "", "", ""];
/** A scheduled report that was sent. */
let sentReport: SavedViewId;

const userTypes = ["advertiser", "publisher", "newcomer"] as const;
type UserType = (typeof userTypes)[number];
type Visit = { who: UserType; path: string };

beforeAll(async () => {
  const SESSION_SECRET = process.env.SESSION_SECRET ?? "";
  const environment = { RATE_LIMITS: "off", LOG_LEVEL: "warn", WORKER: "off", TEST_MODE: "on", SESSION_SECRET };
  server = await startAppServer({ databaseUrl: db.ownerUrl(), environment });
  chromium = await launchChromium(canaryArguments);
  const actor = { kind: "advertiser" as const, accountId: demoAccountId("northwind"), userId: demoUserId("northwind") };
  await createApiKey({ ...visitor(), actor }, { name: "a key" });
  people = {
    advertiser: await signedIn(demoUserId("northwind")),
    publisher: await signedIn(demoUserId("harbor")),
    newcomer: await signedIn(await newUser()),
  };
  // Found by the names of the demo's campaigns, before the rows are overwritten.
  screens = await addressesOf(people.advertiser.page);
  draft = await idOf(sql`select id from campaigns where name = 'Alpine Touring Preview'`);
  running = await idOf(sql`
    select id from campaigns where status = 'active' and advertiser_id = ${demoAccountId("northwind")} order by id limit 1`);
  waiting = await idOf(sql`
    select campaign_id as id from line_items where approval_status = 'pending' and publisher_id = ${demoAccountId("harbor")} order by id limit 1`);
  noted = await idOf(sql`
    select item.campaign_id as id from decisions decision join line_items item on item.id = decision.line_item_id
    where decision.notes is not null and item.publisher_id = ${demoAccountId("harbor")} order by item.campaign_id limit 1`);
  audience = await idOf(
    sql`select id from audiences where publisher_id = ${demoAccountId("harbor")} order by id limit 1`,
  );
  report = await createUpload();
  sentReport = await createSentReport();
  const asked = await fetch(`${server.origin}/api/oauth/google/redirect_url`);
  authorize = z
    .object({ redirectUrl: z.string() })
    .parse(await asked.json())
    .redirectUrl.replace(server.origin, "");
  columns = await textColumns(db.owner());
}, 240_000);
afterAll(async () => {
  await chromium?.close();
  await server?.kill();
});

describe("control", () => {
  test("the payloads run on a page without protection", async () => {
    const { page, ran } = await openHostilePage(chromium);
    const context = page.context();
    for (const index of tried) {
      // A page each, because one of the payloads navigates away.
      const unprotectedPage = await context.newPage();
      await unprotectedPage.goto(otherSite("127.0.0.1", naivePage(index)));
      await clickLink(unprotectedPage);
      await expect.poll(ran, { message: payload(index, index), timeout: 10_000 }).toContain(index);
      await unprotectedPage.close();
    }
    await context.close();
  }, 90_000);

  test("our policy alone stops those that are not inside a script of the page itself", async () => {
    const answer = await fetch(`${server.origin}/terms`);
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    const { page, ran } = await openHostilePage(chromium);
    for (const index of tried.filter(withinPolicy)) {
      await page.goto(otherSite("127.0.0.1", naivePage(index, { policy, nonce })));
      await clickLink(page);
    }
    await page.waitForTimeout(500);
    expect(ran()).toEqual([]);
    await page.context().close();
  }, 60_000);
});

/** The content security policy is disabled, because it would hide unescaped output. */
describe(`with the policy off, ${rounds} times`, () => {
  test(
    "nothing in a row, a URL or a form runs, on any page of any user",
    async () => {
      const shown = new Set<number>();
      for (let round = 0; round < rounds; round += 1) {
        const textOf = (column: number, row: number) => numbered(round + row + column, column);
        await fillTextColumns(db.owner(), columns, textOf, payloadCount);
        await Promise.all(userTypes.map((who) => walk(who, round, shown)));
      }
      const seen = columns.filter((_, index) => shown.has(index)).map(nameOf);
      expect(seen).toEqual(expect.arrayContaining(columnsOfPages));
      expect([...shown]).toEqual(expect.arrayContaining([inAddress, inForm]));
    },
    // Hundreds of pages and forms: a minute on a quiet machine.
    Math.max(faultTimeoutMs, 300_000),
  );

  test("a changed redirect target in its row runs nothing", async () => {
    const known = everyPayload.map((index) => payload(index, index)).filter((text) => /script\s*:/i.test(text));
    const ways = known.slice(0, faultRuns({ small: 3, all: known.length }));
    await Promise.all(
      ways.map(async (redirectTo) => {
        const attempt = {
          provider: "google",
          state: newSecret(),
          codeVerifier: "verifier",
          nonce: "nonce",
          redirectTo,
        };
        const { browserSecret } = await createSignInAttempt(visitor(), attempt);
        const { page, ran } = await signedIn(
          demoUserId("northwind"),
          (await cookiePair("portal_sign_in", browserSecret)).join("="),
        );
        await page.goto(`${server.origin}/auth/callback?welcome=1`);
        await page.waitForTimeout(1_500);
        expect(ran()).toEqual([]);
        await page.context().close();
      }),
    );
  }, 60_000);
});

async function walk(who: UserType, round: number, shown: Set<number>): Promise<void> {
  const { ran, look, read, send } = people[who];
  const note = (ids: number[]) => {
    for (const id of ids) shown.add(Math.floor(id / 1_000));
  };
  const paths = [...screens, ...addresses(round)].filter((visit) => visit.who === who).map(({ path }) => path);
  for (const [index, path] of paths.entries()) {
    // In the small run a tenth of the pages is opened, so that scripts run too; the others are parsed.
    const isOpened = isFullFaultRun || index % 10 === 0;
    note(await (isOpened ? look : read)(server.origin + path));
    expect(ran(), `${path} in round ${round}`).toEqual([]);
  }
  const sent = forms(round).filter((one) => one.who === who);
  for (const [index, form] of sent.entries()) {
    // Alternately with scripting and natively, where both are possible.
    note(await send(server.origin, form, form.natively ?? (round + index) % 2 === 0));
    expect(ran(), `the form of ${form.path} in round ${round}`).toEqual([]);
  }
}

/** Returns a payload whose id tells its column (thousands) and its index. */
function numbered(index: number, column: number): string {
  return payload(index, column * 1_000 + (index % payloadCount));
}
const [inAddress, inForm] = [900, 901];

/** Columns that pages are known to show. If one is missing, the rows were not written or the pages not opened. */
const columnsOfPages = [
  "accounts.company_name",
  "accounts.website",
  "api_keys.name",
  "audience_uploads.dropped_columns",
  "audience_uploads.files",
  "audience_uploads.notes",
  "audience_uploads.problems",
  "audiences.description",
  "audiences.name",
  "audit_entries.after",
  "campaigns.landing_url",
  "campaigns.name",
  "creatives.name",
  "decisions.notes",
  "line_items.advertiser_name",
  "line_items.campaign_name",
  "products.name",
  "users.email",
  "users.name",
];

/** Each parameter gets a payload of its own, and another one in each round. */
function addresses(round: number): Visit[] {
  let used = round;
  const text = () => {
    used += 1;
    return encodeURIComponent(numbered(used, inAddress));
  };
  const of = (who: UserType, ...paths: string[]) => paths.map((path) => ({ who, path }));
  return [
    ...of(
      "advertiser",
      `/advertiser/campaigns?q=${text()}`,
      `/advertiser/campaigns?status=${text()}&sort=${text()}&cursor=${text()}`,
      `/advertiser/campaigns/create?step=${text()}&${text()}=${text()}`,
      `/advertiser/campaigns/${draft}/edit?step=2&find=${text()}`,
      `/advertiser/campaigns/${draft}/edit?step=3&find=${text()}`,
      `/advertiser/campaigns/${text()}`,
      "/advertiser/reports",
      `/advertiser/reports/${sentReport}`,
      `/advertiser/reports/${sentReport}?ask=delete&cursor=${text()}`,
      `/advertiser/reports/${sentReport}/edit`,
      `/advertiser/reports/${sentReport}/schedule`,
      `/advertiser/reports/create?query=${text()}&step=${text()}`,
      `/advertiser/analytics?saved=${sentReport}&group=${text()}&campaign=${text()}`,
      `/advertiser/profile?revoke=${text()}`,
      `/advertiser/test-mode/campaigns?q=${text()}`,
      `/thank-you/campaign-created?campaign=${text()}`,
      `/thank-you/${text()}`,
      `/${text()}`,
      "/",
      "/publisher/dashboard",
      "/api/campaigns",
      "/api/users/me",
      "/advertiser/campaigns.data",
    ),
    ...of(
      "publisher",
      `/publisher/approval?status=${text()}&cursor=${text()}`,
      `/publisher/approval/${text()}?status=${text()}`,
      `/publisher/campaigns?filter=${text()}&q=${text()}`,
      `/publisher/test-mode/campaigns?filter=${text()}`,
      `/publisher/audiences?q=${text()}&segment=${text()}&status=${text()}`,
      `/publisher/audiences/create?method=${text()}`,
      `/publisher/approval/${noted}`,
      `/publisher/audiences/${text()}`,
      `/publisher/audiences/${audience}/uploads/${text()}`,
      `/publisher/audiences/${audience}/uploads/${report}`,
      `/publisher/audiences/${audience}`,
      `/thank-you/audience-uploaded?audience=${text()}`,
      "/api/retailer/campaigns",
      `/api/campaigns/${text()}`,
    ),
    ...of(
      "newcomer",
      `/advertiser/login?redirectTo=${text()}`,
      `/auth/callback?error=${text()}&error_description=${text()}`,
      `/auth/callback?code=${text()}&state=${text()}`,
      `/register?type=${text()}`,
      `/api/oauth/google/redirect_url?redirectTo=${text()}`,
      authorize,
    ),
  ];
}

function forms(round: number): (SentForm & { who: UserType; natively?: boolean })[] {
  const text = (place: number) => numbered(round + place, inForm);
  const edit = `/advertiser/campaigns/${draft}/edit`;
  return [
    {
      who: "advertiser",
      path: "/advertiser/profile",
      press: ["intent", "save-profile"],
      fields: { company_name: text(0), website: text(1) },
    },
    { who: "advertiser", path: "/advertiser/profile", press: ["intent", "create-key"], fields: { name: text(2) } },
    {
      who: "advertiser",
      path: `${edit}?step=1`,
      press: ["intent", "next"],
      fields: { name: text(3), objective: text(4) },
    },
    { who: "advertiser", path: `${edit}?step=1`, press: ["intent", "next"], fields: { name: text(5) } },
    {
      who: "advertiser",
      path: `${edit}?step=2`,
      press: ["intent", "next"],
      fields: { landing_url: text(6), creative_ids: text(7) },
    },
    { who: "advertiser", path: `${edit}?step=3`, press: ["intent", "find"], fields: { find: text(8) } },
    {
      who: "advertiser",
      path: `${edit}?step=5`,
      press: ["intent", "next"],
      fields: { budget: text(9), start_date: text(10) },
    },
    // The page after these names the campaign.
    {
      who: "advertiser",
      path: `/advertiser/campaigns/${running}`,
      press: ["intent", "pause"],
      fields: {},
      natively: false,
    },
    {
      who: "advertiser",
      path: `/advertiser/campaigns/${running}`,
      press: ["intent", "resume"],
      fields: {},
      natively: true,
    },
    {
      who: "advertiser",
      path: "/advertiser/reports/create?query=group%3Dchannel",
      press: ["", ""],
      fields: { name: text(28).slice(0, 60), query: text(29) },
    },
    {
      who: "advertiser",
      path: `/advertiser/reports/${sentReport}/edit`,
      press: ["", ""],
      fields: { name: text(30) },
    },
    {
      who: "advertiser",
      path: `/advertiser/reports/${sentReport}/schedule`,
      press: ["intent", "save"],
      fields: { time_zone: text(31), hour: text(32), recipients: text(33) },
    },
    {
      who: "publisher",
      path: `/publisher/approval/${waiting}`,
      press: ["action", "approve"],
      fields: { notes: text(11), version: "999" },
    },
    {
      who: "publisher",
      path: "/publisher/campaigns/create-for-advertiser",
      press: ["", ""],
      fields: { name: text(12), landing_url: text(13), creative_ids: text(14), commission_rate: text(15) },
    },
    {
      who: "publisher",
      path: "/publisher/audiences/create?method=api",
      press: ["", ""],
      fields: {
        name: text(20),
        description: text(21),
        segment: text(22),
        estimated_size: text(23),
        cpm_rate: text(24),
      },
    },
    {
      who: "publisher",
      path: `/publisher/audiences/${audience}/edit`,
      press: ["", ""],
      fields: { name: "", description: text(25), default_country: text(26) },
    },
    { who: "publisher", path: "/publisher/audiences/erasure", press: ["", ""], fields: { identifiers: text(27) } },
    {
      who: "newcomer",
      path: "/register?type=publisher",
      press: ["", ""],
      fields: { company_name: text(16), website: text(17), monthly_visitors: text(18) },
    },
    { who: "newcomer", path: authorize, press: ["", ""], fields: { email: text(19) } },
  ];
}

/** Returns the URLs of all screens of both portals, for signed-in users. */
async function addressesOf(page: Page): Promise<Visit[]> {
  const found: Visit[] = [];
  for (const [who, list] of [
    ["advertiser", advertiserScreens],
    ["publisher", publisherScreens],
  ] as const) {
    for (const screen of Object.values(list)) {
      // The page of another account's row is not theirs to see; their own rows are in the list already.
      if (screen.as && typeof screen.path !== "string") continue;
      const path = await screenUrl(page, who, screen);
      // The thank-you page exists in test mode only.
      found.push({ who, path: path.includes("/thank-you") ? path : path.replace("/test-mode", "") });
    }
  }
  return found;
}

/** Creates an upload whose report has all of its sections. */
async function createUpload(): Promise<string> {
  const audienceId = parseId<AudienceId>(audience);
  if (!audienceId) throw new Error("The demo has no audience");
  const id = newId<UploadId>();
  const now = new Date();
  const problem = { file: 1, line: 2, reason: "invalid_email", value: "j***@e***" } as const;
  await db()
    .insert(audienceUploads)
    .values({
      id,
      audienceId,
      publisherId: demoAccountId("harbor"),
      mode: "add",
      status: "succeeded",
      files: [{ name: "people.csv", bytes: 100, format: "csv", rows: 2 }],
      problems: [problem],
      droppedColumns: ["age"],
      notes: ["a note"],
      size: 2,
      heartbeatAt: now,
      finishedAt: now,
    });
  return id;
}

async function createSentReport(): Promise<SavedViewId> {
  const [accountId, userId] = [demoAccountId("northwind"), demoUserId("northwind")];
  const ctx: Ctx<TenantActor> = { ...visitor(), actor: { kind: "advertiser", accountId, userId } };
  const [person] = await db().select({ email: users.email }).from(users).where(eq(users.id, userId));
  const { id } = await createReport(ctx, { name: "By channel", query: "group=channel" });
  const schedule = { frequency: "daily", hour: 8, time_zone: "UTC", range: "yesterday", format: "pdf" };
  await scheduleReport(ctx, { id, ...reportScheduleSchema.parse({ ...schedule, recipients: [person?.email] }) });
  await sendReportNow(ctx, { id, userId });
  return id;
}

async function idOf(query: SQL): Promise<string> {
  const [row] = await queryRows(db(), z.object({ id: z.string() }), query);
  if (!row) throw new Error("The demo has no such campaign");
  return row.id;
}

/** Opens a signed-in page in a browser that ignores content security policies. */
async function signedIn(userId: UserId, ...cookies: string[]): Promise<HostilePage> {
  const { token } = await startSession(visitor(), { userId, userAgent: "a browser", replaces: undefined });
  return openHostilePage(chromium, {
    baseURL: server.origin,
    bypassCSP: true,
    cookies: [await sessionCookie(token), ...cookies],
  });
}

async function clickLink(page: Page): Promise<void> {
  const link = page.locator("#link");
  if (await link.count()) await link.click();
}
