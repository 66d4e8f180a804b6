import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { dropDatabaseCopy } from "#tests/support/database/database-copies.ts";
import { createDemoCopy } from "#tests/support/database/demo-copies.ts";
import { type AppServer, freePort, startAppServer } from "#tests/support/servers/app-server.ts";
import { hasLoadBalancer, type LoadBalancer, startLoadBalancer } from "#tests/support/servers/load-balancer.ts";

describe.skipIf(!hasLoadBalancer)("two servers behind nginx (needs nginx)", () => {
  let databaseUrl: string;
  let ports: [number, number];
  let servers: AppServer[];
  let balancer: LoadBalancer;
  let environment: Record<string, string>;

  const start = (port: number) => startAppServer({ databaseUrl, port, environment });

  beforeAll(async () => {
    databaseUrl = await createDemoCopy(inject("startedAt"));
    ports = [await freePort(), await freePort()];
    const port = await freePort();
    environment = {
      PUBLIC_URL: `http://localhost:${port}`,
      TRUSTED_PROXIES: "127.0.0.1",
      DRAIN_SECONDS: "3",
      LOG_LEVEL: "warn",
      RATE_LIMITS: "off",
    };
    servers = await Promise.all(ports.map(start));
    balancer = await startLoadBalancer(ports, port);
  }, 240_000);
  afterAll(async () => {
    await balancer?.stop();
    await Promise.all(servers?.map((server) => server.stop()) ?? []);
    await dropDatabaseCopy(databaseUrl);
  });

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
      servers[index] = await start(ports[index]);
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
