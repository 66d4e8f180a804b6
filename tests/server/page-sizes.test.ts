import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { useDatabase } from "#tests/support/database/database.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";
import { signIn } from "#tests/support/servers/sign-in.ts";

const db = useDatabase({ demoAt: inject("startedAt") });
let server: AppServer;

beforeAll(async () => {
  server = await startAppServer({ databaseUrl: db.ownerUrl(), environment: { WORKER: "off" } });
}, 180_000);

afterAll(() => server.kill());

/** Limits of HTML in KB, gzip, of the demo's lists. */
const limits = {
  advertiser: { campaigns: 7.9, products: 6.2, creatives: 4.0, activity: 6.3 },
  publisher: { campaigns: 8.9, approval: 5.0, audiences: 5.0, creatives: 3.7, activity: 6.4 },
};

test.each(["advertiser", "publisher"] as const)("no list of the %s has more HTML than it may", async (portal) => {
  const cookie = await signIn(server, portal);
  const tooLarge: string[] = [];
  for (const [name, limit] of Object.entries(limits[portal])) {
    const html = await (await fetch(`${server.origin}/${portal}/${name}`, { headers: { cookie } })).text();
    expect(html).toContain('<main class="page"');
    const kilobytes = gzipSync(html).length / 1024;
    if (kilobytes > limit) tooLarge.push(`${name}: ${kilobytes.toFixed(2)} KB`);
  }
  expect(tooLarge).toEqual([]);
});
