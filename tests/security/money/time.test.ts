import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { z } from "zod";
import { postgres } from "#db/driver.server.ts";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { startAppServer } from "#tests/support/servers/app-server.ts";
import { useBundledScript } from "#tests/support/use-bundled-script.ts";

/** Time zones far ahead of UTC (no summer time), far behind it (with summer time), and UTC itself. */
const zones = ["Pacific/Kiritimati", "America/Los_Angeles", "UTC"];
const file = (name: string) => resolve(import.meta.dirname, name);

/** Instants at which a rule that used the process's day, hour or month would return something else. */
const moments = {
  "Los Angeles' clocks go forward": "2027-03-14T09:59:59.500Z",
  "Los Angeles' clocks go back": "2027-11-07T08:30:00.000Z",
  "Europe's clocks go forward": "2027-03-28T00:59:59.000Z",
  "the year ends": "2026-12-31T23:30:00.000Z",
  "the year begins": "2027-01-01T00:00:00.000Z",
  "the eve of 29 February": "2028-02-28T23:59:59.000Z",
  "29 February": "2028-02-29T12:00:00.000Z",
  "the day after it": "2028-03-01T00:30:00.000Z",
} as const;

const copies: string[] = [];
const copy = async () => {
  const url = await createDatabaseCopy(inject("clusterUrl"));
  copies.push(url);
  return url;
};
afterAll(async () => {
  await Promise.all(copies.map(dropDatabaseCopy));
});

/** What UTC's days are is said below, so that a short run needs no process of that zone. */
const ruleZones = zones.slice(0, faultRuns({ small: 2, all: zones.length }));

const dayRules = z.record(
  z.string(),
  z.object({
    today: z.string(),
    refusals: z.array(z.unknown()),
    states: z.array(z.array(z.string())),
    stored: z.array(z.string()),
    days: z.array(z.unknown()),
    shown: z.array(z.string()),
    ago: z.array(z.string()),
    processDay: z.number(),
  }),
);

describe("the rules of days", () => {
  const script = useBundledScript(file("campaign-days.ts"));
  let rulesByZone: z.infer<typeof dayRules>[];
  beforeAll(async () => {
    rulesByZone = await Promise.all(ruleZones.map(async (zone) => daysIn(zone, script(), await copy())));
  }, faultTimeoutMs);

  test("are the same in every time zone of the process", () => {
    const [ahead, ...others] = rulesByZone.map((one) => Object.values(one).map(({ processDay: _, ...rules }) => rules));
    for (const other of others) expect(other).toEqual(ahead);
  });

  test("control: the process's own day is not", () => {
    const own = rulesByZone.map((one) => Object.values(one).map((moment) => moment.processDay));
    const utc = Object.values(moments).map((instant) => new Date(instant).getUTCDate());
    expect(own[0]).not.toEqual(utc);
    expect(own[1]).not.toEqual(utc);
  });

  test.each(Object.entries(moments))("count UTC days when %s", (_moment, instant) => {
    const day = (days: number) => new Date(Date.parse(instant) + days * 86_400_000).toISOString().slice(0, 10);
    const formatDate = (days: number) => {
      const [year, month, date] = day(days).split("-").map(Number);
      const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
      return `${months[(month ?? 0) - 1]} ${date}, ${year}`;
    };
    const rules = rulesByZone[0]?.[instant];
    const beforeToday = `can't be earlier than today, ${formatDate(0)}`;
    expect(rules).toMatchObject({
      today: day(0),
      refusals: [
        { start_date: [`The start date ${beforeToday}`] },
        { start_date: [`The start date ${beforeToday}`], end_date: [`The end date ${beforeToday}`] },
      ],
      states: [
        [`${day(0)}T23:59:59.999Z`, "not_started", "0 completed", "active"],
        [`${day(1)}T00:00:00.000Z`, "may deliver", "0 completed", "active"],
        [`${day(2)}T23:59:59.999Z`, "may deliver", "0 completed", "active"],
        [`${day(3)}T00:00:00.000Z`, "ended", "1 completed", "completed"],
      ],
      stored: [day(1), day(2)],
      days: [368, day(366), day(-366)],
      ago: ["1 hour ago", "23 hours ago", "Yesterday", formatDate(-49 / 24)],
    });
    expect(rules?.shown.slice(0, 2)).toEqual([formatDate(0), formatDate(0)]);
  });
});

