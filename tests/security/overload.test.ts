import { afterAll, beforeAll, expect, test } from "vitest";
import { withDeadline } from "#db/client.server.ts";
import { type AppServer, startAppServer } from "#tests/support/app-server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { faultSize, faultTimeout, isFull } from "#tests/support/fault-size.ts";
import { closedLoop, openLoop, type Sent, summarize } from "#tests/support/open-loop.ts";
import { makeWorld } from "#tests/support/world.ts";

const db = useDatabase();
let server: AppServer;
let next: (n: number) => Sent;

beforeAll(async () => {
  const world = await makeWorld(db());
  world.setNow(new Date().toISOString());
  for (let count = 0; count < 10; count += 1) await world.aLaunchedCampaign();
  const headers = { Cookie: await world.cookieOf("northwind") };
  const asked = ["/advertiser/campaigns", "/api/campaigns", "/advertiser/dashboard", "/api/me", "/advertiser/billing"];
  next = (n) => ({ path: asked[n % asked.length] ?? "/", headers });
  server = await startAppServer({ databaseUrl: db.url(), environment: { RATE_LIMITS: "off", LOG_LEVEL: "warn" } });
}, 120_000);
afterAll(() => server?.stop());

const milliseconds = faultSize({ small: 2_500, all: 15_000 });

test(
  "four times what it can do: the server answers as much as at its best, quickly, and refuses the rest at once",
  async () => {
    const load = { origin: server.origin, next };
    await closedLoop(load, { at: 16, milliseconds: 1_000 });
    const best = summarize(await closedLoop(load, { at: 16, milliseconds }), milliseconds);
    expect(best.failed).toBe(0);

    const health = watchHealth();
    const replies = await openLoop(load, { perSecond: 4 * best.goodPerSecond, milliseconds });
    const waited = await health.stop();
    const over = summarize(replies, milliseconds);
    if (isFull) console.info({ best, over, waited });
    expect(over.failed).toBe(0);
    expect(over.refused).toBeGreaterThan(0);
    const refusals = replies.filter(({ status }) => status === 503);
    expect(refusals.every(({ headers }) => Number(headers["retry-after"]) > 0)).toBe(true);
    // The processor is the load's as well, and in the small run other tests'.
    expect(over.goodPerSecond).toBeGreaterThan((isFull ? 0.8 : 0.4) * best.goodPerSecond);
    expect(over.p99).toBeLessThan(isFull ? 2_000 : 4_000);
    expect(waited).toBeLessThan(isFull ? 1_000 : 3_000);
    expect(server.output()).not.toContain("pool_replaced");
  },
  faultTimeout,
);

test("when the database does not answer, pages and calls say 503 and when to come again", async () => {
  const answers = await Promise.all(
    ["/advertiser/dashboard", "/advertiser/campaigns.data", "/api/campaigns"].map((path) =>
      fetch(`${server.origin}${path}`, { headers: next(0).headers ?? {} }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);

  await lockedOut(async () => {
    await Promise.all(
      ["/", "/advertiser/dashboard", "/advertiser/campaigns.data", "/api/campaigns"].map(async (path) => {
        const answer = await fetch(`${server.origin}${path}`, { headers: next(0).headers ?? {}, redirect: "manual" });
        expect([path, answer.status]).toEqual([path, 503]);
        expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
        if (path === "/") expect(await answer.text()).toContain("Endcap cannot answer right now");
      }),
    );
  });
}, 60_000);

/** Holds the sessions' table so that whoever looks one up waits until its time is over. */
async function lockedOut(work: () => Promise<void>): Promise<void> {
  await withDeadline(30_000, () =>
    db().transaction(async (tx) => {
      await tx.execute("lock table sessions in access exclusive mode");
      await work();
    }),
  );
}

/** Asks for the server's health all the time; `stop` says how long the slowest answer took, in milliseconds. */
function watchHealth() {
  let slowest = 0;
  let over = false;
  const watching = (async () => {
    while (!over) {
      const begin = performance.now();
      const answer = await fetch(`${server.origin}/healthz`);
      expect(answer.status).toBe(200);
      await answer.text();
      slowest = Math.max(slowest, performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return {
    async stop() {
      over = true;
      await watching;
      return Math.round(slowest);
    },
  };
}
