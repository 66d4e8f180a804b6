import { expect, onTestFinished, test } from "vitest";
import { useDatabase } from "#tests/support/database/database.ts";
import { isFullFaultRun } from "#tests/support/fault-runs.ts";
import { startAppServer } from "#tests/support/servers/app-server.ts";

const db = useDatabase();

test.skipIf(!isFullFaultRun)(
  "npm run dev loads its routes before it is ready, so that the first call and the first page are answered in time",
  async () => {
    const environment = { DEMO_DATA: "off", LOG_FORMAT: "json" };
    const server = await startAppServer({ databaseUrl: db.ownerUrl(), development: true, environment });
    onTestFinished(async () => void (await server.stop()));
    const begin = performance.now();
    expect((await fetch(`${server.origin}/api/campaigns`)).status).toBe(401);
    // Less than what a request has before it gets 503.
    expect(performance.now() - begin).toBeLessThan(5_000);
    expect((await fetch(server.origin)).status).toBe(200);
    expect(server.output()).not.toMatch(/"level":"?(?:error|fatal|50|60)/);
  },
  120_000,
);
