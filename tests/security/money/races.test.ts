import { randomUUID } from "node:crypto";
import { and, eq, like, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { auditEntries, campaigns, campaignVersions, sessions } from "#db/schema/index.ts";
import { clientOf, launchable, launched, member, readyAudience, type TestMember } from "#tests/api/api.ts";
import { newUser, visitor } from "#tests/domain/accounts/people.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { type Contender, contenderCount, oneSucceeds, runContenders, times } from "./contend.ts";
import { moneyRaces } from "./money-races.ts";
import { type Naive, naiveMoney, naiveSmallerPlan } from "./naive-money.ts";
import { newPublisher, publisherWithCampaigns } from "./people-with-money.ts";
import { useTwoProcesses } from "./two-processes.ts";

const { db, send, askForCode } = useTwoProcesses();
const rounds = faultRuns({ small: 1, all: 200 });

let advertiser: TestMember;
let publisher: TestMember;
beforeAll(async () => {
  advertiser = await member("advertiser");
  publisher = await newPublisher("enterprise");
});

async function running(): Promise<string> {
  const id = await launched(advertiser, publisher);
  await publisher.api("POST /api/campaigns/{id}/approve", { params: { id }, body: { action: "approve" } });
  return id;
}

const publisherWithOneFreeSlot = () =>
  publisherWithCampaigns(advertiser, { plan: "starter", running: 4, waiting: contenderCount });

async function draft(): Promise<string> {
  const body = launchable([await readyAudience(publisher.accountId)]);
  return (await advertiser.api("POST /api/campaigns", { body })).body.campaign.id;
}

const linesOf = (id: string, action: string) =>
  db().$count(auditEntries, and(eq(auditEntries.entityId, id), like(auditEntries.action, action)));

/** Runs one round of each; its responses and effects are checked here, the rules for all rows afterwards. */
const races: Record<string, () => Promise<void>> = {
  async "approve and reject: one decides"() {
    const id = await launched(advertiser, publisher);
    const outcomes = await runContenders((turn) =>
      send(turn, `POST /api/campaigns/${id}/approve`, {
        headers: publisher.api.headers,
        body: { action: turn % 3 ? "approve" : "reject" },
      }),
    );
    expect(outcomes).toEqual(oneSucceeds("409 not_pending"));
  },
  async "pause: all are told so, and it happens once"() {
    const id = await running();
    const pause: Contender = (turn) =>
      send(turn, `POST /api/campaigns/${id}/pause`, { headers: advertiser.api.headers });
    expect(await runContenders(pause)).toEqual(times(contenderCount, "200"));
    expect(await linesOf(id, "campaign.paused")).toBe(1);
  },
  async "pause and play: each that happened follows the other kind"() {
    const id = await running();
    const outcomes = await runContenders((turn) =>
      send(turn, `POST /api/campaigns/${id}/${turn % 3 ? "pause" : "play"}`, { headers: advertiser.api.headers }),
    );
    expect(outcomes).toEqual(times(contenderCount, "200"));
    const [paused, resumed] = [await linesOf(id, "campaign.paused"), await linesOf(id, "campaign.resumed")];
    const { body } = await advertiser.api("GET /api/campaigns/{id}", { params: { id } });
    expect(paused - resumed).toBe(body.campaign.status === "paused" ? 1 : 0);
  },
  async "pause and the end of the flight: it has ended, once"() {
    const id = await running();
    const inAYear = { ...visitor(() => new Date(Date.now() + 365 * 86_400_000)), entrypoint: "job" as const };
    const outcomes = await runContenders(async (turn) => {
      if (turn % 2) return send(turn, `POST /api/campaigns/${id}/pause`, { headers: advertiser.api.headers });
      await completeEndedCampaigns({ ...inAYear, actor: { kind: "job", name: "test" } });
      return { status: 200, code: undefined, text: "" };
    });
    for (const one of outcomes) expect(["200", "409 invalid_transition"]).toContain(one);
    await completeEndedCampaigns({ ...inAYear, actor: { kind: "job", name: "test" } });
    expect(await linesOf(id, "campaign.completed")).toBe(1);
  },
  async "launch: all are told so, and one version is sent"() {
    const id = await draft();
    const launch: Contender = (turn) =>
      send(turn, `POST /api/campaigns/${id}/launch`, { headers: advertiser.api.headers });
    expect(await runContenders(launch)).toEqual(times(contenderCount, "200"));
    expect(await linesOf(id, "campaign.launched")).toBe(1);
    expect(await db().$count(campaignVersions, sql`campaign_id = ${id}`)).toBe(1);
  },
  async "changes of a running campaign: each is a version of its own"() {
    const id = await running();
    const change: Contender = (turn) =>
      send(turn, `PATCH /api/campaigns/${id}`, { headers: advertiser.api.headers, body: { budget: 2_000 + turn } });
    expect(await runContenders(change)).toEqual(times(contenderCount, "200"));
    expect(await db().$count(campaignVersions, sql`campaign_id = ${id}`)).toBe(1 + contenderCount);
  },
  async "register: one account"() {
    const newcomer = await clientOf(await newUser());
    const register: Contender = (turn) =>
      send(turn, "POST /api/users/register", {
        headers: newcomer.headers,
        body: { user_type: turn % 2 ? "advertiser" : "publisher", company_name: `Company ${turn}` },
      });
    expect(await runContenders(register)).toEqual(oneSucceeds("409 already_registered"));
  },
  async "exchange of one code: one session"() {
    const { headers, code } = await askForCode();
    const before = await db().$count(sessions);
    const exchange: Contender = (turn) => send(turn, "POST /api/sessions", { headers, body: { code } });
    expect(await runContenders(exchange)).toEqual(oneSucceeds("401 sign_in_failed"));
    expect(await db().$count(sessions)).toBe(before + 1);
  },
  async "the last place of a plan: one gets it"() {
    const { publisher: starter, waiting } = await publisherWithOneFreeSlot();
    const outcomes = await runContenders((turn) =>
      send(turn, `POST /api/campaigns/${waiting[turn]}/approve`, {
        headers: starter.api.headers,
        body: { action: "approve" },
      }),
    );
    expect(outcomes).toEqual(oneSucceeds("409 limit_reached"));
  },
  async "one idempotency key: one campaign, and the same bytes for all"() {
    const key = { ...advertiser.byKey.headers, "Idempotency-Key": randomUUID() };
    const before = await db().$count(campaigns);
    const create = (turn: number, name: string) => send(turn, "POST /api/campaigns", { headers: key, body: { name } });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, turn) => create(turn, "Once")));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect((await create(1, "Other")).code).toBe("idempotency_conflict");
    expect(await db().$count(campaigns)).toBe(before + 1);
  },
};

