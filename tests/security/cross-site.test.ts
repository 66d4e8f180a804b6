import type { Browser, BrowserContext, Page } from "@playwright/test";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf } from "#tests/api/api.ts";
import { newUser } from "#tests/domain/accounts/people.ts";
import { launchChromium } from "#tests/support/browser/launch-chromium.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { isFullFaultRun } from "#tests/support/fault-runs.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";
import { createWorld } from "#tests/support/world.ts";
import { hosts, useOtherSite } from "./cross-site.ts";

const db = useDatabase();
const otherSite = useOtherSite();
let server: AppServer;
let chromium: Browser;

type UserType = "advertiser" | "publisher" | "newcomer";
const cookies = new Map<UserType, string>();
let targets: Target[];
beforeAll(async () => {
  const world = await createWorld(db());
  world.setNow(new Date().toISOString());
  cookies.set("advertiser", await world.cookieOf("northwind"));
  cookies.set("publisher", await world.cookieOf("harbor"));
  cookies.set("newcomer", (await clientOf(await newUser())).headers.Cookie ?? "");
  targets = targetsOf({
    running: await repeat(5, () => world.aRunningCampaign()),
    launched: await repeat(3, () => world.aLaunchedCampaign()),
    draft: await world.aDraft(),
  });
  server = await startAppServer({ databaseUrl: db.ownerUrl(), environment: { RATE_LIMITS: "off", WORKER: "off" } });
  chromium = await launchChromium();
}, 240_000);
afterAll(async () => {
  await chromium?.close();
  await server?.kill();
});

/** What someone signed in as `who` can change with one request. `json`: the body of a call, else a form's fields. */
type Target = { who: UserType; path: string; fields: Record<string, string>; json?: boolean };

function targetsOf(ids: { running: string[]; launched: string[]; draft: string }): Target[] {
  const [pausedByForm, pausedInTestMode, pausedByCall, pausedByPublisher, pausedByPublisherCall] = ids.running;
  const [decided, decidedInTestMode, decidedByCall] = ids.launched;
  return [
    { who: "advertiser", path: "/advertiser/campaigns", fields: { intent: "pause", campaign: String(pausedByForm) } },
    {
      who: "advertiser",
      path: "/advertiser/test-mode/campaigns",
      fields: { intent: "pause", campaign: String(pausedInTestMode) },
    },
    { who: "advertiser", path: `/api/campaigns/${pausedByCall}/pause`, fields: {}, json: true },
    { who: "advertiser", path: "/advertiser/campaigns/create", fields: { name: "Not mine", intent: "leave" } },
    { who: "advertiser", path: `/advertiser/campaigns/${ids.draft}/edit?step=1`, fields: { name: "Not mine either" } },
    { who: "advertiser", path: `/advertiser/campaigns/${ids.draft}/delete`, fields: {} },
    { who: "advertiser", path: "/advertiser/profile", fields: { intent: "save-profile", company_name: "Taken over" } },
    { who: "advertiser", path: "/advertiser/profile", fields: { intent: "create-key", name: "A back door" } },
    { who: "advertiser", path: "/api/campaigns", fields: { name: "Not mine" }, json: true },
    { who: "advertiser", path: "/api/keys", fields: { name: "Another back door" }, json: true },
    { who: "advertiser", path: "/advertiser/login", fields: {} },
    { who: "advertiser", path: "/logout", fields: { intent: "everywhere" } },
    { who: "publisher", path: `/publisher/approval/${decided}`, fields: { action: "approve", notes: "" } },
    {
      who: "publisher",
      path: `/publisher/test-mode/approval/${decidedInTestMode}`,
      fields: { action: "reject", notes: "Not mine" },
    },
    { who: "publisher", path: `/api/campaigns/${decidedByCall}/approve`, fields: { action: "approve" }, json: true },
    { who: "publisher", path: "/publisher/campaigns", fields: { intent: "pause", id: String(pausedByPublisher) } },
    { who: "publisher", path: `/api/campaigns/${pausedByPublisherCall}/pause`, fields: {}, json: true },
    { who: "publisher", path: "/api/logout", fields: {}, json: true },
    { who: "newcomer", path: "/register?type=advertiser", fields: { user_type: "advertiser", company_name: "Pushed" } },
  ];
}

/** From another site a browser sends no session along, so that a short run tries a third of the targets there. */
describe.each(hosts)("from another page at %s", (host) => {
  test("forms of every encoding change nothing", async () => {
    const before = await snapshot();
    for (const who of ["advertiser", "publisher", "newcomer"] as const) {
      const own = targets.filter((target) => target.who === who);
      const mine = host === "localhost" || isFullFaultRun ? own : own.filter((_, index) => index % 3 === 0);
      const page = await pageOf(who);
      const since = server.output().length;
      await page.goto(otherSite(host, attackingPage(mine)));
      // By the server's log, since a browser does not say what came back to a frame that it refused to fill.
      const answers = () =>
        server
          .output()
          .slice(since)
          .match(/"method":"POST".*?"status":\d+/g) ?? [];
      await expect.poll(() => answers().length, { timeout: 20_000 }).toBe(mine.length * 4);
      expect(answers().filter((answer) => !answer.endsWith(":403"))).toEqual([]);
      await page.context().close();
    }
    expect(await snapshot()).toBe(before);
  }, 60_000);
});

