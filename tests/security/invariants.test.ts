import { type SQL, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { demoAccountId } from "#db/seed/demo-accounts.ts";
import {
  payPlanFromEarnings,
  refundSomething,
  repaySomething,
  returnSomeBalance,
  reverseSomePayments,
} from "#tests/db/rows-of-all-tables.ts";
import { createEmptyAudience, people, upload } from "#tests/domain/audiences/an-audience.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants, type InvariantName } from "#tests/support/database/invariants.ts";
import { insertInvoice } from "#tests/support/insert-invoice.ts";

/** The owner, who alone can break the rules. */
const moment = "2026-11-20T14:30:00Z";
const db = useDatabase({ role: "owner", demoAt: moment });
beforeAll(async () => {
  const clock = () => new Date(moment);
  await refundSomething(db());
  await reverseSomePayments(db());
  await payPlanFromEarnings(db());
  await repaySomething(db());
  await returnSomeBalance(db());
  await insertInvoice(db(), demoAccountId("northwind"));
  const actor = { kind: "publisher", accountId: demoAccountId("harbor") } as const;
  const harbor = { db: db(), clock, actor, entrypoint: "api", report: () => undefined } as const;
  await upload(harbor, { audienceId: await createEmptyAudience(harbor), files: [people(1_000)] });
});

test("the demo data breaks no invariant", async () => {
  expect(await findBrokenInvariants(db(), { withFiles: true })).toEqual({});
});

const anActive = sql`(select id from campaigns where status = 'active' limit 1)`;

/** Each rule broken behind the back of code and triggers. A rule that finds nothing then would be void. */
const breaks: Record<InvariantName, SQL> = {
  "ledger accounts do not sum to zero": sql`update ledger_accounts set balance_cents = balance_cents + 1 where kind = 'cash' or kind = 'platform_fee'`,
  "account balance differs from the sum of its entries": sql`update ledger_accounts set balance_cents = balance_cents - 1 where kind = 'platform_fee'`,
  "advertiser balance differs from the sum of its transactions": sql`update transactions set amount_cents = amount_cents + 1 where type = 'refund'`,
  "unbalanced transaction": sql`delete from ledger_entries where number = 1`,
  "revenue share differs from the ledger": sql`update revenue_shares set earnings_cents = earnings_cents + 1, fee_cents = fee_cents - 1`,
  "adjustment of a closed month differs from the ledger": sql`update revenue_shares set adjusts_month = ${"2026-09-01"} where revision = 1`,
  "settled spend by month does not sum to the settled spend": sql`update line_item_settlements set spend_by_month = '{"2026-10": "1"}'`,
  "line item settlement differs from the sum of its revenue shares": sql`delete from revenue_shares where revision = 1`,
  "unsettled spend differs from spend less settlements": sql`update unsettled_spend set cents = cents + 1`,
  "settled spend of an advertiser is not the sum of its transactions": sql`update settled_spend set cents = cents + 1`,
  "what a campaign can spend differs from its budgets": sql`
    update campaign_versions version set daily_budget_cents = version.daily_budget_cents - 1 from line_items item
    where item.status = 'active' and item.campaign_id = version.campaign_id and version.number = item.approved_version`,
  "what an advertiser can spend differs from the sum of its campaigns": sql`update spendable_changes set cents = cents + 1`,
  "publisher earnings differ from their share of the spend": sql`update line_items set commission_rate_bps = 1`,
  "advertiser transactions differ from the ledger": sql`update transactions set status = 'pending', ledger_transaction_id = null`,
  "invoice amount differs from the sum of its line items": sql`update invoice_lines set amount_cents = amount_cents + 1`,
  "invoice amount due differs from amount minus payments and credits": sql`update invoices set open_cents = 1, paid_at = null`,
  "plan payment from earnings differs from the earnings deducted": sql`update plan_offsets set amount_cents = amount_cents + 1`,
  "plan payment from earnings is missing from its payout": sql`update plan_offsets set payout_id = (select id from payouts where publisher_id = plan_offsets.publisher_id limit 1)`,
  "reopened invoice amount differs from its reversed payments": sql`update invoices set reopened_cents = 1`,
  "reversal differs from its transaction and the ledger": sql`update payment_reversals set amount_cents = amount_cents + 1`,
  "advertiser receivable is less than its invoices' amount due": sql`update invoices set amount_cents = 100000000000, open_cents = 100000000000, paid_at = null`,
  "gap in invoice numbers": sql`update invoices set number = number + 1000`,
  "payout differs from the sum of its line items": sql`delete from payout_lines where number = 1`,
  "payout line item differs from its revenue share": sql`update payout_lines set amount_cents = amount_cents + 1`,
  "revenue share is missing from its payout": sql`update revenue_shares set status = 'pending'`,
  "payout differs from the ledger": sql`update payouts set amount_cents = amount_cents + 1`,
  "publisher balance differs from earnings not yet paid out": sql`update revenue_shares set earnings_cents = earnings_cents + 1, fee_cents = fee_cents - 1 where payout_id is null`,
  "repayment differs from its transaction and the ledger": sql`update repayments set amount_cents = amount_cents + 1`,
  "repayment reversal differs from what it reverses": sql`
    insert into repayments (id, publisher_id, reference, amount_cents, ledger_transaction_id, created_at, reverses_id)
    select gen_random_uuid(), publisher_id, reference, -amount_cents - 1, ledger_transaction_id, created_at, id from repayments`,
  "repayment was recorded twice without a reversal between": sql`
    insert into repayments (id, publisher_id, reference, amount_cents, ledger_transaction_id, created_at, occurrence)
    select gen_random_uuid(), publisher_id, reference, amount_cents, ledger_transaction_id, created_at, 2 from repayments`,
  "repayment differs from its payout": sql`
    insert into payout_lines (payout_id, number, publisher_id, repayment_id, amount_cents)
    select payout.id, 9999, publisher_id, repayment.id, repayment.amount_cents + 1 from repayments repayment join payouts payout using (publisher_id) limit 1`,
  "repayment was recorded for an advertiser that is not closed": sql`
    insert into repayments (id, advertiser_id, reference, amount_cents, ledger_transaction_id, created_at)
    select gen_random_uuid(), (select id from accounts where type = 'advertiser' limit 1), 'BANK 9', amount_cents, ledger_transaction_id, created_at from repayments`,
  "balance return differs from its transaction and the ledger": sql`update balance_returns set amount_cents = amount_cents + 1`,
  "balance return reversal differs from what it reverses": sql`
    insert into balance_returns (id, account_id, reference, occurrence, amount_cents, ledger_transaction_id, created_at, reverses_id)
    select gen_random_uuid(), account_id, reference, occurrence, -amount_cents - 1, ledger_transaction_id, created_at, id from balance_returns`,
  "balance return was recorded twice without a reversal between": sql`
    insert into balance_returns (id, account_id, reference, occurrence, amount_cents, ledger_transaction_id, created_at)
    select gen_random_uuid(), account_id, reference, 2, amount_cents, ledger_transaction_id, created_at from balance_returns`,
  "balance was returned to an account that is not closed": sql`update accounts set closed_at = null`,
  "payout differs from its transaction": sql`update transactions set status = 'failed', ledger_transaction_id = null where type = 'payout'`,
  "delivery through the settled date differs from the settlement": sql`
    with earlier as (update delivery_reports set received_at = received_at - interval '1 day')
    update line_item_days set spend_micros = spend_micros + 10000 where day < ${"2026-11-01"}`,
  "a campaign's status does not follow from its facts": sql`update campaigns set status = 'pending' where id = ${anActive}`,
  "a line item runs on a version that its publisher never approved": sql`delete from decisions where action = 'approve'`,
  "what a line item says is not its last decision": sql`update decisions set action = 'reject'`,
  "versions have a gap, or are not as many as this campaign says": sql`update campaigns set version = version + 1 where id = ${anActive}`,
  "a launched campaign asks other publishers than those of its newest version": sql`delete from line_items where campaign_id = ${anActive}`,
  "the advertiser's pause is not on all line items": sql`update line_items set advertiser_paused_at = now() where campaign_id = ${anActive}`,
  "an approved audience has no frozen CPM": sql`update version_audiences set cpm_cents = null`,
  "an archived audience is used, or waits to be": sql`update audiences set status = 'archived'`,
  "a campaign of a closed account can run": sql`update accounts set closed_at = now()`,
  "a publisher runs more campaigns than its plan allows": sql`
    with starter as (update subscriptions set plan_type = 'starter')
    update line_items set approved_version = sent_version, completed_at = null, withdrawn_at = null`,
  "a publisher's counters are not the sums of its line items": sql`update line_item_counts set line_items = line_items + 1`,
  "an audience's counter is not the number of line items that use it": sql`update audience_uses set line_items = line_items + 1`,
  "a product's list of what shows it differs from the versions of campaigns": sql`delete from product_uses`,
  "a creative's list of what shows it differs from the versions of campaigns": sql`delete from creative_uses`,
  "an advertiser's counters are not the numbers of its campaigns": sql`update campaign_counts set campaigns = campaigns + 1`,
  "a campaign's counter is not the number of its rejected line items": sql`update campaigns set rejected_line_items = rejected_line_items + 1`,
  "a counter of delivery is not its sum": sql`update campaigns set impressions = impressions + 1 where id = ${anActive}`,
  "a line item's day is not the sum of its facts": sql`update line_item_days set reported_micros = reported_micros + 1`,
  "a roll-up of an account's day on a channel is not the sum of its facts": sql`update account_days set earned_units = earned_units + 1`,
  "a roll-up of an account's day on an audience is not the sum of its facts": sql`delete from account_audience_days where channel = 'dv360'`,
  "a line item has another category than its version, or no roll-up by category": sql`update line_item_categories set category = 'Other' where summed_category = (select min(summed_category) from line_item_categories)`,
  "a line item's month on an audience and a channel is not the sum of its facts": sql`update line_item_audience_months set revenue_micros = revenue_micros + 1`,
  "a roll-up of an account's day in a category is not the sum of its facts": sql`update account_category_days set facts = facts + 1`,
  "a roll-up of an account's month in a category is not the sum of its days": sql`update account_category_months set clicks = clicks + 1`,
  "statement line differs from the entries of its transaction": sql`update statement_lines set amount_cents = amount_cents + 1`,
  "month of a ledger account differs from its entries": sql`delete from ledger_account_months`,
  "day of revenue shares differs from the sum of its shares": sql`update revenue_share_days set unpaid_cents = unpaid_cents + 1`,
  "a fact has another history than its revisions": sql`update deliveries set revision = 2`,
  "a campaign spent more than any version of it allows, in all or on a day": sql`
    update line_item_days set spend_micros = 10000 * (select max(daily_budget_cents) from campaign_versions) + 1`,
  "a campaign goes on that has used up every budget of its": sql`
    update campaigns set spend_micros = 10000 * (select max(total_budget_cents) from campaign_versions) where id = ${anActive}`,
  "a line item runs without a run, or has one without running": sql`delete from line_item_runs where ended_at is null`,
  "a channel is not ordered what its line item wants": sql`update channel_activations set due_at = null, confirmed_state = null, reference = null, confirmed_version = null`,
  "an advertiser's history does not begin with waiting for funds": sql`delete from funds_holds`,
  "an advertiser waited for funds twice at one time": sql`insert into funds_holds select account_id, held_at - interval '1 hour', held_at + interval '1 hour' from funds_holds`,
  "top-up differs from its transaction and the ledger": sql`update top_ups set amount_cents = amount_cents + 1`,
  "plan payment differs from its transaction and the ledger": sql`update transactions set amount_cents = amount_cents + 1 where type = 'subscription'`,
  "a channel's copy of an audience is looked at too late": sql`
    insert into channel_audiences (audience_id, channel, reference, version, sent_at, due_at)
    select id, 'meta', '1', version - 1, refreshed_at, refreshed_at + interval '2 hours' from audiences where version > 0`,
  "refund differs from the publisher debit and advertiser credit": sql`update refunds set amount_cents = amount_cents + 1`,
  "line item refunds exceed its settled spend": sql`update refunds set revision = 1`,
  "a line item ran twice at one time": sql`
    insert into line_item_runs (line_item_id, campaign_id, version, started_at, ended_at)
    select line_item_id, campaign_id, version, started_at - interval '1 hour', started_at + interval '1 ms' from line_item_runs`,
  "a decision has no line in the audit trail, or several": sql`delete from audit_entries where action = 'line_item.approved'`,
  "a version was sent without a line in the audit trail, or with several": sql`
    insert into audit_entries (id, action, entity, entity_id, actor_kind, actor_name, entrypoint, after)
    select gen_random_uuid(), action, entity, entity_id, actor_kind, actor_name, entrypoint, after from audit_entries where action = 'campaign.launched'`,
  "a campaign was made without a line in the audit trail, or with several": sql`delete from audit_entries where action = 'campaign.created'`,
  "an account belongs to nobody": sql`update users set account_id = null`,
  "an audience's size is not the number of people in its blocks": sql`update audiences set size = size + 1 where version > 0`,
  "an audience is offered with too few people, or not with enough": sql`update audiences set status = 'below_minimum' where version > 0`,
  "an audience's versions have a gap, or its newest has another size": sql`delete from audience_versions`,
  "a change of an audience has no line in the audit trail, or several": sql`delete from audit_entries where action = 'audience.uploaded'`,
  "an upload made a version and did not succeed, or made several": sql`
    update audience_uploads set status = 'failed', error = 'x', size = null`,
  "a generation is not where its audience says": sql`update audiences set object_generation = generation where generation > 0`,
  "people are left of an upload that no audience names": sql`update audience_blocks set generation = generation + 1`,
  "what a creative delivered is not the sum of what its facts say": sql`
    insert into line_item_creatives select line_item_id, gen_random_uuid(), 1, 0, 0, 0, 0 from line_item_days limit 1`,
  "a counter of a line item's month is not the sum of its days": sql`update line_item_months set clicks = clicks + 1`,
  "an account's list of what delivered in a month differs from the months of its line items": sql`delete from account_line_item_months`,
  "an upload is in progress for too long": sql`
    update audience_uploads set status = 'running', size = null, finished_at = null, heartbeat_at = now() - interval '1 day'`,
  "a creative has no file, or a file no creative": sql`delete from creatives`,
  "an idempotency key was kept without its answer": sql`insert into idempotency_keys (caller, key, request_hash) values ('a', 'b', 'c')`,
};

describe("the invariants detect", () => {
  test.each(Object.entries(breaks))("%s", async (rule, statement) => {
    const undone = new Error("undone");
    let broken: Record<string, string[]> = {};
    const tried = db().transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(statement);
      broken = await findBrokenInvariants(tx, { withFiles: true, only: (name) => name === rule });
      throw undone;
    });
    await expect(tried).rejects.toBe(undone);
    expect(Object.keys(broken)).toContain(rule);
  });
});
