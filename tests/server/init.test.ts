import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";
import { childrenOf, descendantsOf, kill } from "#tests/support/servers/process-tree.ts";

/** A container numbers its processes from 1; process 1 receives the container's signals and its orphans. */
const container = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];
const canIsolate = spawnSync("unshare", [...container.slice(1), "true"]).status === 0;
const init = ["sh", resolve(import.meta.dirname, "../../server/init.sh")];
const environment = { DEMO_DATA: "off", LOG_LEVEL: "warn", RATE_LIMITS: "off" };
const dataDir = mkdtempSync(join(tmpdir(), "endcap-init-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function start(runBy: readonly string[]): Promise<AppServer> {
  const server = await startAppServer({ dataDir, environment, runBy: [...container, ...runBy] });
  onTestFinished(() => void server.process.kill("SIGKILL"));
  return server;
}
const firstProcess = (server: AppServer) => childrenOf(server.process.pid ?? 0)[0] ?? expect.fail("it runs");
const zombies = (of: number) => descendantsOf(of).filter(({ state }) => state.startsWith("Z"));

/** `kill -9` of all processes of the database, whose orphans process 1 inherits. */
async function killDatabase(server: AppServer): Promise<void> {
  const before = server.output().length;
  const below = descendantsOf(firstProcess(server)).filter(({ command }) => command.startsWith("postgres:"));
  expect(below.length).toBeGreaterThan(3);
  for (const pid of [below[0]?.parent, ...below.map((one) => one.pid)]) kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(server.output().slice(before)).toContain("database_restarted"), 30_000);
  await vi.waitFor(async () => expect((await fetch(`${server.origin}/readyz`)).status).toBe(200), 30_000);
}

/** Sends process 1 a signal. Returns the exit code, and whether the database shut down before its container ended. */
async function stopBy(server: AppServer, signal: NodeJS.Signals) {
  const ended = new Promise<number | null>((done) => server.process.on("exit", done));
  kill(firstProcess(server), signal);
  const code = await ended;
  return { code, isDatabaseStopped: !existsSync(join(dataDir, "postgres/postmaster.pid")) };
}

test.skipIf(!canIsolate)(
  "as process 1, init.sh reaps the orphans of a killed database, and shuts down in order on SIGTERM",
  async () => {
    const server = await start(init);
    await killDatabase(server);
    await vi.waitFor(() => expect(zombies(firstProcess(server))).toEqual([]), 10_000);
    expect(server.output()).not.toContain("no_init_process");
    expect(await stopBy(server, "SIGTERM")).toEqual({ code: 0, isDatabaseStopped: true });
  },
  180_000,
);

test("init.sh stops its command by SIGTERM on SIGTERM and SIGINT, and exits with its code", async () => {
  const program = "process.on('SIGTERM', () => process.exit(7)); setInterval(() => 0, 1_000); console.info('runs')";
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const [command = "", ...args] = init;
    const running = spawn(command, [...args, process.execPath, "-e", program], { stdio: ["ignore", "pipe", "ignore"] });
    await once(running.stdout, "data");
    running.kill(signal);
    expect([signal, ...(await once(running, "exit"))]).toEqual([signal, 7, null]);
  }
});

test.skipIf(!canIsolate)(
  "as process 1 itself, the supervisor logs that it does not reap orphans, and shuts down in order",
  async () => {
    const server = await start([]);
    expect(server.output()).toContain("no_init_process");
    await killDatabase(server);
    expect(zombies(firstProcess(server)).length).toBeGreaterThan(0);
    expect(await stopBy(server, "SIGTERM")).toEqual({ code: 0, isDatabaseStopped: true });
  },
  120_000,
);
