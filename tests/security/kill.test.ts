import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, like } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PaymentMethodId } from "#app/domain/ids.ts";
import { campaigns, decisions, payouts, sandboxPayments, subscriptions, topUps } from "#db/schema/index.ts";
import { launchable, launched, member, readyAudience, type TestMember } from "#tests/api/api.ts";
import { type AppServer, freePort, startAppServer } from "#tests/support/app-server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { faultSize, faultTimeout } from "#tests/support/fault-size.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";
import { publisherWithBalance, withCard } from "./people-with-money.ts";

const db = useDatabase();
const kills = faultSize({ small: 3, all: 100 });
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
  // One secret with the test, so that it reads the cards that the test sealed.
  const environment = { RATE_LIMITS: "off", LOG_LEVEL: "warn", SESSION_SECRET: process.env.SESSION_SECRET ?? "" };
  server = await startAppServer({ databaseUrl: db.url(), port, environment });
}

type Work = { path: string; headers: Record<string, string>; body: unknown; key: string };

/** Four of each, with a key: drafts that are made, campaigns that are launched, and decisions; and what moves money, of two new publishers. */
async function prepare(): Promise<Work[]> {
  const two = [0, 1];
  const [earning, choosing] = await Promise.all([
    Promise.all(two.map(() => publisherWithBalance(advertiser))),
    Promise.all(two.map(() => withCard("publisher"))),
  ]);
  const audience = await readyAudience(publisher.accountId);
  const fresh = async () =>
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
    ...four.map(async () => of(advertiser, `/api/campaigns/${await fresh()}/launch`, {})),
    ...four.map(async () =>
      of(publisher, `/api/campaigns/${await launched(advertiser, publisher)}/approve`, { action: "reject" }),
    ),
    ...two.map(async () => of(advertiser, "/api/billing/top-ups", { amount: 25, payment_method_id: method })),
    ...earning.map(async (who) => of(who, "/api/billing/payouts", {})),
    ...choosing.map(async (who) => of(who, "/api/billing/subscription", { plan_type: "starter" })),
  ]);
}

/** What was answered; undefined when the process was gone before it answered. */
async function send(work: Work): Promise<string | undefined> {
  try {
    const answer = await fetch(server.origin + work.path, {
      method: "POST",
      headers: { ...work.headers, "Content-Type": "application/json", "Idempotency-Key": work.key },
      body: JSON.stringify(work.body),
    });
    return `${answer.status} ${await answer.text()}`;
  } catch {
    return undefined;
  }
}

test(
  `${kills} times kill -9 in the middle of work: who asks again with its key finds it done once`,
  async () => {
    let [answered, lost] = [0, 0];
    for (let round = 0; round < kills; round += 1) {
      const works = await prepare();
      const before = await counts();
      const first = await interrupted(works, round);
      answered += first.filter((one) => one !== undefined).length;
      lost += first.filter((one) => one === undefined).length;

      await start(server.port);
      const second = await Promise.all(works.map(send));
      for (const [index, answer] of second.entries()) {
        expect(answer).toMatch(/^20[01] /);
        const told = first[index];
        // Who was told to come again was not served yet.
        if (told !== undefined && !told.startsWith("503 ")) expect(answer).toBe(told);
      }
      const after = await counts();
      expect(Object.values(after).map((count, index) => count - (Object.values(before)[index] ?? 0))).toEqual([
        4, 4, 2, 2, 2, 4,
      ]);
      expect(await findBrokenInvariants(db())).toEqual({});
    }
    // Else nothing was in the middle of anything.
    expect(answered).toBeGreaterThan(0);
    expect(lost).toBeGreaterThan(0);
  },
  faultTimeout,
);

/** Sends all at once and kills the process when some have been answered, another number in each round. */
async function interrupted(works: Work[], round: number): Promise<(string | undefined)[]> {
  let done = 0;
  const exited = once(server.process, "exit").then(() => server.kill());
  const enough = [1, 4, 8, 0, 2, 6][round % 6] ?? 0;
  const kill = () => void server.kill();
  const answers = works.map(async (work) => {
    const answer = await send(work);
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