/** Runs `campaign-days.ts` as a process in this time zone. */
async function daysIn(zone: string, script: string, url: string) {
  const args = [script, url, ...Object.values(moments)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, TZ: zone } });
  return dayRules.parse(JSON.parse(stdout.trim().split("\n").at(-1) ?? ""));
}

/** Uses the demo that the first process created; the clocks of all processes stand at the instant. */
describe("the pages", () => {
  const shownZones = zones.slice(0, faultRuns({ small: 2, all: zones.length }));
  const chosen = Object.entries(moments).slice(3, 3 + faultRuns({ small: 1, all: Object.keys(moments).length }));
  const pages = faultRuns({ small: 8, all: 60 });

  test.each(chosen)(
    "show the same in every time zone of the process when %s",
    async (_moment, instant) => {
      const databaseUrl = await copy();
      const shown: string[][] = [];
      for (const zone of shownZones) shown.push(await shownIn(zone, { databaseUrl, instant, pages }));
      const [one = [], ...others] = shown;
      expect(one.length).toBe(2 * pages);
      for (const other of others) expect(other).toEqual(one);
    },
    faultTimeoutMs,
  );
});

type Shown = { databaseUrl: string; instant: string; pages: number };

async function shownIn(zone: string, { databaseUrl, instant, pages }: Shown): Promise<string[]> {
  const environment = {
    TZ: zone,
    CLOCK_AT: instant,
    CLOCK_STANDS: "1",
    NODE_OPTIONS: `--import ${pathToFileURL(file("shifted-clock.mjs")).href}`,
    PUBLIC_URL: "http://localhost:3000",
    DEMO_DATA: "on",
    LOG_LEVEL: "warn",
  };
  const server = await startAppServer({ databaseUrl, environment });
  try {
    await collected(databaseUrl, instant);
    const shown: string[] = [];
    for (const portal of ["advertiser", "publisher"]) shown.push(...(await walk(server.origin, portal, pages)));
    return shown;
  } finally {
    await server.stop();
  }
}

/** Jobs send activations and collect delivery up to the instant, outside of requests. */
async function collected(databaseUrl: string, instant: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 });
  const hour = new Date(Math.floor(Date.parse(instant) / 3_600_000) * 3_600_000);
  const until = async () => (await sql`select min(collected_until) as until from channel_collections`)[0]?.until;
  const dueActivations = async () => (await sql`select from channel_activations where due_at is not null`).length;
  const waitOptions = { timeout: 60_000, interval: 100 };
  await vi.waitFor(async () => expect(await until()).toEqual(hour), waitOptions);
  await vi.waitFor(async () => expect(await dueActivations()).toBe(0), waitOptions);
  await sql.end();
}

/** Returns this many pages of a portal's test mode, each linked from one before it. */
async function walk(origin: string, portal: string, pages: number): Promise<string[]> {
  const found = new Set([`/${portal}/test-mode/dashboard`]);
  const shown: string[] = [];
  for (const path of found) {
    const answer = await fetch(origin + path);
    expect(answer.status, path).toBe(200);
    const html = await answer.text();
    for (const [, link = ""] of html.matchAll(/href="([^"#]+)"/g)) {
      if (link.startsWith(`/${portal}/test-mode/`)) found.add(link.replaceAll("&amp;", "&"));
    }
    shown.push(`${path}\n${comparable(html)}`);
    if (shown.length === pages) return shown;
  }
  throw new Error(`The ${portal}'s test mode has only ${shown.length} pages`);
}

/** Returns lines without what differs in each response: nonces, request ids, and form keys (UUIDs of version 4). */
function comparable(html: string): string {
  return html
    .replaceAll(/(nonce|data-request-id)(=\\?"|\\?":\\?")[^"\\]+/g, "$1")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "")
    .replaceAll(/(?<=>|,)/g, "\n");
}
