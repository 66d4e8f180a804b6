import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { PlanType } from "#app/domain/billing/plan.ts";
import type { AccountId } from "#app/domain/ids.ts";
import type { Database } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { subscriptions } from "#db/schema/index.ts";
import { member, type TestMember } from "#tests/api/api.ts";
import { runContenders } from "./contend.ts";
import { newPublisher, publisherWithCampaigns } from "./people-with-money.ts";

/** A check followed by a write without a lock: `room` selects 1 or 0, and `write` follows a 1. */
export type Naive = { room: SQL; write: SQL };

/** Inserts a transaction unless the account already has one of this type. */
function insertTransactionUnlessPresent(accountId: AccountId, type: "top_up" | "refund" | "adjustment"): Naive {
  const row = sql`gen_random_uuid(), ${accountId}, ${type}, 'failed', 'naive', 100, now()`;
  return {
    room: sql`select (count(*) = 0)::int as room from transactions where account_id = ${accountId} and type = ${type}`,
    write: sql`insert into transactions (id, account_id, type, status, description, amount_cents, created_at) values (${row})`,
  };
}

/** Money movements that check first and then write, without a lock. */
export function naiveMoney(): Record<string, () => Promise<Naive>> {
  const ofNewAdvertiser = (type: "top_up" | "refund" | "adjustment") => async () =>
    insertTransactionUnlessPresent((await member("advertiser")).accountId, type);
  return {
    "a top-up by one key": ofNewAdvertiser("top_up"),
    "a refund of all that was spent": ofNewAdvertiser("refund"),
    "the payment of an invoice": ofNewAdvertiser("adjustment"),
    async "payouts of one balance"() {
      const { accountId } = await newPublisher("enterprise");
      const row = sql`${accountId}, 'failed', 5000, 'sandbox', 'bank_sandbox', 'Sandbox Bank', '6789', now(), now(), 'naive'`;
      return {
        room: sql`select (count(*) = 0)::int as room from payouts where publisher_id = ${accountId}`,
        write: sql`insert into payouts (publisher_id, status, amount_cents, provider, token, bank, last_four, created_at, ended_at, failure, id) values (${row}, gen_random_uuid())`,
      };
    },
    async "a larger plan"() {
      const { accountId } = await newPublisher("starter");
      return {
        room: sql`select count(*)::int as room from subscriptions where account_id = ${accountId} and plan_type = 'starter'`,
        write: sql`update subscriptions set plan_type = 'professional' where account_id = ${accountId}`,
      };
    },
  };
}

/**
 * Counts, of five tries, those in which a smaller plan began and approvals exceeded its five campaigns, with naive
 * code.
 */
export async function naiveSmallerPlan(db: Database, advertiser: TestMember): Promise<number> {
  const { publisher } = await publisherWithCampaigns(advertiser, { plan: "professional", running: 4, waiting: 3 });
  const own = sql`publisher_id = ${publisher.accountId}`;
  const running = sql`(select count(*)::int from line_items where ${own} and status = 'active')`;
  const plan = sql`(select plan_type from subscriptions where account_id = ${publisher.accountId})`;
  const setPlan = (to: PlanType) =>
    db.execute(sql`update subscriptions set plan_type = ${to} where account_id = ${publisher.accountId}`);
  const read = async () =>
    (
      await queryRows(
        db,
        z.object({ plan: columnValue(subscriptions.planType), running: z.number() }),
        sql`select ${plan} as plan, ${running} as running`,
      )
    )[0];
  const waiting = await queryRows(
    db,
    z.object({ id: z.string() }),
    sql`select id from line_items where ${own} and approved_version is null`,
  );
  let broken = 0;
  for (let round = 0; round < 5; round += 1) {
    await db.execute(
      sql`update line_items set approval_status = 'pending', approved_version = null where id = any(${`{${waiting.map(({ id }) => id).join(",")}}`}::uuid[])`,
    );
    await setPlan("professional");
    await runContenders(async (turn) => {
      const seen = await read();
      if (turn % 4 === 3 && (seen?.running ?? 9) <= 5) await setPlan("starter");
      if (turn % 4 !== 3 && (seen?.plan === "professional" || (seen?.running ?? 9) < 5)) {
        const id = waiting[turn % 3]?.id ?? "";
        await db.execute(
          sql`update line_items set approval_status = 'approved', approved_version = sent_version where id = ${id}`,
        );
      }
      return { status: 200, code: undefined, text: "" };
    });
    const after = await read();
    broken += after?.plan === "starter" && after.running > 5 ? 1 : 0;
  }
  return broken;
}
