import { readdirSync, readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import express, { type RequestHandler } from "express";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { StartupError } from "#app/startup-error.ts";
import { admitRequests } from "#server/http/admission.ts";
import { observeRequests } from "#server/http/observe-requests.ts";
import { limitRequests } from "#server/http/request-limits.ts";
import { serveMetrics } from "#server/observability/metrics-endpoint.ts";
import type { Metrics } from "#server/observability/recorder.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { metricNames, parseExposition } from "#tests/support/exposition.ts";
import { type AppServer, failToStart, freePort, startAppServer } from "#tests/support/servers/app-server.ts";
import { startWorkerProcess } from "#tests/support/servers/worker-process.ts";

const db = useDatabase();
const token = "m".repeat(40);
const bearer = { headers: { Authorization: `Bearer ${token}` } };

/** The sample of the build: the version in package.json, and the number of migrations that the database has. */
function buildInfoOf(program: string): string {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));
  const count = readdirSync("db/migrations").filter((name) => name.endsWith(".sql")).length;
  return `endcap_build_info{version="${version}",program="${program}",migrations="${count}"}`;
}

async function scrape(origin: string, init?: RequestInit) {
  const response = await fetch(`${origin}/metrics`, init);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  return parseExposition(await response.text());
}

describe("with a token", () => {
  let server: AppServer;
  beforeAll(async () => {
    const environment = { METRICS_TOKEN: token, DEMO_DATA: "off", LOG_LEVEL: "silent", RATE_LIMITS: "off" };
    server = await startAppServer({ databaseUrl: db.ownerUrl(), environment });
  }, 180_000);
  afterAll(() => server?.kill());

  test.each([
    ["no header", undefined],
    ["another token", `Bearer ${"n".repeat(40)}`],
    ["a beginning of the token", `Bearer ${token.slice(0, 39)}`],
    ["the token as a password", `Basic ${Buffer.from(`metrics:${token}`).toString("base64")}`],
    ["a session's cookie only", ""],
  ])("metrics are refused with %s", async (_what, authorization) => {
    const headers = { Cookie: "portal_session=x", ...(authorization && { Authorization: authorization }) };
    const response = await fetch(`${server.origin}/metrics`, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(await response.text()).not.toContain("endcap_");
  });

  test("requests count by route, method and status class, and no label contains what a client chose", async () => {
    const id = "0199c0de-0000-7000-8000-00000000beef";
    const paths = [
      ["/?marker-beef", "GET", "screens/public/landing/route", "2xx"],
      ["/marker-beef", "GET", "screens/public/not-found/route", "4xx"],
      [`/api/campaigns/${id}`, "GET", "/api/campaigns/{id}", "4xx"],
      [`/api/campaigns/${id}/play`, "POST", "/api/campaigns/{id}/play", "4xx"],
      ["/api/marker-beef", "GET", "none", "4xx"],
      [`/advertiser/campaigns/${id}`, "GET", "advertiser/campaigns/:id", "3xx"],
      ["/assets/marker-beef.js", "GET", "/assets/", "4xx"],
      ["/creatives/marker-beef", "GET", "/creatives/", "4xx"],
      ["/", "PROPFIND", "none", "4xx"],
    ] as const;
    for (const [path, method] of paths) {
      await fetch(server.origin + path, { method, redirect: "manual", headers: { "User-Agent": "marker-beef" } });
    }
    const text = await (await fetch(`${server.origin}/metrics`, bearer)).text();
    const samples = parseExposition(text);
    for (const [, method, route, status] of paths) {
      const known = method === "PROPFIND" ? "other" : method;
      const labels = `route="${route}",method="${known}"`;
      expect([route, samples.get(`endcap_http_requests_total{${labels},status="${status}"}`)]).toEqual([route, 1]);
      expect(samples.get(`endcap_http_request_duration_seconds_count{${labels}}`)).toBeGreaterThanOrEqual(1);
    }
    expect(text).not.toContain("beef");
    expect(text).not.toMatch(/marker|propfind/i);
    // The scrape itself is the only one that runs.
    expect(samples.get("endcap_http_requests_in_progress")).toBe(1);
  });

  test("the process, its pool, its parts and its jobs are described", async () => {
    await vi.waitFor(async () => {
      const samples = await scrape(server.origin, bearer);
      expect(samples.get(buildInfoOf("server"))).toBe(1);
      expect(samples.get("endcap_database_up")).toBe(1);
      expect(samples.get("endcap_database_pool_size")).toBe(10);
      expect(samples.get('endcap_part_up{part="worker"}')).toBe(1);
      expect(samples.get('endcap_job_runs_total{name="purge_sign_ins",result="success"}')).toBe(1);
      const succeededAt = samples.get('endcap_job_last_success_timestamp_seconds{name="purge_sign_ins"}') ?? 0;
      expect(Math.abs(Date.now() / 1_000 - succeededAt)).toBeLessThan(120);
      expect(samples.get("endcap_database_query_duration_seconds_count")).toBeGreaterThan(20);
      expect(samples.get("endcap_data_dir_free_bytes")).toBeGreaterThan(0);
      expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
      expect(samples.get("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
    }, 20_000);
  });

  test("a database that is gone leaves the metrics, which say so, and its return is seen", async () => {
    const name = new URL(db.ownerUrl()).pathname.slice(1);
    const outside = new URL(db.ownerUrl());
    outside.pathname = "/postgres";
    const { postgres } = await import("#db/driver.server.ts");
    const admin = postgres(outside.href, { max: 1 });
    try {
      await admin.unsafe(`alter database "${name}" with allow_connections false`);
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`;
      await vi.waitFor(
        async () => {
          const begin = performance.now();
          const samples = await scrape(server.origin, bearer);
          expect(performance.now() - begin).toBeLessThan(6_000);
          expect(samples.get("endcap_database_up")).toBe(0);
          expect(samples.get('endcap_part_up{part="database"}')).toBe(0);
          const names = metricNames(samples);
          expect(["endcap_queue_due", "endcap_outbox_waiting"].filter((one) => names.has(one))).toEqual([]);
          expect(samples.get("endcap_database_pool_size")).toBe(10);
        },
        { timeout: 40_000, interval: 500 },
      );
    } finally {
      await admin.unsafe(`alter database "${name}" with allow_connections true`);
      await admin.end();
    }
    await vi.waitFor(
      async () => {
        const samples = await scrape(server.origin, bearer);
        expect(samples.get("endcap_database_up")).toBe(1);
        expect(samples.has('endcap_queue_due{kind="send_mail"}')).toBe(true);
      },
      { timeout: 40_000, interval: 500 },
    );
  }, 120_000);
});

describe("on a port of its own", () => {
  let [server, metricsPort]: [AppServer | undefined, number] = [undefined, 0];
  const own = () => `http://127.0.0.1:${metricsPort}`;
  beforeAll(async () => {
    metricsPort = await freePort();
    const environment = { METRICS_PORT: String(metricsPort), DEMO_DATA: "off", LOG_LEVEL: "silent", WORKER: "off" };
    server = await startAppServer({ databaseUrl: db.ownerUrl(), environment });
  }, 180_000);
  afterAll(() => server?.kill());

  test("what waits in the database is read once in five seconds, however many ask", async () => {
    const countOf = async () => (await scrape(own())).get('endcap_queue_due{kind="send_mail"}');
    // The first reading of this server.
    expect(await countOf()).toBe(0);
    await db.owner().execute(sql`select graphile_worker.add_job('send_mail', '{}'::json)`);
    expect(await Promise.all([countOf(), countOf()])).toEqual([0, 0]);
    await vi.waitFor(async () => expect(await countOf()).toBe(1), { timeout: 10_000, interval: 500 });
    await db.owner().execute(sql`delete from graphile_worker._private_jobs`);
  }, 30_000);

  test("metrics are served there without a token, and not on the server's port", async () => {
    expect((await fetch(`${server?.origin}/metrics`)).status).toBe(404);
    const samples = await scrape(own());
    expect(samples.get(buildInfoOf("server"))).toBe(1);
    expect(samples.has('endcap_part_up{part="worker"}')).toBe(false);
    for (const path of ["/", "/readyz", "/metrics/x"]) expect((await fetch(own() + path)).status).toBe(404);
    expect((await fetch(`${own()}/metrics`, { method: "POST" })).status).toBe(404);
  });

  test("a port that is in use is named, in one line", async () => {
    const second = serveMetrics(async () => undefined, { port: metricsPort, host: "127.0.0.1" });
    const message = `METRICS_PORT: cannot listen on ${metricsPort} (EADDRINUSE)`;
    await expect(second).rejects.toThrow(new StartupError(message));
  });

  test("a server that cannot have its port does no work", async () => {
    await db.owner().execute(sql`select graphile_worker.add_job('send_mail', '{}'::json)`);
    const environment = { METRICS_PORT: String(metricsPort), DEMO_DATA: "off", LOG_LEVEL: "silent" };
    const { code, output } = await failToStart({ databaseUrl: db.ownerUrl(), environment });
    expect({ code, output }).toEqual({
      code: 1,
      output: `METRICS_PORT: cannot listen on ${metricsPort} (EADDRINUSE)\n`,
    });
    const jobs = await db.owner().execute(sql`select attempts from graphile_worker._private_jobs`);
    expect([...jobs]).toEqual([{ attempts: 0 }]);
    await db.owner().execute(sql`delete from graphile_worker._private_jobs`);
  }, 60_000);

  test("the worker serves its own on its health port", async () => {
    const healthPort = await freePort();
    const environment = { METRICS_PORT: String(metricsPort), WORKER_HEALTH_PORT: String(healthPort) };
    const worker = startWorkerProcess({ dataDir: server?.dataDir ?? "", db, environment });
    try {
      await vi.waitFor(
        async () => {
          const samples = await scrape(`http://127.0.0.1:${healthPort}`);
          expect(samples.get(buildInfoOf("worker"))).toBe(1);
          expect(samples.get('endcap_part_up{part="worker"}')).toBe(1);
          expect(samples.get('endcap_job_runs_total{name="purge_sign_ins",result="success"}')).toBe(1);
        },
        { timeout: 30_000, interval: 200 },
      );
    } finally {
      const ended = new Promise((done) => worker.on("exit", done));
      worker.kill("SIGTERM");
      await ended;
    }
  }, 60_000);
});

describe("shed requests", () => {
  async function listen(handlers: RequestHandler[]) {
    const app = express();
    for (const handler of handlers) app.use(handler);
    const server = app.listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    const address = server.address();
    return { server, origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` };
  }

  test.each([
    ["capacity", false, 64],
    ["transfers", true, 16],
  ] as const)("count with the limit that they exceed: %s", async (reason, isTransfer, limit) => {
    const onShed = vi.fn();
    const held: express.Response[] = [];
    const admit = admitRequests({ isTransfer: () => isTransfer, onShed });
    const hold: RequestHandler = (_request, response) => void held.push(response);
    const { server, origin } = await listen([admit, hold]);
    const admitted = Array.from({ length: limit }, () => fetch(origin));
    await vi.waitFor(() => expect(held).toHaveLength(limit));
    expect(onShed).not.toHaveBeenCalled();
    expect((await fetch(origin)).status).toBe(503);
    expect(onShed.mock.calls).toEqual([[reason]]);
    for (const response of held) response.end();
    await Promise.all(admitted);
    server.close();
  });

  test("count when a complete request gets no response in time", async () => {
    const onTimeout = vi.fn();
    const { server, origin } = await listen(limitRequests({ milliseconds: 50, bytes: 1_000, onTimeout }));
    const { server: slow, origin: slowOrigin } = await listen([
      ...limitRequests({ milliseconds: 50, bytes: 1_000, onTimeout }),
      () => undefined,
    ]);
    expect((await fetch(origin)).status).toBe(404);
    expect(onTimeout).not.toHaveBeenCalled();
    expect((await fetch(slowOrigin)).status).toBe(503);
    expect(onTimeout).toHaveBeenCalledTimes(1);
    server.close();
    slow.close();
  });

  test("do not count when a response is being sent at the end of its time, which is counted as aborted", async () => {
    const onTimeout = vi.fn();
    const requestEnded = vi.fn();
    const metrics = { requestStarted: () => undefined, requestEnded } as Partial<Metrics> as Metrics;
    const { server, origin } = await listen([
      observeRequests(metrics),
      ...limitRequests({ milliseconds: 50, bytes: 1_000, onTimeout }),
      (_request, response) => void response.write("the beginning"),
    ]);
    await expect(fetch(origin).then((response) => response.text())).rejects.toThrow("terminated");
    await vi.waitFor(() => expect(requestEnded).toHaveBeenCalledTimes(1));
    expect(requestEnded).toHaveBeenCalledWith(expect.objectContaining({ status: "aborted" }));
    expect(onTimeout).not.toHaveBeenCalled();
    server.close();
  });
});
