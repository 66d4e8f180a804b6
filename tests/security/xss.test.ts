import type { Browser, Page } from "@playwright/test";
import { type SQL, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { beginSignIn } from "#app/domain/accounts/begin-sign-in.server.ts";
import { newSecret } from "#app/domain/accounts/secrets.server.ts";
import { startSession } from "#app/domain/accounts/start-session.server.ts";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { type AudienceId, newId, parseId, type UploadId, type UserId } from "#app/domain/ids.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { audienceUploads } from "#db/schema/index.ts";
import { demoAccountId, demoUserId } from "#db/seed/demo-accounts.ts";
import { seedDemo } from "#db/seed/seed-demo.ts";
import { newUser, visitor } from "#tests/domain/accounts/people.ts";
import { type AppServer, startAppServer } from "#tests/support/app-server.ts";
import { cookiePair, sessionCookie } from "#tests/support/cookies.ts";
import { useDatabase } from "#tests/support/database.ts";
import { faultSize, faultTimeout, isFull } from "#tests/support/fault-size.ts";
import { launchChromium } from "#tests/support/launch-chromium.ts";
import { addressOf, advertiserScreens, publisherScreens } from "#tests/support/screens.ts";
import { useOtherSite } from "./other-site.ts";
import { openToAttack, type SentForm, type Watched } from "./xss-browser.ts";
import { naivePage, payload, payloadCount, withinPolicy } from "./xss-payloads.ts";
import { fillTextColumns, nameOf, type TextColumn, textColumns } from "./xss-rows.ts";

const db = useDatabase();
const otherSite = useOtherSite();
const rounds = faultSize({ small: 1, all: payloadCount });
const everyPayload = Array.from({ length: payloadCount }, (_, index) => index);
/** Those that the controls try: each is a page of its own. */
const tried = everyPayload.filter((index) => isFull || index % 4 === 0);

let server: AppServer;
let chromium: Browser;
let people: Record<Who, Watched>;
let columns: TextColumn[];
let screens: Visit[];
/** Of the demo: a campaign to edit, one to pause, one to decide, an audience and its upload. The stand-in's page, in a sign-in under way. */
let [draft, running, waiting, audience, report, authorize] = ["", "", "", "", "", ""];

const everybody = ["advertiser", "publisher", "newcomer"] as const;
type Who = (typeof everybody)[number];
type Visit = { who: Who; path: string };

beforeAll(async () => {
  await seedDemo({ db: db(), clock: () => new Date() });
  const SESSION_SECRET = process.env.SESSION_SECRET ?? "";
  const environment = { RATE_LIMITS: "off", LOG_LEVEL: "warn", TEST_MODE: "on", SESSION_SECRET };
  server = await startAppServer({ databaseUrl: db.url(), environment });
  chromium = await launchChromium();
  const actor = { kind: "advertiser" as const, accountId: demoAccountId("northwind"), userId: demoUserId("northwind") };
  await createApiKey({ ...visitor(), actor }, { name: "a key" });
  people = {
    advertiser: await signedIn(demoUserId("northwind")),
    publisher: await signedIn(demoUserId("harbor")),
    newcomer: await signedIn(await newUser()),
  };
  // By the names of the demo's campaigns, which are gone once the rows are filled.
  screens = await addressesOf(people.advertiser.page);
  draft = await idOf(sql`select id from campaigns where name = 'Alpine Touring Preview'`);
  running = await idOf(sql`
    select id from campaigns where status = 'active' and advertiser_id = ${demoAccountId("northwind")} order by id limit 1`);
  waiting = await idOf(sql`
    select campaign_id as id from line_items where approval_status = 'pending' and publisher_id = ${demoAccountId("harbor")} order by id limit 1`);
  audience = await idOf(
    sql`select id from audiences where publisher_id = ${demoAccountId("harbor")} order by id limit 1`,
  );
  report = await anUpload();
  const asked = await fetch(`${server.origin}/api/oauth/google/redirect_url`);
  authorize = z
    .object({ redirectUrl: z.string() })
    .parse(await asked.json())
    .redirectUrl.replace(server.origin, "");
  columns = await textColumns(db());
}, 240_000);
afterAll(async () => {
  await chromium?.close();
  await server?.stop();
});

describe("control", () => {
  test("the payloads run on a careless page", async () => {
    const { page, ran } = await openToAttack(chromium);
    const context = page.context();
    for (const index of tried) {
      // A page each, since one of them leaves it.
      const careless = await context.newPage();
      await careless.goto(otherSite("127.0.0.1", naivePage(index)));
      await clickLink(careless);
      await expect.poll(ran, { message: payload(index, index), timeout: 10_000 }).toContain(index);
      await careless.close();
    }
    await context.close();
  }, 90_000);

  test("our policy alone stops those that are not within a script of the page's own", async () => {
    const answer = await fetch(`${server.origin}/terms`);
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    const { page, ran } = await openToAttack(chromium);
    for (const index of tried.filter(withinPolicy)) {
      await page.goto(otherSite("127.0.0.1", naivePage(index, { policy, nonce })));
      await clickLink(page);
    }
    await page.waitForTimeout(500);
    expect(ran()).toEqual([]);
    await page.context().close();
  }, 60_000);
});

/** With the policy off, since it would hide what is not escaped. */
describe(`with the policy off, ${rounds} times`, () => {
  test(
    "nothing runs that stands in a row, an address or a form, on any page of anybody",
    async () => {
      const shown = new Set<number>();
      for (let round = 0; round < rounds; round += 1) {
        const textOf = (column: number, row: number) => numbered(round + row + column, column);
        await fillTextColumns(db(), columns, textOf, payloadCount);
        await Promise.all(everybody.map((who) => walk(who, round, shown)));
      }
      const seen = columns.filter((_, index) => shown.has(index)).map(nameOf);
      expect(seen).toEqual(expect.arrayContaining(columnsOfPages));
      expect([...shown]).toEqual(expect.arrayContaining([inAddress, inForm]));
    },
    // Some hundred pages and forms: a minute on a machine of its own.
    Math.max(faultTimeout, 300_000),
  );

  test("a way back that was changed in its row runs nothing", async () => {
    const ways = everyPayload.map((index) => payload(index, index)).filter((text) => /script\s*:/i.test(text));
    await Promise.all(
      ways.map(async (redirectTo) => {
        const attempt = { state: newSecret(), codeVerifier: "verifier", nonce: "nonce", redirectTo };
        const { browserSecret } = await beginSignIn(visitor(), attempt);
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

async function walk(who: Who, round: number, shown: Set<number>): Promise<void> {
  const { ran, look, read, send } = people[who];
  const note = (ids: number[]) => {
    for (const id of ids) shown.add(Math.floor(id / 1_000));
  };
  const paths = [...screens, ...addresses(round)].filter((visit) => visit.who === who).map(({ path }) => path);
  for (const [index, path] of paths.entries()) {
    // In the small run each third page is opened, so that its scripts run too; the others are parsed.
    const isOpened = isFull || index % 3 === 0;
    note(await (isOpened ? look : read)(server.origin + path));
    expect(ran(), `${path} in round ${round}`).toEqual([]);
  }
  const sent = forms(round).filter((one) => one.who === who);
  for (const [index, form] of sent.entries()) {
    // By script and by the browser alone in turns, where it may be either.
    note(await send(server.origin, form, form.natively ?? (round + index) % 2 === 0));
    expect(ran(), `the form of ${form.path} in round ${round}`).toEqual([]);
  }
}

/** The payload that says where it stands: thousands are the column, the rest is its place in the list. */
function numbered(index: number, column: number): string {
  return payload(index, column * 1_000 + (index % payloadCount));
}
const [inAddress, inForm] = [900, 901];

/** What pages are known to show. If one of these is not on any, the rows were not written, or the pages not opened. */
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

/** Each with another payload, and in each round with the next. */
function addresses(round: number): Visit[] {
  let used = round;
  const text = () => {
    used += 1;
    return encodeURIComponent(numbered(used, inAddress));
  };
  const of = (who: Who, ...paths: string[]) => paths.map((path) => ({ who, path }));
  return [
    ...of(
      "advertiser",
      `/advertiser/campaigns?q=${text()}`,
      `/advertiser/campaigns?status=${text()}&sort=${text()}&cursor=${text()}`,
      `/advertiser/campaigns/create?step=${text()}&${text()}=${text()}`,
      `/advertiser/campaigns/${draft}/edit?step=2&find=${text()}`,
      `/advertiser/campaigns/${draft}/edit?step=3&find=${text()}`,
      `/advertiser/campaigns/${text()}`,
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

function forms(round: number): (SentForm & { who: Who; natively?: boolean })[] {
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
    // What they say afterwards names the campaign.
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

/** The screens of both portals, signed in. */
async function addressesOf(page: Page): Promise<Visit[]> {
  const found: Visit[] = [];
  for (const [who, list] of [
    ["advertiser", advertiserScreens],
    ["publisher", publisherScreens],
  ] as const) {
    for (const screen of Object.values(list)) {
      // The page of somebody else's row is not theirs to see; where it says their words, their own is visited.
      if (screen.as && typeof screen.path !== "string") continue;
      const path = await addressOf(page, who, screen);
      // The thank-you page stands beside the portals, but for test mode.
      found.push({ who, path: path.includes("/thank-you") ? path : path.replace("/test-mode", "") });
    }
  }
  return found;
}

/** An upload whose report has all its parts. */
async function anUpload(): Promise<string> {
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
      aliveAt: now,
      finishedAt: now,
    });
  return id;
}

async function idOf(query: SQL): Promise<string> {
  const [row] = await queryRows(db(), z.object({ id: z.string() }), query);
  if (!row) throw new Error("The demo has no such campaign");
  return row.id;
}

/** Somebody with a session, in a browser that follows no policy. */
async function signedIn(userId: UserId, ...cookies: string[]): Promise<Watched> {
  const { token } = await startSession(visitor(), { userId, userAgent: "a browser", replaces: undefined });
  return openToAttack(chromium, {
    baseURL: server.origin,
    bypassCSP: true,
    cookies: [await sessionCookie(token), ...cookies],
  });
}

async function clickLink(page: Page): Promise<void> {
  const link = page.locator("#link");
  if (await link.count()) await link.click();
}
