import { once } from "node:events";
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { postgres } from "#db/driver.server.ts";
import { rateLimits } from "#db/schema/index.ts";
import { partChecks } from "#server/health/part-checks.ts";
import { degradable, openReadiness } from "#server/health/readiness.ts";
import { startTaskWorker } from "#server/jobs/task-worker.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { tcpUrl } from "#tests/support/database/tcp-url.ts";
import { startUnreliableProxy } from "#tests/support/fakes/unreliable-proxy.ts";
import { type AppServer, freePort, startAppServer } from "#tests/support/servers/app-server.ts";
import { killBoth } from "#tests/support/servers/process-tree.ts";
import { startWorkerProcess } from "#tests/support/servers/worker-process.ts";

const ok = { status: "ok" };
const db = useDatabase();
const dataDir = mkdtempSync(join(tmpdir(), "endcap-readiness-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function readinessOf(origin: string) {
  const response = await fetch(`${origin}/readyz`);
  expect(response.headers.get("content-type")).toContain("application/json");
  return { code: response.status, ...reportSchema.parse(await response.json()) };
}

const never = () => new Promise<undefined>(() => undefined);
const reportSchema = z.strictObject({ status: z.string(), parts: z.record(z.string(), z.unknown()) });

describe("a report", () => {
  test("is ready when every part works, and names the parts that do not", async () => {
    const [works, fails, throws] = [vi.fn(), vi.fn(), vi.fn()];
    works.mockResolvedValue(undefined);
    fails.mockResolvedValue("is full");
    throws.mockRejectedValue(new Error("is gone"));
    expect(await openReadiness({ works }).report()).toEqual({ status: "ready", parts: { works: ok } });
    expect(await openReadiness({ works, fails, throws }).report()).toEqual({
      status: "not_ready",
      parts: {
        works: ok,
        fails: { status: "failed", reason: "is full" },
        throws: { status: "failed", reason: "is gone" },
      },
    });
  });

  test("is ready without a part that it can do without, and says what is wrong with it", async () => {
    const parts = { works: async () => undefined, spare: async () => ({ degraded: "is behind" }) };
    expect(await openReadiness(parts).report()).toEqual({
      status: "ready",
      parts: { works: ok, spare: { status: "degraded", reason: "is behind" } },
    });
  });

  test("is ready while a part that it can do without fails, throws or hangs, and says what does not work then", async () => {
    const checks = { fails: async () => "is full", throws: () => Promise.reject(new Error("is gone")), hangs: never };
    const parts = Object.fromEntries(
      Object.entries(checks).map(([name, check]) => [name, degradable(check, "files are not shown")]),
    );
    const degraded = (reason: string) => ({ status: "degraded", reason: `${reason}; files are not shown` });
    expect(await openReadiness({ ...parts, works: degradable(async () => undefined, "nothing") }).report()).toEqual({
      status: "ready",
      parts: {
        fails: degraded("is full"),
        throws: degraded("is gone"),
        hangs: degraded("no response within 2.5 seconds"),
        works: ok,
      },
    });
  });

  test("does not wait for a part that hangs", async () => {
    const { parts } = await openReadiness({ hangs: () => new Promise(() => undefined) }).report();
    expect(parts).toEqual({ hangs: { status: "failed", reason: "no response within 3 seconds" } });
  });

  test("of many requests at once checks each part once", async () => {
    const check = vi.fn().mockResolvedValue(undefined);
    const readiness = openReadiness({ check });
    await Promise.all(Array.from({ length: 50 }, () => readiness.report()));
    expect(check).toHaveBeenCalledTimes(1);
  });

  test("says that the process is draining, whatever works", async () => {
    const readiness = openReadiness({});
    readiness.startDraining();
    expect((await readiness.report()).status).toBe("draining");
  });
});

describe("the parts", () => {
  const worker = (downForMs: number) => ({ downForMs: () => downForMs, stop: async () => undefined });
  const partsOf = async (options: Parameters<typeof partChecks>[0]) =>
    (await openReadiness(partChecks(options)).report()).parts;

  test("without a worker in this process leave it out", async () => {
    expect(Object.keys(await partsOf({ dataDir, worker: undefined }))).toEqual([
      "database",
      "migrations",
      "storage",
      "disk",
    ]);
  });

  test("include a worker that lost its connection for more than a restart", async () => {
    expect((await partsOf({ dataDir, worker: worker(5_000) })).worker).toEqual(ok);
    expect((await partsOf({ dataDir, worker: worker(65_500) })).worker).toEqual({
      status: "failed",
      reason: "no connection for 65 seconds",
    });
  });

  test("include a folder that is missing", async () => {
    const parts = await partsOf({ dataDir: join(dataDir, "missing"), worker: undefined });
    expect(parts.disk).toEqual({ status: "failed", reason: "DATA_DIR cannot be written to (ENOENT)" });
  });

  test("include migrations that the database does not have", async () => {
    const last = sql`where id = (select max(id) from drizzle.__drizzle_migrations)`;
    await db.owner().execute(sql`update drizzle.__drizzle_migrations set hash = hash || '-' ${last}`);
    const { migrations } = await partsOf({ dataDir, worker: undefined });
    await db.owner().execute(sql`update drizzle.__drizzle_migrations set hash = rtrim(hash, '-') ${last}`);
    expect(migrations).toEqual({ status: "failed", reason: "not applied: 1 of this version's migrations" });
    expect((await partsOf({ dataDir, worker: undefined })).migrations).toEqual(ok);
  });

  test("include a missing migration whose SQL another one has too", async () => {
    const [twice] = await db.owner().execute(sql`
      select hash, max(id) as id from drizzle.__drizzle_migrations group by 1 having count(*) > 1 limit 1`);
    await db.owner().execute(sql`update drizzle.__drizzle_migrations set hash = '' where id = ${twice?.id}`);
    const { migrations } = await partsOf({ dataDir, worker: undefined });
    await db
      .owner()
      .execute(sql`update drizzle.__drizzle_migrations set hash = ${twice?.hash} where id = ${twice?.id}`);
    expect(migrations).toEqual({ status: "failed", reason: "not applied: 1 of this version's migrations" });
  });

  test("know how long a worker has had no connection", async () => {
    const closed = await freePort();
    const lost = startTaskWorker({ url: `postgres://u:p@127.0.0.1:${closed}/none`, db: db(), clock: () => new Date() });
    await vi.waitFor(() => expect(lost.downForMs()).toBeGreaterThan(0), 10_000);
    await lost.stop();
    const connected = startTaskWorker({ url: db.url(), db: db(), clock: () => new Date() });
    await vi.waitFor(() => expect(connected.downForMs()).toBe(0), 20_000);
    await connected.stop();
  });
});

test("a worker that no longer reaches the database says so until it does again", async () => {
  const proxy = await startUnreliableProxy();
  const database = Number(new URL(db.url()).port);
  proxy.target(database);
  const worker = startTaskWorker({ url: tcpUrl(db.url(), proxy.port), db: db(), clock: () => new Date() });
  await vi.waitFor(() => expect(worker.downForMs()).toBe(0), 20_000);
  proxy.target(await freePort());
  // A connection that is being opened is not among the sessions yet, and would keep the worker connected.
  await sleep(1_000);
  await db().execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`);
  await vi.waitFor(() => expect(worker.downForMs()).toBeGreaterThan(3_000), 20_000);
  proxy.target(database);
  await vi.waitFor(() => expect(worker.downForMs()).toBe(0), 20_000);
  await worker.stop();
  await proxy.close();
}, 90_000);

test("a worker whose connection gets no response connects again", async () => {
  const proxy = await startUnreliableProxy();
  const silent = createServer((socket) => void socket.on("error", () => undefined));
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const asked = once(silent, "connection");
  proxy.target(Number(Object(silent.address()).port));
  const worker = startTaskWorker({ url: tcpUrl(db.url(), proxy.port), db: db(), clock: () => new Date() });
  await asked;
  // The first connection asks whether there is TLS, and the next is the driver's.
  await once(silent, "connection");
  proxy.target(Number(new URL(db.url()).port));
  await vi.waitFor(() => expect(worker.downForMs()).toBe(0), 40_000);
  await worker.stop();
  silent.close();
  await proxy.close();
}, 90_000);

describe("a server", () => {
  let server: AppServer;
  let endJob: () => Promise<void>;
  beforeAll(async () => {
    endJob = await holdJob();
    const environment = { DRAIN_SECONDS: "300", LOG_LEVEL: "warn", DEMO_DATA: "off" };
    server = await startAppServer({ databaseUrl: db.ownerUrl(), environment });
  }, 180_000);
  afterAll(async () => {
    await endJob?.();
    await server?.kill();
  });

  test("is ready, with all parts", async () => {
    await vi.waitFor(async () => {
      expect(await readinessOf(server.origin)).toEqual({
        code: 200,
        status: "ready",
        parts: { database: ok, migrations: ok, storage: ok, disk: ok, worker: ok },
      });
    }, 30_000);
  });

  test("whose folder of files is not a folder is not ready, and is ready again when it is one", async () => {
    const folder = join(server.dataDir, "files");
    const aside = `${folder}-aside`;
    if (existsSync(folder)) renameSync(folder, aside);
    writeFileSync(folder, "not a folder");
    await vi.waitFor(async () => {
      const { code, parts } = await readinessOf(server.origin);
      expect({ code, storage: parts.storage }).toEqual({
        code: 503,
        storage: { status: "failed", reason: expect.stringMatching(/^The storage of files failed \(E\w+\)$/) },
      });
    }, 30_000);
    rmSync(folder);
    if (existsSync(aside)) renameSync(aside, folder);
    await vi.waitFor(async () => expect((await readinessOf(server.origin)).code).toBe(200), 30_000);
  });

  test("that was told to stop serves requests while it is not ready, and SIGINT ends that, whatever jobs run", async () => {
    const exit = vi.fn();
    const exited = new Promise((done) => server.process.on("exit", done)).then(exit);
    server.process.kill("SIGTERM");
    await vi.waitFor(async () => {
      expect(await readinessOf(server.origin)).toMatchObject({ code: 503, status: "draining" });
    }, 30_000);
    const page = await fetch(server.origin);
    expect([page.status, page.headers.get("connection")]).toEqual([200, "close"]);
    const inFlight = await beginRequest(`${server.origin}/advertiser/login`);
    server.process.kill("SIGINT");
    await vi.waitFor(async () => await expect(fetch(server.origin)).rejects.toThrow(), 5_000);
    expect(await inFlight.end()).toEqual({ status: 422, connection: "close" });
    expect(exit).not.toHaveBeenCalled();
    await endJob();
    await exited;
    expect(exit).toHaveBeenCalledWith(0);
  }, 90_000);
});

/** Makes the job that deletes old rate limits wait for a lock. Returns a function that ends the wait. */
async function holdJob(): Promise<() => Promise<void>> {
  await db.owner().execute(sql`
    create function wait_for_the_test() returns trigger language plpgsql as $$
    begin
      while not pg_try_advisory_xact_lock(1) loop perform pg_sleep(0.02); end loop;
      return old;
    end $$`);
  await db.owner().execute(sql`
    create trigger wait_for_the_test before delete on rate_limits for each row execute function wait_for_the_test()`);
  await db()
    .insert(rateLimits)
    .values({ bucket: "old", tokens: 1, refilledAt: new Date(0) });
  const holder = postgres(db.ownerUrl(), { max: 1 });
  await holder`select pg_advisory_lock(1)`;
  return () => holder.end();
}

/** Sends the head of a form and a part of its body. Resolves when the server has the head; `end` sends the rest. */
async function beginRequest(url: string) {
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  const headers = { ...type, Origin: new URL(url).origin, Expect: "100-continue" };
  const begun = request(url, { method: "POST", headers, agent: false });
  const response = new Promise<IncomingMessage>((resolve, reject) => begun.on("response", resolve).on("error", reject));
  begun.flushHeaders();
  await new Promise((resolve) => begun.on("continue", resolve));
  begun.write("provider=");
  return {
    async end() {
      begun.end("none");
      const { statusCode: status, headers } = (await response).resume();
      return { status, connection: headers.connection };
    },
  };
}

describe("a server and a worker whose bucket fails", () => {
  let server: AppServer;
  let worker: ReturnType<typeof startWorkerProcess>;
  let workerPort: number;
  beforeAll(async () => {
    workerPort = await freePort();
    // Nobody answers on port 9.
    const bucket = {
      S3_BUCKET: "files",
      S3_ENDPOINT: "http://127.0.0.1:9",
      S3_ACCESS_KEY_ID: "a",
      S3_SECRET_ACCESS_KEY: "b",
    };
    const environment = { ...bucket, WORKER: "off", WORKER_HEALTH_PORT: String(workerPort) };
    worker = startWorkerProcess({ dataDir: join(dataDir, "new/worker"), db, environment });
    server = await startAppServer({
      databaseUrl: db.ownerUrl(),
      dataDir: join(dataDir, "new/server"),
      environment,
    });
  }, 180_000);
  afterAll(async () => {
    await killBoth(worker);
    await server?.kill();
  });

  test("are ready, say so, and create the folder of DATA_DIR", async () => {
    for (const origin of [server.origin, `http://127.0.0.1:${workerPort}`]) {
      await vi.waitFor(async () => {
        const reason = expect.stringMatching(/; creatives do not work, everything else/);
        const storage = { status: "degraded", reason };
        expect(await readinessOf(origin)).toMatchObject({ code: 200, status: "ready", parts: { disk: ok, storage } });
      }, 60_000);
    }
  }, 150_000);

  test("the worker serves its health on a port of its own, until it stops", async () => {
    const origin = `http://127.0.0.1:${workerPort}`;
    await vi.waitFor(async () => {
      expect(await readinessOf(origin)).toMatchObject({ code: 200, status: "ready", parts: { worker: ok } });
    }, 60_000);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${origin}/other`)).status).toBe(404);
    const exited = new Promise((done) => worker.on("exit", done));
    worker.kill("SIGTERM");
    expect([await server.stop(), await exited]).toEqual([0, 0]);
    const free = createServer().listen(workerPort, "127.0.0.1");
    await new Promise((done) => free.close(done));
  }, 120_000);
});
