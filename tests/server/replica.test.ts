import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Sql } from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { PdfPool } from "#app/documents/pdf-pool.server.ts";
import type { ReadCtx } from "#app/domain/context.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { inStaleSnapshot, noticeableAsOf, readStale } from "#app/domain/stale-reads.server.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { closeDatabase, database, openDatabase, type ReadDatabase } from "#db/client.server.ts";
import { waitForDatabase } from "#db/connection-traits.server.ts";
import { postgres } from "#db/driver.server.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "#db/embedded.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import {
  closeReplica,
  openReplica,
  type ReplicaOptions,
  replicaStatus,
  type StaleReadSource,
} from "#db/replica/replica.server.ts";
import { makeRouteVisits, moduleOf, type RouteVisits, routeTable } from "#tests/routes/route-visits.ts";
import {
  createDatabaseCopy,
  createTemplateDatabase,
  dropDatabaseCopy,
  serverUrl,
} from "#tests/support/database/database-copies.ts";
import { type StreamingReplica, startStreamingReplica } from "#tests/support/database/streaming-replica.ts";
import { tcpUrl } from "#tests/support/database/tcp-url.ts";
import { type AppServer, failToStart, startAppServer } from "#tests/support/servers/app-server.ts";
import { hasPooler, startPooler } from "#tests/support/servers/pooler.ts";

const dataDir = mkdtempSync(join(tmpdir(), "endcap-primary-"));
let primary: EmbeddedDatabase;
let replica: StreamingReplica;
let ownerUrl: string;
/** As superusers, of the same database. */
let [atPrimary, atReplica]: Sql[] = [];
let visits: RouteVisits;

beforeAll(async () => {
  primary = await startEmbeddedDatabase({ dataDir });
  await createTemplateDatabase(primary.url);
  const url = new URL(primary.url);
  url.pathname = "/template";
  ownerUrl = url.href;
  replica = await startStreamingReplica(primary);
  openDatabase({ url: serverUrl(ownerUrl) });
  atPrimary = postgres(ownerUrl, { max: 2, onnotice: () => undefined });
  atReplica = postgres(replica.urlOf(ownerUrl), { max: 1, onnotice: () => undefined });
  visits = await makeRouteVisits(database());
}, 120_000);