describe.each([
  ["of campaigns and people", races],
  ["of money", moneyRaces({ db, send }, () => advertiser)],
])(`${rounds} rounds %s over two processes`, (_about, all) => {
  test.each(Object.entries(all))(
    "%s",
    async (_name, race) => {
      for (let round = 0; round < rounds; round += 1) await race();
    },
    faultTimeoutMs,
  );

  test("no rule for all rows is broken afterwards", async () => {
    expect(await findBrokenInvariants(db())).toEqual({});
  });
});

/** The same races with naive processes, which check first and then write without a lock. */
const naives: Record<string, () => Promise<Naive>> = {
  async "approve and reject"() {
    const id = await launched(advertiser, publisher);
    return {
      room: sql`select count(*)::int as room from line_items where campaign_id = ${id} and approval_status = 'pending'`,
      write: sql`update line_items set approval_status = 'rejected' where campaign_id = ${id}`,
    };
  },
  async register() {
    const id = await newUser();
    return {
      room: sql`select count(*)::int as room from users where id = ${id} and account_id is null`,
      write: sql`update users set account_id = ${publisher.accountId} where id = ${id}`,
    };
  },
  async exchange() {
    await askForCode();
    const newest = sql`state_hash = (select state_hash from sign_in_attempts order by created_at desc limit 1)`;
    return {
      room: sql`select count(*)::int as room from sign_in_attempts where used_at is null and ${newest}`,
      write: sql`update sign_in_attempts set used_at = now() where ${newest}`,
    };
  },
  async "the last place of a plan"() {
    const { publisher: starter, waiting } = await publisherWithOneFreeSlot();
    return {
      room: sql`select (count(*) < 5)::int as room from line_items where publisher_id = ${starter.accountId} and status = 'active'`,
      write: sql`update line_items set approval_status = 'approved', approved_version = sent_version
        where id = (select id from line_items where publisher_id = ${starter.accountId} and approved_version is null order by random() limit 1)
        and campaign_id <> ${waiting[0]}`,
    };
  },
};

describe("control: reading first and writing then has several winners", () => {
  test.each(Object.entries({ ...naives, ...naiveMoney() }))("%s", async (_name, prepare) => {
    let winners = 0;
    for (let round = 0; round < 5 && winners <= 5; round += 1) {
      const { room, write } = await prepare();
      const outcomes = await runContenders(async () => {
        const [row] = await queryRows(db(), z.object({ room: z.number() }), room);
        if (row?.room !== 1) return { status: 409, code: "too_late", text: "" };
        await db().execute(write);
        return { status: 200, code: undefined, text: "" };
      });
      winners += outcomes.filter((one) => one === "200").length;
    }
    expect(winners).toBeGreaterThan(5);
  });
  test("a downgrade and approvals", async () => {
    expect(await naiveSmallerPlan(db(), advertiser)).toBeGreaterThan(0);
  });
});
