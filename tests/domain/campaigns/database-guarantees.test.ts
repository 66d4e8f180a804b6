import { type SQL, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { CampaignId } from "#app/domain/ids.ts";
import { sqlState } from "#app/domain/transaction.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let id: CampaignId;
beforeAll(async () => {
  world = await makeWorld(db());
  id = await world.aRunningCampaign();
});

const recordsAreKept = "23001";
const check = "23514";
const foreignKey = "23503";
const unique = "23505";

/** What must be impossible, whatever the code above it does. */
const attempts: Record<string, [state: string, statement: () => SQL]> = {
  "changing an audit line": [recordsAreKept, () => sql`update audit_entries set action = 'other'`],
  "deleting an audit line": [recordsAreKept, () => sql`delete from audit_entries`],
  "emptying the audit trail": [recordsAreKept, () => sql`truncate audit_entries`],
  "changing a decision": [recordsAreKept, () => sql`update decisions set action = 'reject'`],
  "changing a version that was sent": [recordsAreKept, () => sql`update campaign_versions set total_budget_cents = 1`],
  "changing a frozen CPM": [
    recordsAreKept,
    () => sql`update version_audiences set cpm_cents = 1 where cpm_cents is not null`,
  ],
  "a second decision on a version": [
    unique,
    () =>
      sql`insert into decisions (id, line_item_id, version, action, decided_at) select gen_random_uuid(), line_item_id, version, 'reject', now() from decisions limit 1`,
  ],
  "another publisher's audience as one's own": [
    foreignKey,
    () =>
      sql`insert into version_audiences (campaign_id, version, audience_id, publisher_id) values (${id}, 1, ${world.audience("grilling")}, ${world.accountId("harbor")})`,
  ],
  "a line item of a version that was never sent": [
    foreignKey,
    () => sql`update line_items set sent_version = 9, approval_status = 'pending' where campaign_id = ${id}`,
  ],
  "approved without an approved version": [
    check,
    () => sql`update line_items set approved_version = null where campaign_id = ${id}`,
  ],
  "a version without a budget": [
    check,
    () =>
      sql`insert into campaign_versions (campaign_id, number, objective, ad_format, daily_budget_cents, channels, start_date, end_date, sent_at) values (${id}, 7, 'traffic', 'display', 1, '{dv360}', '2026-11-20', '2026-11-20', now())`,
  ],
  "a commission above 80 percent": [check, () => sql`update line_items set commission_rate_bps = 8001`],
  "completed without a time": [check, () => sql`update campaigns set status = 'completed' where id = ${id}`],
  "paused without a time": [check, () => sql`update campaigns set status = 'paused' where id = ${id}`],
  "a state that does not exist": [check, () => sql`update campaigns set status = 'live' where id = ${id}`],
  "a channel that does not exist": [check, () => sql`update campaigns set channels = '{radio}' where id = ${id}`],
  "an infinite date": [check, () => sql`update campaigns set end_date = 'infinity' where id = ${id}`],
  "eleven impressions a day": [check, () => sql`update campaigns set frequency_cap_impressions = 11 where id = ${id}`],
  "a negative budget": [check, () => sql`update campaigns set total_budget_cents = -1 where id = ${id}`],
  "a ready audience under 1,000 people": [
    check,
    () => sql`update audiences set size = 999 where id = ${world.audience("hikers")}`,
  ],
  "more clicks than impressions": [
    check,
    () =>
      sql`insert into deliveries select id, '2026-11-20', ${world.audience("hikers")}, 'dv360', 1, 2, 0, 0, 0 from line_items where campaign_id = ${id}`,
  ],
  "a second line item of one publisher": [
    unique,
    () =>
      sql`insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, commission_rate_bps, sent_at) select gen_random_uuid(), campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, commission_rate_bps, now() from line_items where campaign_id = ${id}`,
  ],
  "a second plan of one account": [
    unique,
    () =>
      sql`insert into subscriptions (id, account_id, plan_type, status) values (gen_random_uuid(), ${world.accountId("harbor")}, 'starter', 'active')`,
  ],
  "a key of a tenant without a tenant": [
    check,
    () =>
      sql`insert into api_keys (id, role, name, secret_hash, prefix) values (gen_random_uuid(), 'tenant', 'x', 'x', 'x')`,
  ],
};

describe("the database refuses", () => {
  for (const [what, [state, statement]] of Object.entries(attempts)) {
    test(what, async () => {
      const refused = await db()
        .execute(statement())
        .then(
          () => undefined,
          (error: unknown) => error,
        );
      expect(sqlState(refused)).toBe(state);
    });
  }
});
