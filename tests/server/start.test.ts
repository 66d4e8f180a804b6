import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { afterAll, expect, inject, test } from "vitest";
import { isRunning } from "#db/data-dir-lock.server.ts";
import { postgres } from "#db/driver.server.ts";
import { runningEmbeddedDatabase } from "#db/embedded.server.ts";
import { failToStart, freePort, startAppServer } from "#tests/support/app-server.ts";
import { createCopy, dropCopy } from "#tests/support/database-copies.ts";
import { childrenOf, kill } from "#tests/support/process-tree.ts";

const quick = { DEMO_DATA: "off" };
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test("starts with nothing, keeps its data over a kill -9, refuses a second start, and stops on SIGTERM", async () => {
  const dataDir = join(newFolder(), "data");
  const first = await startAppServer({ dataDir, environment: quick });
  await inDatabase(dataDir, (sql) => sql`create table kept as select 1 as one`);

  const second = await failToStart({ dataDir, environment: quick });
  expect(second).toEqual({
    code: 1,
    output: `DATA_DIR: ${dataDir} is in use by another server (process ${first.process.pid})\n`,
  });

  first.process.kill("SIGKILL");
  const third = await startAppServer({ dataDir, environment: quick });
  expect(await inDatabase(dataDir, (sql) => sql`select one from kept`)).toEqual([{ one: 1 }]);

  const database = databaseProcess(dataDir);
  expect(await third.stop()).toBe(0);
  expect(isRunning(database)).toBe(false);
  expect(readdirSync(dataDir)).not.toContain("server.lock");
}, 120_000);

test("takes over a database that outlived its server and its guard", async () => {
  const dataDir = join(newFolder(), "data");
  const first = await startAppServer({ dataDir, environment: quick });
  await inDatabase(dataDir, (sql) => sql`create table kept as select 1 as one`);
  const database = databaseProcess(dataDir);
  // The guard is begun again while its supervisor lives.
  for (const guard of childrenOf(first.process.pid ?? 0, "pg_ctl")) kill(guard, "SIGKILL");
  await first.kill();
  expect(isRunning(database)).toBe(true);

  const second = await startAppServer({ dataDir, environment: quick });
  expect(databaseProcess(dataDir)).toBe(database);
  expect(await inDatabase(dataDir, (sql) => sql`select one from kept`)).toEqual([{ one: 1 }]);
  expect(await second.stop()).toBe(0);
  expect(isRunning(database)).toBe(false);
}, 120_000);

test("comes back when everything was killed at once", async () => {
  const dataDir = join(newFolder(), "data");
  const first = await startAppServer({ dataDir, environment: quick });
  await inDatabase(dataDir, (sql) => sql`create table kept as select 1 as one`);
  const killed = first.kill();
  process.kill(databaseProcess(dataDir), "SIGKILL");
  await killed;

  const second = await startAppServer({ dataDir, environment: quick });
  expect(await inDatabase(dataDir, (sql) => sql`select one from kept`)).toEqual([{ one: 1 }]);
  expect(await second.stop()).toBe(0);
}, 120_000);

test("makes the database again when the first start was cut short", async () => {
  const dataDir = newFolder();
  mkdirSync(join(dataDir, "postgres.new/base"), { recursive: true });
  writeFileSync(join(dataDir, "server.lock"), JSON.stringify({ pid: 999_999_999, startedAt: "1" }));
  const server = await startAppServer({ dataDir, environment: quick });
  expect(await server.stop()).toBe(0);
}, 60_000);

