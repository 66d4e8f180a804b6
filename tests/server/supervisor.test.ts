import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { restartPauses } from "#app/restart-pauses.ts";
import { postgres } from "#db/driver.server.ts";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";
import { type AppServer, failToStart, startAppServer } from "#tests/support/servers/app-server.ts";
import { kill, programOf } from "#tests/support/servers/process-tree.ts";

const breaks = pathToFileURL(join(import.meta.dirname, "../support/break-on-signal.mjs")).href;
const environment = {
  DEMO_DATA: "off",
  WORKER: "off",
  LOG_LEVEL: "warn",
  WATCHDOG_WARN_MS: "300",
  WATCHDOG_KILL_MS: "4000",
  NODE_OPTIONS: `--import ${breaks} --max-old-space-size=200`,
};
let databaseUrl: string;
let server: AppServer;

beforeAll(async () => {
  databaseUrl = await createDatabaseCopy(inject("clusterUrl"));
  server = await startAppServer({ databaseUrl, environment });
}, 180_000);
afterAll(async () => {
  await server?.stop();
  await dropDatabaseCopy(databaseUrl);
});

/** Breaks the server and waits until another one responds. Returns what was logged meanwhile. */
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

test("a blocked event loop is logged with its stack, and its server is restarted", async () => {
  const logged = await breakServer("SIGUSR2");
  const lines = logged.split("\n").filter((line) => /"event loop|"program_ended"/.test(line));
  const entries = lines.map((line): unknown => JSON.parse(line));
  // The watchdog starts over after a time in which it did not run itself, so a slow machine repeats its first entry.
  const isBlocked = (entry: unknown) => expect.objectContaining({ msg: "event loop blocked" }).asymmetricMatch(entry);
  expect(entries.find(isBlocked)).toMatchObject({
    level: 40,
    stack: expect.stringMatching(/^ {4}at .*standStill \(.*break-on-signal/s),
  });
  expect(entries.filter((entry) => !isBlocked(entry))).toMatchObject([
    { level: 50, msg: "event loop blocked for too long: the process ends" },
    { level: 40, msg: "supervisor", code: "program_ended", reason: "SIGKILL" },
  ]);
});

test("an event loop that is blocked for a while is logged, and its server continues", async () => {
  const [victim, before] = [server.serverPid(), server.output().length];
  kill(victim, "SIGXFSZ");
  const logged = () => server.output().slice(before);
  await vi.waitFor(() => expect(logged()).toContain("event loop goes on"), 10_000);
  expect(logged()).toContain("standStillForAWhile");
  expect(server.serverPid()).toBe(victim);
});

test("connections that arrive while the event loop is blocked wait and are all served", async () => {
  const before = server.output().length;
  const goesOn = () => server.output().slice(before).includes("event loop goes on");
  kill(server.serverPid(), "SIGXFSZ");
  await sleep(50);
  const began = performance.now();
  // Twice Node's default backlog.
  const sockets = await Promise.all(Array.from({ length: 1_000 }, connectToServer));
  const connectedMs = performance.now() - began;
  expect(goesOn(), `all are connected before it goes on, after ${connectedMs} ms`).toBe(false);
  const responses = await Promise.all(sockets.map(statusOf));
  expect(responses.filter((status) => !/ (?:200|503) /.test(status))).toEqual([]);
  expect(goesOn()).toBe(true);
});

function connectToServer(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "localhost", () => resolve(socket));
    socket.on("error", reject);
  });
}

/** Resolves with the status line of the response to a page request. */
async function statusOf(socket: Socket): Promise<string> {
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const [head = ""] = (await text(socket)).split("\r\n", 1);
  return head;
}

test("a server that runs out of memory is restarted", async () => {
  expect(await breakServer("SIGXCPU")).toMatch(/heap out of memory.*"program_ended"/s);
}, 60_000);

test("a stopped server is continued", async () => {
  const [victim, stopped] = [server.serverPid(), Date.now()];
  kill(victim, "SIGSTOP");
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  expect(Date.now() - stopped).toBeLessThan(30_000);
  expect(server.serverPid()).toBe(victim);
  await vi.waitFor(() => expect(server.output()).toContain("program_continued"), 30_000);
});

test("a killed server is restarted, and one that fails to start is retried with pauses until it succeeds", async () => {
  const admin = postgres(inject("clusterUrl"), { max: 1, onnotice: () => undefined });
  const name = new URL(databaseUrl).pathname.slice(1);
  const before = server.output().length;
  const output = () => server.output().slice(before);
  const ends = () => output().match(/"program_ended"/g)?.length ?? 0;
  await admin`update pg_database set datallowconn = false where datname = ${name}`;
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  kill(server.serverPid(), "SIGKILL");
  await vi.waitFor(() => expect(ends()).toBeGreaterThanOrEqual(3), 30_000);
  expect(output()).toContain('"reason":"SIGKILL","milliseconds":');
  const logged = output().matchAll(/"milliseconds":(\d+),"msg":"supervisor"/g);
  const [, second = 0, third = 0] = Array.from(logged, ([, pause]) => Number(pause));
  expect([second >= 250, third >= second]).toEqual([true, true]);
  expect(output()).toContain("DATABASE_OWNER_URL: the database is not responding (55000)");
  await admin`update pg_database set datallowconn = true where datname = ${name}`;
  await admin.end();
  await vi.waitFor(async () => expect((await fetch(`${server.origin}/readyz`)).status).toBe(200), 30_000);
}, 90_000);

test("a program that cannot be started is reported with the reason", async () => {
  const moved = "data:text/javascript,process.execPath='/missing/node'";
  const { code, output } = await failToStart({ databaseUrl, environment: { NODE_OPTIONS: `--import ${moved}` } });
  expect(code).toBe(1);
  expect(JSON.parse(output)).toMatchObject({ code: "program_not_started", error: "spawn /missing/node ENOENT" });
});

test("the pause before a restart grows while starts fail, and is reset by one that lasted", () => {
  const pauses = restartPauses();
  expect([0, 0, 100, 0, 0, 0, 0, 0, 0].map((readyForMs) => pauses.afterMs(readyForMs))).toEqual([
    0, 250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
  ]);
  expect(pauses.afterMs(5_000)).toBe(0);
});

// The last test, because it ends the server of the others.
test("SIGTERM kills a server that hangs, and the exit code shows it", async () => {
  kill(server.serverPid(), "SIGUSR2");
  expect(await server.stop()).toBe(1);
}, 60_000);