/** Browsers send the session's cookie along from a sibling of the site alone, so that a short run tries no other. */
describe.each(isFullFaultRun ? hosts : (["localhost"] as const))("embedded in another page at %s", (host) => {
  test("an image, a link, a form, a frame, a fetch or a redirect signs nobody out", async () => {
    const page = await pageOf("advertiser");
    const out = `${server.origin}/api/logout`;
    const embedded = `<img src="${out}"><link rel="stylesheet" href="${out}"><link rel="prefetch" href="${out}">
      <iframe src="${out}"></iframe><object data="${out}"></object><script src="${out}"></script>
      <script>fetch("${out}", { credentials: "include", mode: "no-cors" }).catch(() => undefined)</script>`;
    await page.goto(otherSite(host, embedded), { waitUntil: "networkidle" });
    await expectSignedIn(page);
    for (const [html, selector] of [
      [`<a href="${out}">A prize</a>`, "a"],
      [`<a href="${server.origin}/logout">A prize</a>`, "a"],
      [`<form action="${out}"><button>A prize</button></form>`, "button"],
      [`<form action="${server.origin}/logout"><button>A prize</button></form>`, "button"],
    ] as const) {
      await page.goto(otherSite(host, html));
      await page.click(selector);
      await page.waitForURL(`${server.origin}/**`);
      await expectSignedIn(page);
    }
    await page.goto(otherSite(host, `<a href="${otherSite(host, out)}">A detour</a>`));
    await page.click("a");
    await page.waitForURL(out);
    await expectSignedIn(page);
    await page.context().close();
  }, 60_000);

  test("none of our pages can be framed, and no response can be read", async () => {
    const page = await pageOf("advertiser");
    const paths = ["/", "/advertiser/dashboard", "/advertiser/test-mode/profile", "/advertiser/login", "/nowhere"];
    const frames = paths.map((path) => `<iframe src="${server.origin}${path}"></iframe>`).join("");
    const own = `<iframe src="${otherSite(host, "<p>Our own frame</p>")}"></iframe>`;
    await page.goto(otherSite(host, frames + own), { waitUntil: "networkidle" });
    const shown = await Promise.all(
      page
        .frames()
        .slice(1)
        .map((frame) => frame.evaluate(() => document.body.textContent ?? "")),
    );
    expect(shown.filter((text) => text.includes("Our own frame"))).toHaveLength(1);
    expect(page.frames().filter((frame) => frame.url().startsWith("chrome-error:"))).toHaveLength(paths.length);
    const read = await page.evaluate(async (url) => {
      const modes = ["cors", "no-cors"] as const;
      const tries = modes.map((mode) => fetch(url, { mode, credentials: "include" }));
      return (await Promise.allSettled(tries)).map((one) => one.status);
    }, `${server.origin}/api/users/me`);
    expect(read).toEqual(["rejected", "rejected"]);
    await page.context().close();
  }, 60_000);
});

describe("control: the same request from our own page changes the database", () => {
  test("each of the forms and endpoints", async () => {
    const pages = new Map<UserType, Page>();
    for (const who of ["advertiser", "publisher", "newcomer"] as const) {
      const page = await pageOf(who);
      await page.goto(`${server.origin}/terms`);
      pages.set(who, page);
    }
    for (const { who, path, fields, json } of targets) {
      const before = await snapshot();
      const status = await pages.get(who)?.evaluate(
        async ({ path, fields, json }) => {
          const headers = json ? { "Content-Type": "application/json" } : undefined;
          const body = json ? JSON.stringify(fields) : new URLSearchParams(fields);
          return (await fetch(path, { method: "POST", headers, body, redirect: "manual" })).status;
        },
        { path, fields, json },
      );
      expect(status, path).toBeLessThan(300);
      expect(await snapshot(), path).not.toBe(before);
    }
  }, 60_000);
});

/**
 * Sends each target in three encodings of a form, each into a frame of its own, and as a fetch with JSON called text.
 * The text/plain form is the famous one whose only field's name and value are JSON together.
 */
function attackingPage(mine: Target[]): string {
  const list = mine.map(({ path, fields }) => ({
    url: server.origin + path,
    fields,
    asText: { [JSON.stringify({ ...fields, x: "" }).slice(0, -2)]: '"}' },
  }));
  return `<!doctype html><body><script>
    const list = ${JSON.stringify(list)};
    const add = (tag, properties) => Object.assign(document.body.appendChild(document.createElement(tag)), properties);
    let count = 0;
    for (const { url, fields, asText } of list) {
      for (const enctype of ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]) {
        const target = "frame-" + ++count;
        add("iframe", { name: target });
        const form = add("form", { method: "post", action: url, enctype, target });
        for (const [name, value] of Object.entries(enctype === "text/plain" ? asText : fields)) {
          form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
        }
        form.submit();
      }
      const body = JSON.stringify(fields);
      fetch(url, { method: "POST", mode: "no-cors", credentials: "include", body }).catch(() => undefined);
    }
  </script>`;
}

async function pageOf(who: UserType): Promise<Page> {
  const context: BrowserContext = await chromium.newContext();
  const [name = "", value = ""] = (cookies.get(who) ?? "").split("=");
  await context.addCookies([{ name, value, domain: "localhost", path: "/", httpOnly: true, sameSite: "Lax" }]);
  return context.newPage();
}

async function expectSignedIn(page: Page): Promise<void> {
  const answer = await page.context().request.get(`${server.origin}/api/users/me`);
  expect(answer.status()).toBe(200);
}

/** All that a request may change, in one text; not when a session was last used. */
async function snapshot(): Promise<string> {
  const tables = ["accounts", "users", "campaigns", "line_items", "decisions", "api_keys", "audit_entries"];
  const digests = [...tables, "sign_in_attempts"].map(
    (table) =>
      sql`(select md5(coalesce(string_agg(row::text, '' order by row::text), '')) from ${sql.identifier(table)} row)`,
  );
  digests.push(sql`(select md5(string_agg(token_hash, '' order by token_hash)) from sessions)`);
  const [row] = await db().execute(sql`select ${sql.join(digests, sql` || `)} as digest`);
  return String(row?.digest);
}

function repeat<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, make));
}
