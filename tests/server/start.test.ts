import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { afterAll, expect, inject, test, vi } from "vitest";
import * as environment from "#app/env.server.ts";
import { ensureDataDir } from "#app/persistent-secret.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { isProcessRunning } from "#db/data-dir-lock.server.ts";
import { awaitDatabase, externalRoles } from "#db/database-roles.server.ts";
import { postgres } from "#db/driver.server.ts";
import { findEmbeddedDatabaseUrl, startEmbeddedDatabase } from "#db/embedded.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import { createDatabaseCopy, dropDatabaseCopy, serverUrl } from "#tests/support/database/database-copies.ts";
import { type AppServer, failToStart, freePort, startAppServer } from "#tests/support/servers/app-server.ts";
import { childrenOf, kill } from "#tests/support/servers/process-tree.ts";
import { testSecret } from "#tests/support/test-secret.ts";

/** Without demo data and jobs: other tests start and stop a server that has them. */
const quick = { DEMO_DATA: "off", WORKER: "off" };
const folders: string[] = [];
/** What the database's user cannot read if the tests run as root. */
const closed = newFolder();
const dataDir = join(closed, "deep/data");
/** Where the tests of a database without a server hand on its files, because creating them takes seconds. */
const withoutServer = newFolder();
let current: AppServer | undefined;

afterAll(async () => {
  await current?.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Returns the server in `dataDir` that the tests hand on to each other; starts it if none runs. */
async function runningServer(): Promise<AppServer> {
  current ??= await startAppServer({ dataDir, environment: quick });
  return current;
}

/** Starts a server in `dataDir` after the current one is gone. */
async function startAgain(): Promise<AppServer> {
  current = undefined;
  return runningServer();
}

test("starts from scratch with secrets that only their owner can read, and a database behind a password", async () => {
  await runningServer();
  for (const file of ["postgres-password", "session-secret", "postgres.log"]) {
    expect(statSync(join(dataDir, file)).mode & 0o077, file).toBe(0);
  }
  const url = new URL((await findEmbeddedDatabaseUrl(dataDir)) ?? "");
  expect(decodeURIComponent(url.hostname)).toBe(join(dataDir, "postgres"));
  expect(statSync(join(dataDir, "postgres")).mode & 0o077).toBe(0);
  url.password = "wrong";
  const sql = postgres(url.href, { max: 1 });
  await expect(sql`select 1`).rejects.toMatchObject({ code: "28P01" });
  await sql.end();
  const settings = await inDatabase(
    (own) => own`select string_agg(setting, ' ' order by name) as all from pg_settings
      where name in ('fsync', 'listen_addresses', 'log_error_verbosity', 'log_min_error_statement')`,
  );
  expect(settings).toEqual([{ all: "on 127.0.0.1 terse panic" }]);
}, 120_000);

test("a server that is not ready when its test ends is stopped", async () => {
  const others = childrenOf(process.pid);
  const starting = startAppServer({ environment: quick, signal: AbortSignal.timeout(100) });
  await expect(starting).rejects.toThrow("aborted due to timeout");
  expect(childrenOf(process.pid).filter((pid) => !others.includes(pid))).toEqual([]);
});

test.runIf(process.getuid?.() === 0)("runs as root, in a folder that the database's user cannot read", async () => {
  await runningServer();
  expect(statSync(closed).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, "postgres")).uid).not.toBe(0);
});

test("rejects a second start, and keeps its data over a kill -9", async () => {
  const first = await runningServer();
  await inDatabase((sql) => sql`create table kept as select 1 as one`);
  expect(await failToStart({ dataDir, environment: quick })).toEqual({
    code: 1,
    output: `DATA_DIR: ${dataDir} is in use by another server (process ${first.process.pid})\n`,
  });

  first.process.kill("SIGKILL");
  await startAgain();
  expect(await inDatabase((sql) => sql`select one from kept`)).toEqual([{ one: 1 }]);
}, 120_000);

test("recovers when everything was killed at once", async () => {
  const first = await runningServer();
  await inDatabase((sql) => sql`create table recovered as select 1 as one`);
  const killed = first.kill();
  process.kill(databaseProcess(), "SIGKILL");
  await killed;

  await startAgain();
  expect(await inDatabase((sql) => sql`select one from recovered`)).toEqual([{ one: 1 }]);
}, 120_000);

test("adopts a database that outlived its server and its guard", async () => {
  const first = await runningServer();
  await inDatabase((sql) => sql`create table adopted as select 1 as one`);
  const database = databaseProcess();
  // While its supervisor runs, the guard is restarted, and would stop the database.
  first.process.kill("SIGSTOP");
  for (const guard of childrenOf(first.process.pid ?? 0, "pg_ctl")) kill(guard, "SIGKILL");
  await first.kill();
  expect(isProcessRunning(database)).toBe(true);

  await startAgain();
  expect(databaseProcess()).toBe(database);
  expect(await inDatabase((sql) => sql`select one from adopted`)).toEqual([{ one: 1 }]);
}, 120_000);

test("stops on SIGTERM with its database, even one that it adopted, and leaves no lock", async () => {
  const server = await runningServer();
  const database = databaseProcess();
  current = undefined;
  expect(await server.stop()).toBe(0);
  // Nobody's child: the system removes it from its table a moment after it has ended.
  await vi.waitFor(() => expect(isProcessRunning(database)).toBe(false), 10_000);
  expect(readdirSync(dataDir).filter((name) => /lock|sock/.test(name))).toEqual([]);
}, 120_000);

