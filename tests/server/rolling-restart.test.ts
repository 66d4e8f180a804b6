import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";
import { faultRuns, isFullFaultRun } from "#tests/support/fault-runs.ts";
import { type AppServer, freePort, startAppServer } from "#tests/support/servers/app-server.ts";
import { hasLoadBalancer, type LoadBalancer, startLoadBalancer } from "#tests/support/servers/load-balancer.ts";

let databaseUrl: string;
const ports: number[] = [];
let balancerPort: number;
let servers: AppServer[];
let environment: Record<string, string>;

const start = (port: number) => startAppServer({ databaseUrl, port, environment });

/** All start at once, on a database without a schema; two go on. */
const racing = faultRuns({ small: 2, all: 6 });

beforeAll(async () => {
  databaseUrl = await createDatabaseCopy(inject("clusterUrl"), { migrated: false });
  for (let count = 0; count < racing; count += 1) ports.push(await freePort());
  balancerPort = await freePort();
  environment = {
    PUBLIC_URL: `http://localhost:${balancerPort}`,
    TRUSTED_PROXIES: "127.0.0.1",
    DRAIN_SECONDS: "3",
    LOG_LEVEL: "warn",
    RATE_LIMITS: "off",
    // The jobs of a server that starts and stops are the subject of readiness.test.ts.
    ...(isFullFaultRun ? {} : { WORKER: "off" }),
  };
  servers = await Promise.all(ports.map(start));
}, 240_000);
afterAll(async () => {
  await Promise.all(servers?.map((server) => server.stop()) ?? []);
  await dropDatabaseCopy(databaseUrl);
});

test(`${racing} servers that find an empty database at once initialize it once`, async () => {
  for (const { port } of servers) expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200);
  for (const server of servers.splice(2)) expect(await server.stop()).toBe(0);
});

describe.skipIf(!hasLoadBalancer)("two servers behind nginx (needs nginx)", () => {
  let balancer: LoadBalancer;
  beforeAll(async () => {
    balancer = await startLoadBalancer(ports.slice(0, 2), balancerPort);
  });
  afterAll(() => balancer?.stop());

  test("a restart of one after the other under 20 requests per second loses none", async () => {
    const outcomes = new Map<string, number>();
    const underway = new Set<Promise<void>>();
    const done = new AbortController();
    const paths = ["/", "/healthz", "/advertiser/login", "/api/campaigns"];
    async function send(number: number): Promise<void> {
      const path = paths[number % paths.length] ?? "/";
      const outcome = await fetch(`${balancer.origin}${path}`, { redirect: "manual" }).then(
        async (response) => {
          await response.arrayBuffer();
          return `${path} ${response.status}`;
        },
        (error: unknown) => `${path} ${String(error)}`,
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    const load = (async () => {
      for (let number = 0; !done.signal.aborted; number += 1) {
        const request = send(number);
        underway.add(request);
        void request.then(() => underway.delete(request));
        await sleep(50);
      }
    })();
    for (const index of [0, 1] as const) {
      expect(await servers[index]?.stop()).toBe(0);
      servers[index] = await start(ports[index] ?? expect.fail("two servers run"));
    }
    done.abort();
    await load;
    await Promise.all(underway);
    expect([...outcomes.keys()].sort(), balancer.errors()).toEqual([
      "/ 200",
      "/advertiser/login 200",
      "/api/campaigns 401",
      "/healthz 200",
    ]);
    expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
  }, 180_000);
});
