import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { restartPauses } from "#app/restart-pauses.ts";
import { postgres } from "#db/driver.server.ts";
import { type AppServer, startAppServer } from "#tests/support/app-server.ts";
import { createCopy, dropCopy } from "#tests/support/database-copies.ts";
import { kill, programOf } from "#tests/support/process-tree.ts";

const breaks = pathToFileURL(join(import.meta.dirname, "../support/break-on-signal.mjs")).href;
const environment = {
  DEMO_DATA: "off",
  LOG_LEVEL: "warn",
  WATCHDOG_WARN_MS: "300",
  WATCHDOG_KILL_MS: "4000",
  NODE_OPTIONS: `--import ${breaks} --max-old-space-size=200`,
};
let databaseUrl: string;
let server: AppServer;

beforeAll(async () => {
  databaseUrl = await createCopy(inject("clusterUrl"));
  server = await startAppServer({ databaseUrl, environment });
}, 180_000);
afterAll(async () => {
  await server.stop();
  await dropCopy(databaseUrl);
});

/** Breaks the server and waits until another one answers. Returns what was logged meanwhile. */
async function breakServer(signal: NodeJS.Signals): Promise<string> {
  const [victim, before] = [server.serverPid(), server.output().length];
  kill(victim, signal);
  await vi.waitFor(
    async () => {
      expect(programOf(server.process)).not.toBe(victim);
      expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    },
    { timeout: 50_000, interval: 100 },
  );
  return server.output().slice(before);
}

test("an event loop that stands still is logged with where it stands, and its server is started anew", async () => {
  const logged = await breakServer("SIGUSR2");
  const lines = logged.split("\n").filter((line) => /"event loop|"program_ended"/.test(line));
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { level: 40, msg: "event loop blocked", stack: expect.stringMatching(/^ {4}at .*standStill \(.*break-on-signal/s) },
    { level: 50, msg: "event loop blocked for too long: the process ends" },
    { level: 40, msg: "supervisor", code: "program_ended", reason: "SIGKILL" },
  ]);
});

test("an event loop that stands still for a while is logged, and its server goes on", async () => {
  const [victim, before] = [server.serverPid(), server.output().length];
  kill(victim, "SIGXFSZ");
  const logged = () => server.output().slice(before);
  await vi.waitFor(() => expect(logged()).toContain("event loop goes on"), 10_000);
  expect(logged()).toContain("standStillForAWhile");
  expect(server.serverPid()).toBe(victim);
});

test("a server that is out of memory is started anew", async () => {
  expect(await breakServer("SIGXCPU")).toMatch(/heap out of memory.*"program_ended"/s);
}, 60_000);

test("a server that was killed is started anew, and one that was stopped goes on", async () => {
  expect(await breakServer("SIGKILL")).toContain('"reason":"SIGKILL","milliseconds":');
  const [victim, stopped] = [server.serverPid(), Date.now()];
  kill(victim, "SIGSTOP");
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  expect(Date.now() - stopped).toBeLessThan(5_000);
  expect(server.serverPid()).toBe(victim);
  await vi.waitFor(() => expect(server.output()).toContain("program_continued"), 5_000);
});

test("a server that cannot start again is tried with pauses until it can", async () => {
  const admin = postgres(inject("clusterUrl"), { max: 1, onnotice: () => undefined });
  const name = new URL(databaseUrl).pathname.slice(1);
  const before = server.output().length;
  const output = () => server.output().slice(before);
  const ends = () => output().match(/"program_ended"/g)?.length ?? 0;
  await admin`update pg_database set datallowconn = false where datname = ${name}`;
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  kill(server.serverPid(), "SIGKILL");
  await vi.waitFor(() => expect(ends()).toBeGreaterThanOrEqual(3), 30_000);
  const logged = output().matchAll(/"milliseconds":(\d+),"msg":"supervisor"/g);
  const [, second = 0, third = 0] = Array.from(logged, ([, pause]) => Number(pause));
  expect([second >= 250, third >= second]).toEqual([true, true]);
  expect(output()).toContain("DATABASE_URL: the database does not answer (55000)");
  await admin`update pg_database set datallowconn = true where datname = ${name}`;
  await admin.end();
  await vi.waitFor(async () => expect((await fetch(`${server.origin}/readyz`)).status).toBe(200), 30_000);
}, 90_000);

test("SIGTERM ends a server that hangs, and says that it was no clean end", async () => {
  kill(server.serverPid(), "SIGUSR2");
  expect(await server.stop()).toBe(1);
  server = await startAppServer({ databaseUrl, environment });
}, 60_000);

test("the pause before a start grows while starts fail, and begins again after one that lasted", () => {
  const pauses = restartPauses();
  expect([0, 0, 100, 0, 0, 0, 0, 0, 0].map((readyForMs) => pauses.afterMs(readyForMs))).toEqual([
    0, 250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
  ]);
  expect(pauses.afterMs(5_000)).toBe(0);
});