test("creates the database again when the first start was interrupted", async () => {
  mkdirSync(join(withoutServer, "postgres.new/base"), { recursive: true });
  writeFileSync(join(withoutServer, "server.lock"), JSON.stringify({ pid: 999_999_999, startedAt: "1" }));
  const created = await startEmbeddedDatabase({ dataDir: withoutServer });
  const database = databaseProcess(withoutServer);
  expect(isProcessRunning(database)).toBe(true);
  await created.stop();
  // Its process removes its file, for which a stop waits, a moment before it ends.
  await vi.waitFor(() => expect(isProcessRunning(database)).toBe(false), 10_000);
  expect(readdirSync(withoutServer).filter((name) => /new|lock/.test(name))).toEqual([]);
}, 60_000);

test("rejects a second start in another container, whose process has the id of the first", async () => {
  const shared = withoutServer;
  const first = await startEmbeddedDatabase({ dataDir: shared });
  // As the other container reads it: the id is its own, or that of a process which has nothing to do with it.
  for (const pid of [process.pid, 1]) {
    writeFileSync(join(shared, "server.lock"), JSON.stringify({ pid, startedAt: "1" }));
    await expect(startEmbeddedDatabase({ dataDir: shared })).rejects.toThrow(
      `DATA_DIR: ${shared} is in use by another server (in another container)`,
    );
  }
  expect(isProcessRunning(databaseProcess(shared))).toBe(true);
  await first.stop();
}, 60_000);

test("starts beside the socket of a server that was killed", async () => {
  const left = withoutServer;
  const script = `require("net").createServer().listen(${JSON.stringify(join(left, "server.sock"))}, () => process.kill(process.pid, "SIGKILL"))`;
  expect(spawnSync(process.execPath, ["-e", script]).signal).toBe("SIGKILL");
  expect(readdirSync(left)).toContain("server.sock");
  const started = await startEmbeddedDatabase({ dataDir: left });
  await started.stop();
  expect(readdirSync(left).filter((name) => /sock|lock/.test(name))).toEqual([]);
}, 60_000);

test("names the invalid variable, in one line", async () => {
  expect(await failToStart({ environment: { PORT: "0" } })).toEqual({
    code: 1,
    output: "PORT: must be a port number from 1 to 65535\n",
  });
});

test("reports that the folder is not writable, whatever the cause", async () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  const message = /^DATA_DIR: .* is not writable \(\w+\)$/;
  for (const unwritable of [file, "/proc/endcap"]) expect(() => ensureDataDir(unwritable)).toThrow(message);
  const { code, output } = await failToStart({ dataDir: join(file, "below"), environment: quick });
  expect(code).toBe(1);
  expect(output.replace(/\n$/, "")).toMatch(message);
});

test("reports that the port is in use", async () => {
  const port = await freePort();
  const other = createServer().listen(port, "127.0.0.1");
  const { code, output } = await failToStart({ port, databaseUrl: inject("clusterUrl"), environment: quick });
  expect({ code, output }).toEqual({ code: 1, output: `PORT: ${port} on 127.0.0.1 is already in use\n` });
  other.close();
}, 60_000);

test("waits for a database as long as it is told, and reports that it does not respond", async () => {
  const port = await freePort();
  const url = `postgres://nobody:nothing@127.0.0.1:${port}/none`;
  const settings = { DATABASE_URL: url, DATABASE_OWNER_URL: url, DATABASE_WAIT_SECONDS: "1" };
  const read = environment.readEnv({ ...settings, DATA_DIR: dataDir, SESSION_SECRET: testSecret });
  vi.spyOn(environment, "env").mockReturnValue(read);
  const started = Date.now();
  await expect(awaitDatabase(externalRoles(url))).rejects.toThrow(
    new StartupError("DATABASE_OWNER_URL: the database is not responding (ECONNREFUSED)"),
  );
  expect(Date.now() - started).toBeGreaterThan(1_000);
});

test("reports that another version's database cannot be upgraded, and leaves it unchanged", async () => {
  const databaseUrl = await createDatabaseCopy(inject("clusterUrl"));
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`update drizzle.__drizzle_migrations set hash = 'of-another-version', created_at = 1`;
  await expect(migrateDatabase({ ownerUrl: databaseUrl, serverUrl: serverUrl(databaseUrl) })).rejects.toThrow(
    /^The database was created by a version of Endcap that this version cannot upgrade: [^\n]*$/,
  );
  expect(await sql`select distinct hash from drizzle.__drizzle_migrations`).toEqual([{ hash: "of-another-version" }]);
  await sql.end();
  await dropDatabaseCopy(databaseUrl);
}, 60_000);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "endcap-start-"));
  folders.push(folder);
  return folder;
}

function databaseProcess(folder = dataDir): number {
  return Number(readFileSync(join(folder, "postgres/postmaster.pid"), "utf8").split("\n", 1)[0]);
}

async function inDatabase(run: (sql: Sql) => Promise<unknown>): Promise<unknown> {
  const sql = postgres((await findEmbeddedDatabaseUrl(dataDir)) ?? "", { max: 1 });
  try {
    return await run(sql);
  } finally {
    await sql.end();
  }
}
