import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { closeDatabase, database, openDatabase, pingDatabase, withDeadline } from "#db/client.server.ts";
import { connect } from "#db/driver.server.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "#db/embedded.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { tcpUrl } from "#tests/support/database/tcp-url.ts";
import { startUnreliableProxy, type UnreliableProxy } from "#tests/support/fakes/unreliable-proxy.ts";

let dataDir: string;
let server: EmbeddedDatabase;
let proxy: UnreliableProxy;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "endcap-healing-"));
  proxy = await startUnreliableProxy();
  await startServer();
});

afterEach(() => closeDatabase());

afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("16 writers over three restarts of PostgreSQL: none hangs, and nothing acknowledged is lost", async () => {
  openDatabase({ url: proxyUrl() });
  await database().execute(sql`create table written (id int primary key)`);
  const acknowledged: number[] = [];
  let [next, maxLatencyMs, standstillMs, over] = [0, 0, 0, false];

  const writer = async () => {
    while (!over) {
      const id = ++next;
      const [started, stoodStillMs] = [Date.now(), standstillMs];
      try {
        await database().transaction(async (tx) => {
          await tx.execute(sql`insert into written values (${id})`);
          await tx.execute(sql`select 1`);
        });
        acknowledged.push(id);
      } catch {
        await sleep(10);
      }
      maxLatencyMs = Math.max(maxLatencyMs, Date.now() - started - (standstillMs - stoodStillMs));
    }
  };
  const writers = Array.from({ length: 16 }, writer);
  for (const signal of ["SIGINT", "SIGQUIT", "SIGINT"] as const) {
    await sleep(400);
    await expect.poll(() => acknowledged.length, { timeout: 15_000 }).toBeGreaterThan(0);
    const before = acknowledged.length;
    process.kill(Number(readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n", 1)[0]), signal);
    await sleep(200);
    // Stopping blocks this process, in which the pool and its writers are, for as long as PostgreSQL takes.
    const stopping = Date.now();
    await server.stop();
    standstillMs += Date.now() - stopping;
    await startServer();
    await expect.poll(() => acknowledged.length, { timeout: 15_000 }).toBeGreaterThan(before + 16);
  }
  over = true;
  await Promise.all(writers);

  expect(maxLatencyMs).toBeLessThan(5_000);
  const rows = await queryRows(database(), z.object({ id: z.number() }), sql`select id from written`);
  const survivors = new Set(rows.map(({ id }) => id));
  expect(acknowledged.filter((id) => !survivors.has(id))).toEqual([]);
}, 60_000);

test("lost packets: queries end at their deadline, and a new pool replaces the old", async () => {
  const incidents: string[] = [];
  openDatabase({ url: proxyUrl(), deadlineMs: 700, onIncident: (incident) => incidents.push(incident) });
  await Promise.all(Array.from({ length: 20 }, () => pingDatabase()));
  proxy.swallow();

  const started = Date.now();
  const calls = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) =>
      index % 2 ? database().execute(sql`select 1`) : database().transaction((tx) => tx.execute(sql`select 1`)),
    ),
  );
  expect(Date.now() - started).toBeLessThan(20_000);
  expect(calls.every((call) => call.status === "rejected")).toBe(true);
  await expect.poll(() => incidents, { timeout: 15_000 }).toContain("pool_replaced");
  await pingDatabase();
});

test("sessions that do not end a canceled query are replaced, and work on the others ends", async () => {
  const incidents: string[] = [];
  const replacements = () => incidents.filter((incident) => incident === "pool_replaced");
  const deadlineMs = 1_500;
  openDatabase({ url: proxyUrl(), max: 5, deadlineMs, onIncident: (incident) => incidents.push(incident) });
  await Promise.all(Array.from({ length: 5 }, () => pingDatabase()));
  const within = (milliseconds: number) => withDeadline({ db: database() }, milliseconds).db;
  const long = within(60_000).transaction(async (tx) => {
    await expect.poll(() => incidents, { timeout: 20_000 }).toContain("pool_replaced");
    return tx.execute(sql`select 'ended' as work`);
  });
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  // Misses its deadline once the pool is replaced: 1.5 seconds after the start, and three more.
  const belated = Promise.allSettled([within(7_000).transaction(() => released)]);
  const slow = () => database().execute(sql`select pg_sleep(20)`);
  const calls = Promise.allSettled([slow(), slow(), slow()]);
  const admin = connect(server.url, { max: 1 });
  const stopped = new Set<number>();
  try {
    await expect
      .poll(async () => {
        const rows = await admin`select pid from pg_stat_activity where query = 'select pg_sleep(20)'`;
        for (const { pid } of rows) {
          process.kill(pid, "SIGSTOP");
          stopped.add(pid);
        }
        return stopped.size;
      })
      .toBe(3);
    expect((await calls).every(({ status }) => status === "rejected")).toBe(true);
    expect(await long).toEqual([{ work: "ended" }]);
    expect(replacements()).toHaveLength(1);
    await Promise.all(Array.from({ length: 8 }, () => pingDatabase()));

    expect(await belated).toMatchObject([{ status: "rejected" }]);
    await expect(slow()).rejects.toMatchObject({ cause: { code: "DATABASE_DEADLINE" } });
    // As long as a canceled query may take to end.
    await sleep(2 * deadlineMs + 500);
    expect(replacements()).toHaveLength(1);
  } finally {
    release();
    for (const pid of stopped) process.kill(pid, "SIGCONT");
    await admin.end();
  }
}, 40_000);

async function startServer() {
  server = await startEmbeddedDatabase({ dataDir });
  proxy.target(Number(new URL(server.url).port));
}

function proxyUrl(): string {
  return tcpUrl(server.url, proxy.port);
}