test("shows the database's password and the session secret to their owner only, and not to those who ask nicely", async () => {
  const dataDir = newFolder();
  const server = await startAppServer({ dataDir, environment: quick });
  for (const file of ["postgres-password", "session-secret", "postgres.log"]) {
    expect(statSync(join(dataDir, file)).mode & 0o077, file).toBe(0);
  }
  const url = new URL((await runningEmbeddedDatabase(dataDir)) ?? "");
  expect(url.hostname).toBe("127.0.0.1");
  url.password = "wrong";
  const sql = postgres(url.href, { max: 1 });
  await expect(sql`select 1`).rejects.toMatchObject({ code: "28P01" });
  await sql.end();
  const settings = await inDatabase(
    dataDir,
    (own) => own`select string_agg(setting, ' ' order by name) as all from pg_settings
      where name in ('fsync', 'listen_addresses', 'log_error_verbosity', 'log_min_error_statement')`,
  );
  expect(settings).toEqual([{ all: "on 127.0.0.1 terse panic" }]);
  await server.stop();
}, 60_000);

test.runIf(process.getuid?.() === 0)(
  "runs as root, in a folder closed to the database's user",
  async () => {
    const closed = newFolder();
    const dataDir = join(closed, "deep/data");
    const server = await startAppServer({ dataDir, environment: quick });
    expect(statSync(closed).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, "postgres")).uid).not.toBe(0);
    expect(await server.stop()).toBe(0);
  },
  60_000,
);

test("says which variable is wrong, in one line", async () => {
  expect(await failToStart({ environment: { PORT: "0" } })).toEqual({
    code: 1,
    output: "PORT: must be a port number from 1 to 65535\n",
  });
  const publicUrl = await failToStart({ environment: { PUBLIC_URL: "https://ads.example.com" } });
  expect(publicUrl.output).toMatch(/^PUBLIC_URL: .*\n$/);
});

test("says that the folder cannot be written, whatever stands in its way", async () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  for (const dataDir of [file, join(file, "below"), "/proc/endcap"]) {
    const { code, output } = await failToStart({ dataDir, environment: quick });
    expect(code).toBe(1);
    expect(output).toMatch(/^DATA_DIR: .* cannot be written \(\w+\)\n$/);
  }
});

test("says that the port is taken", async () => {
  const port = await freePort();
  const other = createServer().listen(port, "127.0.0.1");
  const { code, output } = await failToStart({ port, dataDir: newFolder(), environment: quick });
  expect({ code, output }).toEqual({ code: 1, output: `PORT: ${port} on 127.0.0.1 is in use by another program\n` });
  other.close();
}, 60_000);

test("says that the database does not answer", async () => {
  const port = await freePort();
  const databaseUrl = `postgres://nobody:nothing@127.0.0.1:${port}/none`;
  expect(await failToStart({ databaseUrl })).toEqual({
    code: 1,
    output: "DATABASE_URL: the database does not answer (ECONNREFUSED)\n",
  });
});

test("says that another version's database cannot be upgraded, and leaves it as it is", async () => {
  const databaseUrl = await createCopy(inject("clusterUrl"));
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`update drizzle.__drizzle_migrations set hash = 'of-another-version', created_at = 1`;
  const { code, output } = await failToStart({ databaseUrl, environment: quick });
  expect(code).toBe(1);
  expect(output).toMatch(/^The database was made by a version of Endcap that this version cannot upgrade: [^\n]*\n$/);
  expect(await sql`select distinct hash from drizzle.__drizzle_migrations`).toEqual([{ hash: "of-another-version" }]);
  await sql.end();
  await dropCopy(databaseUrl);
}, 60_000);

test("three processes that find an empty database at once make it once", async () => {
  const databaseUrl = await createCopy(inject("clusterUrl"), { migrated: false });
  const servers = await Promise.all([1, 2, 3].map(() => startAppServer({ databaseUrl, environment: quick })));
  for (const server of servers) expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0, 0]);
  await dropCopy(databaseUrl);
}, 120_000);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "endcap-start-"));
  folders.push(folder);
  return folder;
}

function databaseProcess(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n", 1)[0]);
}

async function inDatabase(dataDir: string, run: (sql: Sql) => Promise<unknown>): Promise<unknown> {
  const sql = postgres((await runningEmbeddedDatabase(dataDir)) ?? "", { max: 1 });
  try {
    return await run(sql);
  } finally {
    await sql.end();
  }
}