afterAll(async () => {
  await closeReplica();
  await closeDatabase();
  await Promise.all([atPrimary?.end(), atReplica?.end({ timeout: 1 })]);
  await replica?.stop();
  await primary?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

afterEach(closeReplica);

/** The replica is open for one test; `sources` lists what answered its reads. */
async function useReplica(options: Partial<ReplicaOptions> = {}) {
  const sources: StaleReadSource[] = [];
  const states: string[] = [];
  await openReplica({
    url: replica.urlOf(serverUrl(ownerUrl)),
    maxLagMs: 60_000,
    measureEveryMs: 50,
    prepare: undefined,
    onRead: (source) => void sources.push(source),
    onState: (state) => void states.push(state),
    ...options,
  });
  return { sources, states };
}

/** Resolves once the replica has everything that was committed by now. */
async function caughtUp(): Promise<void> {
  const now = Date.now();
  await vi.waitFor(
    () => {
      expect(replicaStatus()).toMatchObject({ state: "used" });
      expect(replicaStatus()?.lagMs).toBeLessThan(Date.now() - now);
    },
    { timeout: 20_000, interval: 20 },
  );
}

const place = z.object({ is_replica: z.boolean() });
async function readsReplica({ db }: { db: ReadDatabase }): Promise<boolean> {
  const [row] = await queryRows(db, place, sql`select pg_is_in_recovery() as is_replica`);
  return row?.is_replica ?? false;
}

const northwind = () => visits.world.northwind;

async function whilePaused(work: () => Promise<void>): Promise<void> {
  await atReplica?.unsafe("select pg_wal_replay_pause()");
  try {
    await work();
  } finally {
    await atReplica?.unsafe("select pg_wal_replay_resume()");
  }
}

describe("a read that may be stale", () => {
  test("comes from the primary where there is no replica", async () => {
    expect(await inStaleSnapshot(northwind(), readsReplica)).toBe(false);
    expect(await readStale(northwind(), readsReplica)).toBe(false);
  });

  test("comes from the replica, in one read-only snapshot, with the moment up to which that has every change", async () => {
    const { sources, states } = await useReplica();
    const begin = Date.now();
    await caughtUp();
    const level = sql`select current_setting('transaction_isolation') || ' ' || current_setting('transaction_read_only') as level`;
    const found = await inStaleSnapshot(northwind(), async (reading) => ({
      isReplica: await readsReplica(reading),
      level: await queryRows(reading.db, z.object({ level: z.string() }), level),
      asOf: reading.asOf,
    }));
    expect(found).toMatchObject({ isReplica: true, level: [{ level: "repeatable read on" }] });
    expect(found.asOf?.getTime()).toBeGreaterThan(begin - 1_000);
    expect(found.asOf?.getTime()).toBeLessThanOrEqual(Date.now());
    expect(sources).toEqual(["replica"]);
    expect(states.at(-1)).toBe("used");
  });

  test("includes what its reader changed before, and other changes only once they have arrived", async () => {
    const { sources } = await useReplica();
    await caughtUp();
    const countReports = (reading: { db: ReadDatabase }) =>
      queryRows(
        reading.db,
        z.object({ n: z.number() }),
        sql`select count(*)::int as n from saved_views where name = 'Weekly'`,
      );
    await whilePaused(async () => {
      await createReport(northwind(), { name: "Weekly", query: "group=channel" });
      const changedAt = new Date();
      expect(await readStale(northwind(), countReports)).toEqual([{ n: 0 }]);
      expect(await readStale({ ...northwind(), changedAt }, countReports)).toEqual([{ n: 1 }]);
      expect(await inStaleSnapshot({ ...northwind(), changedAt }, countReports)).toEqual([{ n: 1 }]);
      expect(sources).toEqual(["replica", "primary_recent_change", "primary_recent_change"]);
    });
    await caughtUp();
    expect(await readStale(northwind(), countReports)).toEqual([{ n: 1 }]);
    expect(sources.at(-1)).toBe("replica");
  });

  test("inside a transaction is that transaction's", async () => {
    await useReplica();
    await caughtUp();
    await inTransaction(northwind(), async (tx) => {
      expect(await inStaleSnapshot(tx, readsReplica)).toBe(false);
      expect(await readStale(tx, readsReplica)).toBe(false);
    });
  });

  test("cannot write: neither by type nor in the database", async () => {
    await useReplica();
    await caughtUp();
    const write = sql`update accounts set company_name = company_name`;
    await expect(inStaleSnapshot(northwind(), ({ db }) => db.execute(write))).rejects.toMatchObject({
      cause: { code: "25006" },
    });
    // A context that only reads is refused by each verb, which the type check proves.
    // @ts-expect-error
    const verb: (ctx: ReadCtx) => unknown = (ctx) => inTransaction(ctx, async () => undefined);
    expect(verb).toBeInstanceOf(Function);
  });

  test("says as of when it is from a lag of more than five seconds on", () => {
    const at = (seconds: number) => ({
      ...northwind(),
      asOf: new Date(northwind().clock().getTime() - seconds * 1_000),
    });
    expect(noticeableAsOf(northwind())).toBeUndefined();
    expect(noticeableAsOf(at(4))).toBeUndefined();
    expect(noticeableAsOf(at(6))).toEqual(at(6).asOf);
  });
});

describe("a replica that fails", () => {
  test("by more lag than is allowed is not read until it has caught up", async () => {
    const { sources, states } = await useReplica({ maxLagMs: 1_000 });
    await caughtUp();
    await whilePaused(async () => {
      expect(await readStale(northwind(), readsReplica)).toBe(true);
      await vi.waitFor(() => expect(states.at(-1)).toBe("replica_lags"), { timeout: 10_000, interval: 50 });
      expect(await readStale(northwind(), readsReplica)).toBe(false);
      expect(replicaStatus()?.lagMs).toBeGreaterThan(1_000);
      expect(sources.at(-1)).toBe("primary_replica_unfit");
    });
    await caughtUp();
    expect(await readStale(northwind(), readsReplica)).toBe(true);
  });

  test("by canceling a read that replay conflicts with fails no read", async () => {
    const { sources } = await useReplica();
    await atPrimary?.unsafe("create table short_lived as select generate_series(1, 100) as n");
    await atPrimary?.unsafe("grant select on short_lived to endcap_server");
    await caughtUp();
    const places: boolean[] = [];
    const counted = await inStaleSnapshot(northwind(), async (reading) => {
      places.push(await readsReplica(reading));
      const count = sql`select count(*)::int as n from short_lived`;
      await reading.db.execute(count);
      if (places.length === 1) {
        // Replay needs a lock that the open snapshot's statement holds.
        await atPrimary?.unsafe("truncate short_lived");
        const [row] = (await atPrimary?.unsafe("select pg_current_wal_lsn()::text as lsn")) ?? [];
        await vi.waitFor(
          async () => {
            const [replayed] =
              (await atReplica?.unsafe(`select pg_last_wal_replay_lsn() >= '${row?.lsn}' as done`)) ?? [];
            expect(replayed?.done).toBe(true);
          },
          { timeout: 10_000, interval: 20 },
        );
      }
      return queryRows(reading.db, z.object({ n: z.number() }), count);
    });
    expect(counted).toEqual([{ n: 0 }]);
    expect(places).toEqual([true, false]);
    expect(sources).toEqual(["primary_replica_failed"]);
  });

  test("by its death, also in the middle of a read, fails no read, and it is read again when it is back", async () => {
    const { sources } = await useReplica();
    await caughtUp();
    const places: boolean[] = [];
    const read = inStaleSnapshot(northwind(), async (reading) => {
      places.push(await readsReplica(reading));
      if (places.length === 1) await replica.kill();
      return readsReplica(reading);
    });
    try {
      expect(await read).toBe(false);
      expect(places).toEqual([true, false]);
      expect(await readStale(northwind(), readsReplica)).toBe(false);
      await vi.waitFor(() => expect(replicaStatus()?.state).toBe("replica_unreachable"), { timeout: 10_000 });
      expect(await readStale(northwind(), readsReplica)).toBe(false);
    } finally {
      await replica.start();
    }
    await caughtUp();
    expect(await readStale(northwind(), readsReplica)).toBe(true);
    expect(new Set(sources)).toEqual(new Set(["primary_replica_failed", "primary_replica_unfit", "replica"]));
  });
});

describe("a replica is refused", () => {
  test("when it is no replica", async () => {
    await useReplica({ url: serverUrl(ownerUrl) });
    expect(replicaStatus()?.state).toBe("replica_not_in_recovery");
    expect(await readStale(northwind(), async ({ asOf }) => asOf)).toBeUndefined();
  });

  test("when it lacks migrations", async () => {
    const [last] =
      (await atPrimary?.unsafe(
        "select id, hash, created_at from drizzle.__drizzle_migrations order by id desc limit 1",
      )) ?? [];
    await atPrimary?.unsafe("delete from drizzle.__drizzle_migrations where id = $1", [last?.id]);
    try {
      await useReplica();
      await vi.waitFor(() => expect(replicaStatus()?.state).toBe("replica_schema_behind"), { timeout: 10_000 });
      expect(await readStale(northwind(), readsReplica)).toBe(false);
    } finally {
      await atPrimary?.unsafe("insert into drizzle.__drizzle_migrations (id, hash, created_at) values ($1, $2, $3)", [
        last?.id,
        last?.hash,
        last?.created_at,
      ]);
    }
    await caughtUp();
    expect(await readStale(northwind(), readsReplica)).toBe(true);
  });

  test.skipIf(!hasPooler)(
    "behind a pool by transaction only if statements must be prepared (needs pgbouncer)",
    async () => {
      const roles = [replica.urlOf(serverUrl(ownerUrl))];
      const pooler = await startPooler(replica.urlOf(ownerUrl), { mode: "transaction", roles });
      try {
        const url = pooler.urlOf(serverUrl(ownerUrl));
        await useReplica({ url });
        await caughtUp();
        expect(await inStaleSnapshot(northwind(), readsReplica)).toBe(true);
        await closeReplica();
        await useReplica({ url, prepare: true });
        expect(replicaStatus()).toMatchObject({
          state: "replica_unreachable",
          reason: expect.stringMatching(/^DATABASE_PREPARE: the pooler at DATABASE_REPLICA_URL/),
        });
      } finally {
        await closeReplica();
        await pooler.stop();
      }
    },
  );

  test("with the setting's name when its URL is wrong", async () => {
    const url = `${replica.urlOf(serverUrl(ownerUrl))}?sslmode=maybe`;
    await expect(useReplica({ url })).rejects.toThrow("DATABASE_REPLICA_URL: sslmode=maybe is not one of");
  });
});

test("of all screens these alone read the replica: figures, histories and exports, never money or decisions", async () => {
  const read = new Set<string>();
  let path = "";
  await useReplica({
    observeQuery: (_text, { job }) => {
      if (job !== "watch_replica") read.add(path);
      return { sent: () => undefined, settled: () => undefined };
    },
  });
  await caughtUp();
  // The visits' people signed in by the world's clock.
  vi.setSystemTime(visits.world.clock());
  // On a busy machine a thread may write none in time, which is answered with 503.
  const documents = vi.spyOn(PdfPool.prototype, "write").mockImplementation(async () => new Blob().stream());
  try {
    // Test mode has the same modules.
    for (const route of routeTable.filter((one) => /^\/(advertiser|publisher)\/(?!test-mode)/.test(one.path))) {
      if (typeof (await moduleOf(route.file)).loader !== "function") continue;
      path = route.path;
      const as = path.startsWith("/advertiser") ? "northwind" : "harbor";
      const { status } = await visits.call(route.file, { path, handler: "loader", as });
      expect([path, status < 500]).toEqual([path, true]);
    }
  } finally {
    documents.mockRestore();
    vi.useRealTimers();
  }
  const mounts = ["/advertiser", "/publisher"];
  const stale = ["activity", "activity/export.csv", "analytics", "analytics/export", "products/export.csv"];
  const expected = mounts.flatMap((mount) =>
    [...stale, "reports/:id/sendings/:sending"].map((one) => `${mount}/${one}`),
  );
  expect([...read].sort()).toEqual(expected.sort());
}, 120_000);

describe("a server with a replica", () => {
  let server: AppServer;
  const token = "m".repeat(40);
  beforeAll(async () => {
    server = await startAppServer({
      databaseUrl: ownerUrl,
      environment: {
        DATABASE_REPLICA_URL: replica.urlOf(serverUrl(ownerUrl)),
        METRICS_TOKEN: token,
        RATE_LIMITS: "off",
        WORKER: "off",
        LOG_LEVEL: "info",
      },
    });
  }, 180_000);
  afterAll(() => server?.kill());

  const parts = z.object({ status: z.string(), parts: z.record(z.string(), z.object({ status: z.string() })) });
  async function readiness() {
    const response = await fetch(`${server.origin}/readyz`);
    const { status, parts: found } = parts.parse(await response.json());
    return { code: response.status, status, replica: found.replica };
  }
  const metrics = async () =>
    (await fetch(`${server.origin}/metrics`, { headers: { Authorization: `Bearer ${token}` } })).text();
  const sampleOf = (text: string, name: string) => Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
  const analytics = `/advertiser/test-mode/analytics`;

  test("reads analytics from it, shows its state, and reads from the primary what the browser just changed", async () => {
    await vi.waitFor(
      async () => expect(await readiness()).toEqual({ code: 200, status: "ready", replica: { status: "ok" } }),
      {
        timeout: 20_000,
      },
    );
    expect((await fetch(server.origin + analytics)).status).toBe(200);
    const before = await metrics();
    expect(sampleOf(before, 'endcap_stale_reads_total{source="replica"}')).toBeGreaterThan(0);
    expect(sampleOf(before, "endcap_replica_lag_seconds")).toBeLessThan(10);
    const headers = { Origin: server.origin, "Content-Type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ back: analytics });
    const changed = await fetch(`${server.origin}/advertiser/test-mode`, {
      method: "POST",
      redirect: "manual",
      headers,
      body,
    });
    const cookie = changed.headers.getSetCookie().find((one) => one.startsWith("portal_changed="));
    expect(cookie).toMatch(/^portal_changed=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    await fetch(server.origin + analytics, { headers: { Cookie: cookie?.split(";")[0] ?? "" } });
    expect(sampleOf(await metrics(), 'endcap_stale_reads_total{source="primary_recent_change"}')).toBe(1);
    const read = await fetch(server.origin + analytics);
    expect(read.headers.getSetCookie().join()).not.toContain("portal_changed");
  });

  test("reads by a call from the primary what the browser just changed by another, with a body and without", async () => {
    const session = visits.cookies.get("northwind") ?? "";
    const call = (path: string, { cookies = session, ...init }: RequestInit & { cookies?: string } = {}) =>
      fetch(`${server.origin}/api${path}`, {
        ...init,
        headers: { Cookie: cookies, Origin: server.origin, "Content-Type": "application/json", ...init.headers },
      });
    const noted = (response: Response) =>
      response.headers.getSetCookie().find((one) => one.startsWith("portal_changed="));
    const reads = async (source: StaleReadSource) =>
      sampleOf(await metrics(), `endcap_stale_reads_total{source="${source}"}`);
    await vi.waitFor(async () => expect((await readiness()).replica?.status).toBe("ok"), { timeout: 20_000 });

    const fromReplica = await reads("replica");
    const read = await call("/analytics");
    expect([read.status, noted(read)]).toEqual([200, undefined]);
    expect(await reads("replica")).toBe(fromReplica + 1);

    const name = JSON.stringify({ name: "Autumn" });
    for (const [path, init] of [
      ["/campaigns", { body: name }],
      [`/campaigns/${visits.campaignId}/pause`, {}],
    ] as const) {
      const changed = await call(path, { method: "POST", ...init });
      expect([path, changed.ok]).toEqual([path, true]);
      const cookie = noted(changed);
      expect(cookie).toMatch(/^portal_changed=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
      const before = await reads("primary_recent_change");
      expect((await call("/analytics", { cookies: `${session}; ${cookie?.split(";")[0]}` })).status).toBe(200);
      expect(await reads("primary_recent_change")).toBe(before + 1);
    }
    // A program sends no cookies back.
    const keyed = await call("/campaigns", { method: "POST", body: name, headers: { Authorization: "Bearer none" } });
    expect([keyed.status, noted(keyed)]).toEqual([401, undefined]);
  });

  test("stays ready without it, and answers as before", async () => {
    await replica.kill();
    try {
      expect((await fetch(server.origin + analytics)).status).toBe(200);
      await vi.waitFor(async () => expect((await readiness()).replica?.status).toBe("degraded"), { timeout: 20_000 });
      expect(await readiness()).toMatchObject({ code: 200, status: "ready" });
      expect((await fetch(server.origin + analytics)).status).toBe(200);
      expect(await metrics()).toContain('endcap_part_up{part="replica"} 0');
      await vi.waitFor(() => expect(server.output()).toContain('"code":"replica_unreachable"'), { timeout: 10_000 });
      expect(server.output()).not.toMatch(/"level":(50|60)/);
    } finally {
      await replica.start();
    }
  });
});

test("a start waits for a database that is starting, and for a standby until a failover has promoted it", async () => {
  const seen: string[] = [];
  const phases = ["starting", "starting", "standby", "standby"] as const;
  const before = createServer((client) => {
    const phase = phases[seen.length] ?? "primary";
    seen.push(phase);
    client.on("error", () => undefined);
    if (phase === "starting") return rejectAsStarting(client);
    const { port } = new URL(phase === "standby" ? replica.urlOf(ownerUrl) : ownerUrl);
    const server = connect(Number(port), "127.0.0.1", () => client.pipe(server).pipe(client));
    server.on("error", () => client.destroy());
  });
  await new Promise<void>((done) => before.listen(0, "127.0.0.1", done));
  onTestFinished(() => void before.close());
  const url = tcpUrl(ownerUrl, z.object({ port: z.number() }).parse(before.address()).port);
  await waitForDatabase(url, { seconds: 30, setting: "DATABASE_URL" });
  expect(seen).toEqual([...phases, "primary"]);
});

test("a start at a standby that stays one ends with the reason", async () => {
  const environment = { DATABASE_WAIT_SECONDS: "1", DEMO_DATA: "off" };
  expect(await failToStart({ databaseUrl: replica.urlOf(ownerUrl), environment })).toEqual({
    code: 1,
    output:
      "DATABASE_OWNER_URL: the database is a standby, which can only be read. Name the primary; DATABASE_REPLICA_URL takes a standby.\n",
  });
});

/** Answers as PostgreSQL does while it starts or recovers from a crash (`cannot_connect_now`), after it refused TLS. */
function rejectAsStarting(client: Socket): void {
  client.on("data", (asked) => {
    const isTlsRequest = asked.length === 8;
    if (isTlsRequest) return void client.write("N");
    const fields = Buffer.from("SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0");
    const head = Buffer.from([69, 0, 0, 0, fields.length + 4]);
    client.end(Buffer.concat([head, fields]));
  });
}

// The last test, because it closes the database that the others use.
test("a replica of another database server is refused", async () => {
  const other = await createDatabaseCopy(inject("clusterUrl"));
  await closeDatabase();
  openDatabase({ url: serverUrl(other) });
  try {
    await useReplica();
    expect(replicaStatus()?.state).toBe("replica_of_another_cluster");
  } finally {
    await closeReplica();
    await closeDatabase();
    openDatabase({ url: serverUrl(ownerUrl) });
    await dropDatabaseCopy(other);
  }
});
