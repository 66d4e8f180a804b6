import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, like } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PaymentMethodId } from "#app/domain/ids.ts";
import { campaigns, decisions, payouts, sandboxPayments, subscriptions, topUps } from "#db/schema/index.ts";
import { launchable, launched, member, readyAudience, type TestMember } from "#tests/api/api.ts";
import { publisherWithBalance, withCard } from "#tests/security/money/people-with-money.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { type AppServer, freePort, startAppServer } from "#tests/support/servers/app-server.ts";

const db = useDatabase();
const kills = faultRuns({ small: 1, all: 100 });
let server: AppServer;
let advertiser: TestMember;
let publisher: TestMember;
let method: PaymentMethodId;

beforeAll(async () => {
  await start(await freePort());
  advertiser = await member("advertiser");
  publisher = await member("publisher");
  method = (await withCard("advertiser", advertiser)).methodId;
}, 180_000);
afterAll(() => server.stop());

async function start(port: number): Promise<void> {
  // The test's own secret, so that the server decrypts the cards that the test stored.
  const environment = { RATE_LIMITS: "off", LOG_LEVEL: "warn", SESSION_SECRET: process.env.SESSION_SECRET ?? "" };
  server = await startAppServer({ databaseUrl: db.ownerUrl(), port, environment });
}

type KillRequest = { path: string; headers: Record<string, string>; body: unknown; key: string };

/**
 * Four each of drafts, launches and decisions, with idempotency keys, and of what moves money of two new publishers.
 */
async function prepare(): Promise<KillRequest[]> {
  const two = [0, 1];
  const [earning, choosing] = await Promise.all([
    Promise.all(two.map(() => publisherWithBalance(advertiser))),
    Promise.all(two.map(() => withCard("publisher"))),
  ]);
  const audience = await readyAudience(publisher.accountId);
  const createDraft = async () =>
    (await advertiser.api("POST /api/campaigns", { body: launchable([audience]) })).body.campaign.id;
  const of = (who: TestMember, path: string, body: unknown) => ({
    path,
    headers: who.api.headers,
    body,
    key: randomUUID(),
  });
  const four = [0, 1, 2, 3];
  return Promise.all([
    ...four.map(async () => of(advertiser, "/api/campaigns", { name: `Made once ${randomUUID()}` })),
    ...four.map(async () => of(advertiser, `/api/campaigns/${await createDraft()}/launch`, {})),
    ...four.map(async () =>
      of(publisher, `/api/campaigns/${await launched(advertiser, publisher)}/approve`, { action: "reject" }),
    ),
    ...two.map(async () => of(advertiser, "/api/billing/top-ups", { amount: 25, payment_method_id: method })),
    ...earning.map(async (who) => of(who, "/api/billing/payouts", {})),
    ...choosing.map(async (who) => of(who, "/api/billing/subscription", { plan_type: "starter" })),
  ]);
}

/** Returns the response; undefined when the process ended before it responded. */
async function send(request: KillRequest): Promise<string | undefined> {
  try {
    const answer = await fetch(server.origin + request.path, {
      method: "POST",
      headers: { ...request.headers, "Content-Type": "application/json", "Idempotency-Key": request.key },
      body: JSON.stringify(request.body),
    });
    return `${answer.status} ${await answer.text()}`;
  } catch {
    return undefined;
  }
}

/** Repeats a request with its key, as a client does, while the server says that it did not process it. */
async function repeat(request: KillRequest): Promise<string | undefined> {
  let answer = await send(request);
  for (let tries = 0; answer?.startsWith("503 ") && tries < 20; tries += 1) {
    await sleep(500);
    answer = await send(request);
  }
  return answer;
}

test(
  `${kills} times kill -9 during a request: repeating it with its key finds it done once`,
  async () => {
    let [answered, lost] = [0, 0];
    for (let round = 0; round < kills; round += 1) {
      const requests = await prepare();
      const before = await counts();
      const first = await interrupted(requests, round);
      answered += first.filter((one) => one !== undefined).length;
      lost += first.filter((one) => one === undefined).length;

      await start(server.port);
      const second = await Promise.all(requests.map(repeat));
      for (const [index, answer] of second.entries()) {
        expect(answer).toMatch(/^20[01] /);
        const firstReply = first[index];
        // A response with Retry-After means that the request was not processed.
        if (firstReply !== undefined && !firstReply.startsWith("503 ")) expect(answer).toBe(firstReply);
      }
      const after = await counts();
      expect(Object.values(after).map((count, index) => count - (Object.values(before)[index] ?? 0))).toEqual([
        4, 4, 2, 2, 2, 4,
      ]);
      expect(await findBrokenInvariants(db())).toEqual({});
    }
    // Fails when no kill interrupted any work.
    expect(answered).toBeGreaterThan(0);
    expect(lost).toBeGreaterThan(0);
  },
  faultTimeoutMs,
);

/** Sends all requests at once and kills the process after some responses; how many differs by round. */
async function interrupted(requests: KillRequest[], round: number): Promise<(string | undefined)[]> {
  let done = 0;
  const exited = once(server.process, "exit").then(() => server.kill());
  const enough = [1, 4, 8, 0, 2, 6][round % 6] ?? 0;
  const kill = () => void server.kill();
  const answers = requests.map(async (request) => {
    const answer = await send(request);
    done += 1;
    if (done === enough) kill();
    return answer;
  });
  if (enough === 0) void sleep(Math.random() * 30).then(kill);
  const all = await Promise.all(answers);
  await exited;
  return all;
}

async function counts(): Promise<Record<string, number>> {
  return {
    made: await db().$count(campaigns, like(campaigns.name, "Made once %")),
    decided: await db().$count(decisions, eq(decisions.action, "reject")),
    toppedUp: await db().$count(topUps, eq(topUps.status, "succeeded")),
    paidOut: await db().$count(payouts),
    subscribed: await db().$count(subscriptions, eq(subscriptions.planType, "starter")),
    charged: await db().$count(sandboxPayments),
  };
}
