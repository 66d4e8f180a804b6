import { type SQL, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { demoAccountId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { isFullFaultRun } from "#tests/support/fault-runs.ts";
import { attemptAt, type Catalog, change, dropGuarantee, type Guarantee, readCatalog } from "./guarantees.ts";
import { insertRowsOfAllTables } from "./rows-of-all-tables.ts";

/** Opens the database as the owner, who alone can break the rules. */
const db = useDatabase({ role: "owner", demoAt: "2026-11-20T14:30:00Z" });
let catalog: Catalog;
beforeAll(async () => {
  await insertRowsOfAllTables(db());
  catalog = await readCatalog(db());
});

const draft = (table: string) => (table === "campaigns" ? "status = 'draft'" : "true");
const unused = ["version_audiences", "audience_versions", "audience_uploads"]
  .map((table) => `not exists (select 1 from "${table}" used where used.audience_id = audiences.id)`)
  .join(" and ");

/** An audience with a statement about consent. */
const stated = "consent_stated_at is not null";

const insertLine = (values: string, of = "revenue_share_id") =>
  sql.raw(`insert into payout_lines (payout_id, number, publisher_id, ${of}, amount_cents)
    select ${values}, amount_cents from payout_lines where ${of} is not null limit 1`);
/** Returns an INSERT of a copy of an invoice with another month and number, changed by these values. */
const insertInvoiceOf = (month: string, amounts: string) =>
  sql.raw(`insert into invoices (id, number, advertiser_id, month, issued_at, due_on, amount_cents, open_cents, paid_at)
    select gen_random_uuid(), number + 1000, advertiser_id, ${month}, issued_at, due_on, ${amounts} from invoices limit 1`);
/** Returns an INSERT of a second row for a top-up's refund, about another ledger event. */
const reversed = (values: string, topUp = "top_up_id") =>
  sql.raw(`insert into payment_reversals (id, account_id, top_up_id, provider, reason, ledger_transaction_id, created_at, reference, number, amount_cents, reopened_cents)
    select gen_random_uuid(), account_id, ${topUp}, provider, reason, (select id from ledger_transactions where event = 'campaign_spend' limit 1), now(), ${values}
    from payment_reversals where top_up_id is not null`);
const nextMonth = "date '2040-01-01'";
/** Returns an INSERT of a copy of a paid payout, changed by these values. */
const insertPayout = (wrong: string) => {
  const wrongs = new Map(wrong.split(", ").map((one) => one.split(" = ") as [string, string]));
  const columns = ["publisher_id", "status", "amount_cents", "provider", "token", "bank", "last_four", "reference"];
  const all = [...columns, "failure", "due_at", "created_at", "ended_at"];
  const values = all.map((name) => wrongs.get(name) ?? name);
  return sql.raw(
    `insert into payouts (id, ${all.join(", ")}) select gen_random_uuid(), ${values.join(", ")} from payouts where status = 'paid' limit 1`,
  );
};
/** Returns an INSERT of another payout's Stripe row with values of this one. */
const insertTransfer = (same: string) =>
  sql.raw(`insert into stripe_transfers (payout_id, ${same})
    select (select id from payouts where id <> payout_id limit 1), ${same} from stripe_transfers`);
const release = "status = 'discarded'";

/** Returns creatives' figures of which one exceeds that of its fact. */
const overOne = (figure: string) => {
  const figures = ["impressions", "clicks", "conversions", "spend_micros", "revenue_micros", "reported_micros"];
  const same = figures.map((name) => `'${name}', ${name}`).join(", ");
  return `jsonb_build_array(jsonb_build_object('creative_id', line_item_id, ${same}, '${figure}', ${figure} + 1))`;
};
const noFigures = "jsonb_build_array(jsonb_build_object('creative_id', line_item_id))";

/** Violations of the guarantees that are not value lists, foreign keys or unique keys. A guarantee may have several. */
const attempts: [name: string, SQL][] = [
  ["accounts_numbers", change("accounts", "monthly_budget_cents = -1")],
  ["accounts_numbers", change("accounts", "monthly_visitors = -1")],
  ["accounts_numbers", change("accounts", "monthly_pageviews = -1")],
  ["api_keys_owner", change("api_keys", "account_id = null")],
  ["api_keys_owner", change("api_keys", "role = 'operator'")],
  ...[
    "number = 0",
    "previous_hash = '\\x00'",
    "hash = '\\x00'",
    "signature = '\\x00'",
    "entry_ids = '{}'",
    "entry_hashes = entry_hashes || '\\x00'",
  ].map((wrong): [string, SQL] => ["audit_blocks_shape", change("audit_blocks", wrong)]),
  ["erasures_end_once", change("erasures", "canceled_at = now(), completed_at = now()")],
  ["audience_blocks_shape", change("audience_blocks", "flags = flags || '\\x00'")],
  ["audience_blocks_shape", change("audience_blocks", "flags = '', hashes = ''")],
  ["audience_blocks_shape", change("audience_blocks", "first_hash = sha256('other')")],
  ["audience_blocks_shape", change("audience_blocks", "canonical_hashes = '\\x00'")],
  ["audience_objects_shape", change("audience_objects", "block_index = block_index || '\\x00'")],
  ["audience_objects_shape", change("audience_objects", "block_index = ''")],
  ["audience_objects_shape", change("audience_objects", "first_hash = sha256('other')")],
  ["audience_objects_shape", change("audience_objects", "hashes = 0")],
  [
    "audience_objects_object",
    sql`insert into audience_objects (audience_id, generation, first_hash, object_id, hashes, block_index, seal_prefix)
      select audience_id, generation + 1000, first_hash, object_id, hashes, block_index, seal_prefix from audience_objects`,
  ],
  ...["version = -1", "erasures = -1", "size = -1", "level = -1", "level = 32", "people = '\\x00'"].map(
    (wrong): [string, SQL] => ["audience_snapshots_shape", change("audience_snapshots", wrong)],
  ),
  ["audience_uploads_finished", change("audience_uploads", "finished_at = null", "status = 'succeeded'")],
  ["audience_uploads_finished", change("audience_uploads", "size = null", "status = 'succeeded'")],
  ["audience_uploads_finished", change("audience_uploads", "status = 'failed', size = null", "status = 'succeeded'")],
  ["audience_uploads_status", change("audience_uploads", "status = 'nonsense', size = null", "status = 'succeeded'")],
  ["audience_versions_numbers", change("audience_versions", "number = 0")],
  ["audience_versions_numbers", change("audience_versions", "people_added = -1")],
  ["audience_versions_numbers", change("audience_versions", "people_removed = -1")],
  ["audience_versions_numbers", change("audience_versions", "size = -1")],
  ["audiences_publisher_id_accounts_id_fk", change("audiences", "publisher_id = gen_random_uuid()", unused)],
  ["audiences_deltas_current", change("audiences", `deltas = '{"version": -2, "list": []}'`)],
  ["audiences_deltas_current", change("audiences", `deltas = '{}'`)],
  ["audiences_object_generation_current", change("audiences", "object_generation = generation + 1")],
  ["audiences_default_country", change("audiences", "default_country = 'usa'")],
  ["audiences_ad_user_data_consent", change("audiences", "ad_user_data_consent = 'yes'", stated)],
  ["audiences_ad_personalization_consent", change("audiences", "ad_personalization_consent = 'yes'", stated)],
  ["audiences_consent_stated", change("audiences", "ad_user_data_consent = 'granted'", "consent_stated_at is null")],
  ["audiences_consent_stated", change("audiences", "consent_stated_at = null", stated)],
  ["audiences_consent_stated_by_users_id_fk", change("audiences", "consent_stated_by = gen_random_uuid()", stated)],
  [
    "audiences_consent_stated_by_key_api_keys_id_fk",
    change("audiences", "consent_stated_by_key = gen_random_uuid()", stated),
  ],
  ["audiences_numbers", change("audiences", "size = -1", "status <> 'ready'")],
  ["audiences_numbers", change("audiences", "estimated_size = -1")],
  ["audiences_numbers", change("audiences", "cpm_cents = 10000001")],
  ["audiences_ready_has_minimum", change("audiences", "size = 999", "status = 'ready'")],
  ["audiences_ready_has_minimum", change("audiences", "cpm_cents = null", "status = 'ready'")],
  ["audiences_remote_list", change("audiences", "remote_list_id = 'a', remote_list_name = null")],
  ["audiences_remote_list", change("audiences", "next_refresh_at = now()", "remote_list_id is null")],
  [
    "audiences_remote_list",
    change("audiences", "status = 'archived', remote_list_id = 'a', remote_list_name = 'A', next_refresh_at = now()"),
  ],
  ...["campaigns", "campaign_versions"].flatMap((table): [string, SQL][] => [
    [`${table}_budgets`, change(table, "total_budget_cents = -1, daily_budget_cents = null", draft(table))],
    [`${table}_budgets`, change(table, "daily_budget_cents = -1", draft(table))],
    [`${table}_dates`, change(table, "start_date = '-infinity'")],
    [`${table}_dates`, change(table, "end_date = 'infinity'")],
    [`${table}_frequency_cap`, change(table, "frequency_cap_impressions = 0")],
    [`${table}_frequency_cap`, change(table, "frequency_cap_impressions = 11")],
  ]),
  [
    "campaign_versions_campaign_id_campaigns_id_fk",
    sql`
      insert into campaign_versions (campaign_id, number, objective, ad_format, total_budget_cents, daily_budget_cents, channels, start_date, end_date, sent_at)
      values (gen_random_uuid(), 1, 'traffic', 'display', 2, 1, '{dv360}', '2026-11-20', '2026-11-20', now())`,
  ],
  [
    "campaign_edits_campaign_id_session_id_pk",
    // Without `before`, which only one row of a campaign may lack.
    sql`
      insert into campaign_edits (campaign_id, session_id, revision, step, entrypoint, saved_at)
      select campaign_id, session_id, revision, step, entrypoint, saved_at from campaign_edits limit 1`,
  ],
  ["campaign_edits_step", change("campaign_edits", "step = 6")],
  ["campaign_edits_step", change("campaign_edits", "revision = -1")],
  ["campaign_versions_complete", change("campaign_versions", "total_budget_cents = null")],
  ["campaign_versions_complete", change("campaign_versions", "daily_budget_cents = null")],
  ["campaign_versions_complete", change("campaign_versions", "daily_budget_cents = total_budget_cents + 1")],
  ["campaign_versions_complete", change("campaign_versions", "end_date = start_date - 1")],
  ["campaign_versions_complete", change("campaign_versions", "channels = '{}'")],
  ["campaigns_status", change("campaigns", "status = 'nonsense'", "status = 'draft'")],
  ["campaigns_status_facts", change("campaigns", "status = 'completed', completed_at = null")],
  ["campaigns_status_facts", change("campaigns", "status = 'paused', completed_at = null, paused_at = null")],
  ["campaigns_archived_not_running", change("campaigns", "archived_at = now()", "status = 'active'")],
  ["creatives_file_key_form", change("creatives", "file_key = '../' || substr(file_key, 4)")],
  ...["width = 0", "height = 0", "duration_ms = -1", "bytes = 0", "preview_bytes = 0"].map((wrong): [string, SQL] => [
    "creatives_numbers",
    change("creatives", wrong),
  ]),
  ["channel_activations_confirmed", change("channel_activations", "reference = 'a'", "confirmed_state is null")],
  ["channel_activations_confirmed", change("channel_activations", "confirmed_version = 1", "confirmed_state is null")],
  ["channel_activations_failures", change("channel_activations", "failures = -1")],
  ["channel_activations_problem", change("channel_activations", "problem = 'nonsense'")],
  ["channel_audiences_there", change("channel_audiences", "reference = null")],
  ["channel_audiences_there", change("channel_audiences", "sent_at = null")],
  ["channel_audiences_failures", change("channel_audiences", "failures = -1")],
  ["channel_connections_account", change("channel_connections", "account = 'act_1'")],
  ["channel_connections_time_zone", change("channel_connections", "time_zone = 'a b'")],
  ["channel_collections_numbers", change("channel_collections", "accepted = -1")],
  [
    "channel_activations_confirmed_state",
    change(
      "channel_activations",
      "confirmed_state = 'nonsense', reference = 'a', confirmed_version = 1",
      "confirmed_state is null",
    ),
  ],
  ["creatives_sha256", change("creatives", "sha256 = upper(sha256) || 'G'")],
  ["creatives_source_sha256", change("creatives", "source_sha256 = 'short'")],
  ["deliveries_day", change("deliveries", "day = 'infinity'")],
  ...["impressions = -1, clicks = -1", "clicks = -1", "clicks = impressions + 1", "conversions = -1"].map(
    (wrong): [string, SQL] => ["deliveries_numbers", change("deliveries", `reach = null, creatives = null, ${wrong}`)],
  ),
  ...["spend_micros = -1", "spend_micros = reported_micros + 1", "revenue_micros = -1", "revision = 0"].map(
    (wrong): [string, SQL] => ["deliveries_numbers", change("deliveries", `reach = null, creatives = null, ${wrong}`)],
  ),
  ["deliveries_reach", change("deliveries", "reach = impressions + 1")],
  ["deliveries_reach", change("deliveries", "reach = 0", "impressions > 0")],
  ...["'[]'", "'[{}]'", noFigures, ...["impressions", "clicks", "spend_micros", "reported_micros"].map(overOne)].map(
    (list): [string, SQL] => ["deliveries_creatives", change("deliveries", `creatives = ${list}`)],
  ),
  ["deliveries_source", change("deliveries", "source = ' sandbox'")],
  ...["added = -1", "restated = -1", "rejected = -1", "added = 0, restated = 0", "rejected = rows"].map(
    (wrong): [string, SQL] => ["delivery_reports_numbers", change("delivery_reports", wrong)],
  ),
  [
    "payment_reversals_entries",
    sql`insert into payment_reversals select gen_random_uuid(), account_id, top_up_id, plan_change_id, provider, 're_3', 1, reason, amount_cents, 0, ledger_transaction_id, now() from payment_reversals limit 1`,
  ],
  [
    "payment_reversals_plan_change",
    change("payment_reversals", "plan_change_id = gen_random_uuid()", "plan_change_id is not null"),
  ],
  ["payment_reversals_numbers", reversed("'re_3', 0, 100, 0")],
  ["payment_reversals_numbers", reversed("'re_3', 1, 0, 0")],
  ["payment_reversals_numbers", reversed("'re_3', 1, 100, 101")],
  ["payment_reversals_numbers", reversed("'re_3', 1, -100, 1")],
  ["payment_reversals_once", reversed("'re_1', 1, 100, 0")],
  ["payment_reversals_payment", reversed("'re_3', 1, 100, 0", "null")],
  ["accounts_plan_funding_source", change("accounts", "plan_funding_source = 'nonsense'", "type = 'publisher'")],
  ["accounts_earns", change("accounts", "plan_funding_source = 'earnings'", "type = 'advertiser'")],
  ["plan_offsets_amount", change("plan_offsets", "amount_cents = 0")],
  [
    "plan_changes_paid_from_earnings",
    change("plan_changes", "paid_from_earnings = true", "provider is not null and amount_cents > 0"),
  ],
  ["payout_lines_one", change("payout_lines", "revenue_share_id = null", "revenue_share_id is not null")],
  ["payout_lines_plan", change("payout_lines", "plan_offset_id = gen_random_uuid()", "plan_offset_id is not null")],
  ["payout_lines_repayment", change("payout_lines", "repayment_id = gen_random_uuid()", "repayment_id is not null")],
  [
    "repayments_publisher_id_accounts_id_fk",
    sql`insert into repayments select gen_random_uuid(), gen_random_uuid(), 'BANK 9', amount_cents, ledger_transaction_id, created_at from repayments`,
  ],
  ["repayments_amount", change("repayments", "amount_cents = 0")],
  ["repayments_amount", change("repayments", "amount_cents = -1")],
  ["repayments_amount", change("repayments", "reverses_id = id")],
  ["repayments_occurrence", change("repayments", "occurrence = 0")],
  [
    "repayments_reversal",
    sql`insert into repayments (id, publisher_id, reference, amount_cents, ledger_transaction_id, created_at, reverses_id)
      select gen_random_uuid(), (select id from accounts where id <> publisher_id limit 1), reference, -amount_cents, ledger_transaction_id, created_at, id from repayments`,
  ],
  [
    "repayments_reversed_once",
    sql`insert into repayments (id, publisher_id, reference, amount_cents, ledger_transaction_id, created_at, reverses_id)
      select gen_random_uuid(), publisher_id, reference, -amount_cents, ledger_transaction_id, created_at, id from repayments, generate_series(1, 2)`,
  ],
  [
    "repayments_recorded_once",
    sql`insert into repayments (id, publisher_id, reference, amount_cents, ledger_transaction_id, created_at)
      select gen_random_uuid(), publisher_id, reference, amount_cents, ledger_transaction_id, created_at from repayments`,
  ],
  ["repayments_named", change("repayments", "reference = ''")],
  [
    "repayments_one",
    sql`insert into repayments (id, reference, amount_cents, ledger_transaction_id, created_at)
      select gen_random_uuid(), 'BANK 9', amount_cents, ledger_transaction_id, created_at from repayments`,
  ],
  [
    "repayments_one",
    sql`insert into repayments (id, publisher_id, advertiser_id, reference, amount_cents, ledger_transaction_id, created_at)
      select gen_random_uuid(), publisher_id, publisher_id, 'BANK 9', amount_cents, ledger_transaction_id, created_at from repayments`,
  ],
  [
    "repayments_advertiser_id_accounts_id_fk",
    sql`insert into repayments (id, advertiser_id, reference, amount_cents, ledger_transaction_id, created_at)
      select gen_random_uuid(), gen_random_uuid(), 'BANK 9', amount_cents, ledger_transaction_id, created_at from repayments`,
  ],
  [
    "repayments_reversed",
    sql`insert into repayments (id, advertiser_id, reference, amount_cents, ledger_transaction_id, created_at, reverses_id)
      select gen_random_uuid(), publisher_id, reference, -amount_cents, ledger_transaction_id, created_at, gen_random_uuid() from repayments`,
  ],
  [
    "balance_returns_account_id_accounts_id_fk",
    sql`insert into balance_returns (id, account_id, reference, occurrence, amount_cents, ledger_transaction_id, created_at)
      select gen_random_uuid(), gen_random_uuid(), 'BANK 9', 1, amount_cents, ledger_transaction_id, created_at from balance_returns`,
  ],
  ["balance_returns_amount", change("balance_returns", "amount_cents = 0")],
  ["balance_returns_amount", change("balance_returns", "amount_cents = -1")],
  ["balance_returns_amount", change("balance_returns", "reverses_id = id")],
  ["balance_returns_occurrence", change("balance_returns", "occurrence = 0")],
  ["balance_returns_reversal", change("balance_returns", "reverses_id = gen_random_uuid(), amount_cents = -1")],
  [
    "balance_returns_reversed_once",
    sql`insert into balance_returns (id, account_id, reference, occurrence, amount_cents, ledger_transaction_id, created_at, reverses_id)
      select gen_random_uuid(), account_id, reference, occurrence, -amount_cents, ledger_transaction_id, created_at, id from balance_returns, generate_series(1, 2)`,
  ],
  [
    "balance_returns_recorded_once",
    sql`insert into balance_returns (id, account_id, reference, occurrence, amount_cents, ledger_transaction_id, created_at)
      select gen_random_uuid(), account_id, reference, occurrence, amount_cents, ledger_transaction_id, created_at from balance_returns`,
  ],
  ["balance_returns_named", change("balance_returns", "reference = ''")],
  ["payout_lines_plan_once", insertLine("payout_id, 9999, publisher_id, plan_offset_id", "plan_offset_id")],
  ["plan_changes_reversed", change("plan_changes", "reversed_cents = -1")],
  ["plan_changes_reversed", change("plan_changes", "reversed_cents = amount_cents + 1", "status = 'succeeded'")],
  ["plan_changes_reversed", change("plan_changes", "reversed_cents = 1", "status = 'failed'")],
  ["top_ups_reversed", change("top_ups", "reversed_cents = -1")],
  ["top_ups_reversed", change("top_ups", "reversed_cents = amount_cents + 1", "status = 'succeeded'")],
  ["subscriptions_payment_reversed", change("subscriptions", "payment_reversed_at = now()", "status = 'active'")],
  ["invoices_reopened", change("invoices", "reopened_cents = -1")],
  ["plan_changes_account", change("plan_changes", "account_id = gen_random_uuid()", "subscription_id is null")],
  ["plan_changes_amount", change("plan_changes", "amount_cents = -1", "transaction_id is null")],
  ["plan_changes_amount", change("plan_changes", "amount_cents = 1000000", "transaction_id is not null")],
  ["plan_changes_due", change("plan_changes", "due_at = null", "status = 'pending'")],
  ["plan_changes_due", change("plan_changes", "due_at = now()", "status = 'failed'")],
  ["plan_changes_line", change("plan_changes", "transaction_id = null", "amount_cents > 0")],
  ["plan_changes_line", change("plan_changes", "amount_cents = 0", "transaction_id is not null")],
  ["plan_changes_once", change("plan_changes", "idempotency_key = 'pending'", "idempotency_key = 'failed'")],
  ["plan_changes_open", change("plan_changes", "status = 'pending', due_at = now()", "status = 'failed'")],
  ["plan_changes_paid", change("plan_changes", "payment_id = null", "amount_cents > 0")],
  ["plan_changes_paid", change("plan_changes", "status = 'succeeded'", "status = 'failed'")],
  ["plan_changes_payment", change("plan_changes", "payment_id = 'pending'", "payment_id = 'failed'")],
  [
    "subscriptions_account_id_accounts_id_fk",
    change("subscriptions", "account_id = gen_random_uuid()", "status = 'canceled'"),
  ],
  ["subscriptions_one_end", change("subscriptions", "cancel_at_period_end = true, next_plan_type = 'starter'")],
  ["subscriptions_past_due", change("subscriptions", "status = 'past_due'", "status = 'active'")],
  ["subscriptions_period", change("subscriptions", "period_ends_at = period_started_at")],
  ["ledger_accounts_kind", change("ledger_accounts", "kind = 'nonsense'", "owner_id is null")],
  ["ledger_accounts_limits", change("ledger_accounts", "balance_cents = 1", "kind = 'advertiser_wallet'")],
  ["ledger_accounts_limits", change("ledger_accounts", "balance_cents = -1", "kind = 'advertiser_receivable'")],
  ["ledger_accounts_owned", change("ledger_accounts", "owner_id = null", "kind = 'advertiser_wallet'")],
  ["ledger_entries_amount", change("ledger_entries", "amount_cents = 0")],
  ["ledger_transactions_kind", change("ledger_transactions", "event = 'nonsense'")],
  [
    "ledger_transactions_adjusts",
    change("ledger_transactions", "adjusts_month = '2026-09-02'", "event = 'campaign_spend'"),
  ],
  ["ledger_transactions_adjusts", change("ledger_transactions", "adjusts_month = '2026-09-01'", "event = 'top_up'")],
  ["ledger_transactions_hash", change("ledger_transactions", "legs_hash = 'short'")],
  ...[
    "revision = 0",
    "earnings_cents = -1",
    "earnings_cents = spend_cents + 1",
    "spend_micros = spend_micros + 10000",
  ].map((wrong): [string, SQL] => ["line_item_settlements_numbers", change("line_item_settlements", wrong)]),
  ["unsettled_line_items_cents", change("unsettled_line_items", "cents = 0")],
  ["line_item_settlements_day", change("line_item_settlements", "settled_through = 'infinity'")],
  ["refunds_numbers", change("refunds", "amount_cents = 0, earnings_cents = 0")],
  ["refunds_numbers", change("refunds", "earnings_cents = -1")],
  ["refunds_numbers", change("refunds", "earnings_cents = amount_cents + 1")],
  ["refunds_numbers", change("refunds", "amount_cents = -1, earnings_cents = 0")],
  [
    "refunds_restated",
    sql`insert into refunds (id, line_item_id, amount_cents, earnings_cents, revision, ledger_transaction_id, created_at)
      select gen_random_uuid(), line_item_id, 1, 0, 1, ledger_transaction_id, now() from refunds cross join generate_series(1, 2)`,
  ],
  [
    "revenue_shares_refund_id_refunds_id_fk",
    change("revenue_shares", "refund_id = gen_random_uuid()", "refund_id is not null"),
  ],
  ["revenue_shares_adjusts", change("revenue_shares", "adjusts_month = '2026-09-30'", "refund_id is null")],
  ["revenue_shares_adjusts", change("revenue_shares", "adjusts_month = '2026-09-01'", "refund_id is not null")],
  ["revenue_shares_reason", change("revenue_shares", "revision = null", "refund_id is null")],
  [
    "revenue_shares_refund",
    sql`
      insert into revenue_shares (id, publisher_id, line_item_id, refund_id, settled_through, spend_cents, earnings_cents, fee_cents, ledger_transaction_id, created_at)
      select gen_random_uuid(), publisher_id, line_item_id, refund_id, settled_through, spend_cents, earnings_cents, fee_cents, ledger_transaction_id, created_at
      from revenue_shares where refund_id is not null`,
  ],
  ["revenue_shares_sum", change("revenue_shares", "fee_cents = fee_cents + 1")],
  ["revenue_shares_numbers", change("revenue_shares", "revision = -revision")],
  ["revenue_shares_numbers", change("revenue_shares", "settled_through = 'infinity'")],
  ["saved_views_name", change("saved_views", "name = ''")],
  ["saved_views_name", change("saved_views", "name = repeat('a', 61)")],
  ...["'<b>'", "'https://example.com'", "repeat('a', 1001)"].map((query): [string, SQL] => [
    "saved_views_query",
    change("saved_views", `query = ${query}`),
  ]),
  ["saved_views_report", change("saved_views", "list = 'campaigns'", "user_id is null")],
  [
    "saved_views_name_per_account",
    sql`
      insert into saved_views (id, account_id, mode, list, name, query)
      select gen_random_uuid(), account_id, mode, list, upper(name), query from saved_views where user_id is null`,
  ],
  ["report_schedules_time", change("report_schedules", "hour = 24")],
  ["report_schedules_time", change("report_schedules", "day_of_month = 0")],
  ["report_schedules_time_zone", change("report_schedules", "time_zone = 'a b'")],
  ["report_schedules_paused", change("report_schedules", "is_paused = true")],
  ["report_schedules_frequency", change("report_schedules", "frequency = 'hourly'")],
  [
    "report_schedules_report",
    sql`
      insert into report_schedules select gen_random_uuid(), account_id, report_id, frequency, weekday, day_of_month, hour, time_zone, range, format, is_paused, next_due_at, created_at
      from report_schedules`,
  ],
  ["report_recipients_schedule", change("report_recipients", `account_id = '${demoAccountId("fern")}'`)],
  ["report_schedules_report_account", change("report_schedules", "report_id = gen_random_uuid()")],
  ["report_sendings_report_account", change("report_sendings", `account_id = '${demoAccountId("fern")}'`)],
  ["report_sendings_days", change("report_sendings", "first_day = last_day + 1")],
  ["report_sendings_query", change("report_sendings", "query = '<b>'")],
  [
    "report_sendings_once",
    sql`
      insert into report_sendings (id, account_id, report_id, schedule_id, due_at, first_day, last_day, query, format)
      select gen_random_uuid(), account_id, report_id, schedule_id, due_at, first_day, last_day, query, format from report_sendings`,
  ],
  ["transactions_adjusts", change("transactions", "adjusts_month = '2026-09-02'", "type = 'campaign_spend'")],
  ["transactions_adjusts", change("transactions", "adjusts_month = '2026-09-01'", "type = 'top_up'")],
  ["transactions_ledger", change("transactions", "ledger_transaction_id = null")],
  ["transactions_ledger", change("transactions", "status = 'failed'")],
  ["transactions_status", change("transactions", "status = 'nonsense', ledger_transaction_id = null")],
  ["line_item_months_first", change("line_item_months", "month = month + 1")],
  ["line_item_runs_order", change("line_item_runs", "ended_at = started_at")],
  [
    "line_item_runs_line_item_id_started_at_pk",
    sql`insert into line_item_runs select * from line_item_runs where ended_at is not null limit 1`,
  ],
  [
    "line_item_runs_open",
    sql`
      insert into line_item_runs (line_item_id, campaign_id, version, started_at)
      select line_item_id, campaign_id, version, started_at + interval '1 ms' from line_item_runs where ended_at is null limit 1`,
  ],
  [
    "line_items_approved_means_version",
    change("line_items", "approved_version = null", "approval_status = 'approved'"),
  ],
  ["line_items_approved_version", change("line_items", "approval_status = 'pending', approved_version = 0")],
  [
    "line_items_sent_version",
    change("line_items", "approval_status = 'pending', approved_version = null, sent_version = 99"),
  ],
  [
    "line_items_publisher_id_accounts_id_fk",
    change(
      "line_items",
      "publisher_id = gen_random_uuid()",
      "not exists (select 1 from deliveries fact where fact.line_item_id = line_items.id)",
    ),
  ],
  ["line_items_archived_not_running", change("line_items", "archived_at = now()", "status = 'active'")],
  ["line_items_archived_not_running", change("line_items", "archived_at = now()", "approval_status = 'pending'")],
  ["line_items_commission", change("line_items", "commission_rate_bps = 8001")],
  ["line_items_commission", change("line_items", "commission_rate_bps = -1")],
  [
    "line_items_version_order",
    change(
      "line_items",
      "approval_status = 'pending', sent_version = 1, approved_version = 2",
      "exists (select 1 from campaign_versions v where v.campaign_id = line_items.campaign_id and v.number = 2)",
    ),
  ],
  ["payment_methods_type", change("payment_methods", "type = 'nonsense'")],
  [
    "payment_methods_account_id_accounts_id_fk",
    change("payment_methods", "account_id = gen_random_uuid()", "brand = 'Other'"),
  ],
  ...["last_four = '42424'", "last_four = '4a42'", "expires_month = 13", "expires_year = 1999"].map(
    (wrong): [string, SQL] => ["payment_methods_card", change("payment_methods", wrong)],
  ),
  ["payment_methods_default_is_there", change("payment_methods", "token = null", "is_default")],
  [
    "payment_customers_reference",
    sql`update payment_customers set reference = (select min(reference) from payment_customers)`,
  ],
  ["payment_setups_account", change("payment_setups", "account_id = gen_random_uuid()", "payment_method_id is null")],
  [
    "invoices_advertiser_id_accounts_id_fk",
    change(
      "invoices",
      "advertiser_id = gen_random_uuid()",
      "not exists (select from top_ups paid where paid.invoice_id = invoices.id)",
    ),
  ],
  ["invoices_amounts", insertInvoiceOf(nextMonth, "0, 0, now()")],
  ["invoices_amounts", insertInvoiceOf(nextMonth, "5, 6, null")],
  ["invoices_paid", insertInvoiceOf(nextMonth, "5, 1, now()")],
  ["invoices_paid", insertInvoiceOf(nextMonth, "5, 0, null")],
  ["invoices_of_month", insertInvoiceOf("month", "5, 5, null")],
  [
    "invoice_lines_adjusts",
    sql`insert into invoice_lines (invoice_id, number, description, amount_cents, adjusts_month) select invoice_id, number + 50, description, amount_cents, '2026-09-01' from invoice_lines limit 1`,
  ],
  [
    "invoice_lines_amount",
    sql`insert into invoice_lines (invoice_id, number, description, amount_cents) select id, 99, 'Nothing', 0 from invoices`,
  ],
  ["invoice_credits_amount", sql`insert into invoice_credits select gen_random_uuid(), id, 0, now() from invoices`],
  ["payout_accounts_last_four", change("payout_accounts", "last_four = '67890'")],
  ["payout_accounts_publisher_id_accounts_id_fk", change("payout_accounts", "publisher_id = gen_random_uuid()")],
  [
    "connected_accounts_reference",
    sql`insert into connected_accounts (publisher_id, reference, state, synced_at, created_at)
      select (select id from accounts where type = 'publisher' and id <> publisher_id limit 1), reference, state, synced_at, created_at from connected_accounts`,
  ],
  ...["number = 0", "number = 201", "reach_from = -1", "reach_to = reach_from", "choice = '\\x00'"].map(
    (wrong): [string, SQL] => ["reach_questions_numbers", change("reach_questions", wrong)],
  ),
  ["stripe_transfers_transfer", insertTransfer("transfer")],
  ["stripe_transfers_bank_payout", insertTransfer("bank_payout")],
  ["payout_lines_share", insertLine("payout_id, 9999, publisher_id, gen_random_uuid()")],
  ["payout_lines_payout", insertLine("gen_random_uuid(), 9999, publisher_id, revenue_share_id")],
  [
    "payout_lines_payout_id_number_pk",
    insertLine(
      "payout_id, number, publisher_id, (select id from revenue_shares where payout_id is null and publisher_id = payout_lines.publisher_id limit 1)",
    ),
  ],
  ["payout_accounts_provider", change("payout_accounts", "provider = 'nonsense'")],
  ["payouts_provider", insertPayout("provider = 'nonsense'")],
  ["payouts_status", insertPayout("status = 'nonsense', ended_at = null, due_at = now()")],
  ["payout_lines_once", insertLine("payout_id, 9999, publisher_id, revenue_share_id")],
  ["payouts_amount", insertPayout("amount_cents = 0")],
  ["payouts_publisher_id_accounts_id_fk", insertPayout("publisher_id = gen_random_uuid()")],
  ["payouts_facts", insertPayout("ended_at = null")],
  ["payouts_facts", insertPayout("failure = 'closed'")],
  ["payouts_facts", insertPayout("status = 'failed', failure = 'closed', due_at = now()")],
  ["payouts_facts", change("payouts", "due_at = null", "status = 'pending'")],
  ["payouts_facts", change("payouts", "returned_at = now()", "status = 'paid'")],
  ["payouts_facts", insertPayout("reference = null")],
  ["revenue_shares_paid", change("revenue_shares", "status = 'paid'", "payout_id is null")],
  ["revenue_shares_payout", change("revenue_shares", "payout_id = gen_random_uuid()", "payout_id is null")],
  [
    "transactions_payout",
    sql`
    insert into transactions (id, account_id, type, status, description, amount_cents, payout_id, created_at)
    select gen_random_uuid(), account_id, type, 'failed', description, amount_cents, payout_id, created_at from transactions where payout_id is not null limit 1`,
  ],
  ["transactions_payout_owner", change("transactions", "payout_id = gen_random_uuid()")],
  ["sandbox_payments_amount", change("sandbox_payments", "amount_cents = 0")],
  ["sandbox_refunds_amount", change("sandbox_refunds", "amount_cents = 0")],
  ["accounts_credit_limit", change("accounts", "credit_limit_cents = -1")],
  ["accounts_credit_limit", change("accounts", "credit_limit_cents = 1000000001", "type = 'advertiser'")],
  ["accounts_credit_limit", change("accounts", "credit_limit_cents = 1", "type = 'publisher'")],
  ["funds_holds_order", change("funds_holds", "released_at = held_at - interval '1 day'")],
  ["top_ups_amount", change("top_ups", "amount_cents = 999", "invoice_id is null")],
  ["top_ups_amount", change("top_ups", "amount_cents = 10000001", "invoice_id is null")],
  ...["due_at = now()", "status = 'pending'", "payment_id = null"].map((wrong): [string, SQL] => [
    "top_ups_open",
    change("top_ups", wrong, "status = 'succeeded'"),
  ]),
  [
    "top_ups_once",
    sql`
      insert into top_ups (id, account_id, payment_method_id, provider, amount_cents, status, idempotency_key, payment_id, return_path, transaction_id, created_at)
      select gen_random_uuid(), account_id, payment_method_id, provider, amount_cents, status, idempotency_key, 'other', return_path,
        (select line.id from transactions line where line.type = 'campaign_spend' limit 1), created_at from top_ups where status = 'succeeded' limit 1`,
  ],
  [
    "top_ups_payment",
    sql`
      insert into top_ups (id, account_id, payment_method_id, provider, amount_cents, status, idempotency_key, payment_id, return_path, transaction_id, created_at)
      select gen_random_uuid(), account_id, payment_method_id, provider, amount_cents, status, 'other', payment_id, return_path,
        (select line.id from transactions line where line.type = 'campaign_spend' limit 1), created_at from top_ups where status = 'succeeded' limit 1`,
  ],
  ["product_imports_account_id_accounts_id_fk", change("product_imports", "account_id = gen_random_uuid()", release)],
  ["mails_sent", change("mails", "sent_at = null", "state = 'sent'")],
  ["mails_state", change("mails", "state = 'nonsense', sent_at = null")],
  [
    "webhooks_account_id_accounts_id_fk",
    sql`insert into webhooks (id, account_id, url, events, secret) select gen_random_uuid(), gen_random_uuid(), url, events, secret from webhooks`,
  ],
  ["webhooks_state", change("webhooks", "state = 'nonsense'")],
  ["webhooks_url", change("webhooks", "url = 'ftp://example.com'")],
  ["webhooks_events", change("webhooks", "events = '{}'")],
  ["webhooks_consecutive_failures", change("webhooks", "consecutive_failures = -1")],
  ["webhooks_previous_secret", change("webhooks", "previous_secret = secret")],
  ["webhook_deliveries_state", change("webhook_deliveries", "state = 'nonsense', delivered_at = null")],
  ["webhook_deliveries_delivered", change("webhook_deliveries", "delivered_at = null")],
  ["webhook_deliveries_next", change("webhook_deliveries", "next_try_at = now()")],
  ["webhook_deliveries_attempts", change("webhook_deliveries", "attempts = -1")],
  ["mails_in_digest", change("mails", "state = 'in_digest', sent_at = null")],
  ["mail_feedback_status", change("mail_feedback", "status = '550 5.1.1'")],
  ["mail_suppressions_status", change("mail_suppressions", "status = '550 5.1.1'")],
  ["mail_settings_delivery", change("mail_settings", "delivery = 'never'")],
  ["mail_settings_muted", change("mail_settings", "muted = '{nonsense}'")],
  ["mail_settings_time_zone", change("mail_settings", "time_zone = 'UTC; drop'")],
  ["mails_attempts", change("mails", "attempts = -1")],
  ["product_imports_finished", change("product_imports", "finished_at = null", release)],
  ["product_imports_finished", change("product_imports", "error = 'odd'", release)],
  ["product_imports_finished", change("product_imports", "status = 'failed'", release)],
  ["product_imports_finished", change("product_imports", "status = 'succeeded'", release)],
  ["product_imports_status", change("product_imports", "status = 'nonsense'", release)],
  ["product_imports_currency", change("product_imports", "currency = 'usd'", release)],
  ["product_imports_header_rows", change("product_imports", "chosen_header_row = 0", release)],
  ["product_imports_header_rows", change("product_imports", "header_row = 0", release)],
  [
    "product_stores_account_id_accounts_id_fk",
    change("product_stores", "account_id = gen_random_uuid()", "name = 'waiting'"),
  ],
  ...["name = ''", "sku = ''", "category = ''"].map((wrong): [string, SQL] => [
    "products_named",
    change("products", wrong),
  ]),
  ...["price_cents = -1", "price_cents = 1000000001", "inventory = -1", "inventory = 1000000001"].map(
    (wrong): [string, SQL] => ["products_numbers", change("products", wrong)],
  ),
  // Another publisher's audience with this publisher's id: the composite key refers to no row.
  ...["version_audiences", "audience_versions", "audience_uploads"].map((table): [string, SQL] => [
    table === "version_audiences"
      ? "version_audiences_audience"
      : `${table}_audience_id_publisher_id_audiences_id_publisher_id_fk`.slice(0, 63),
    change(
      table,
      "publisher_id = (select id from accounts where type = 'publisher' and accounts.id <> publisher_id limit 1)",
    ),
  ]),
];

/** Guarantees that others imply, and by which: a rule of one column beside one of several. */
const doubled: Record<string, string> = {
  campaign_versions_budgets: "campaign_versions_complete",
  creatives_type: "path",
  line_items_campaign_id_campaigns_id_fk: "line_items_sent_version",
};

/** Statements that append-only rows reject. */
const records: Record<string, SQL> = {
  audit_blocks_are_kept: change("audit_blocks", "sealed_at = now()"),
  audit_blocks_are_not_emptied: sql`truncate audit_blocks`,
  audit_entries_are_kept: change("audit_entries", "action = 'other'"),
  audit_entries_are_not_emptied: sql`truncate audit_entries`,
  audience_versions_are_kept: change("audience_versions", "size = 1"),
  campaign_versions_are_kept: change("campaign_versions", "total_budget_cents = total_budget_cents + 1"),
  decisions_are_kept: change("decisions", "action = 'reject'"),
  invoices_are_fixed: change("invoices", "due_on = due_on + 1"),
  invoices_stay_paid: change("invoices", "paid_at = paid_at + interval '1 day'", "paid_at is not null"),
  invoices_open_less: change("invoices", "open_cents = 2, paid_at = null, reopened_cents = 1", "paid_at is not null"),
  plan_offsets_are_fixed: change("plan_offsets", "amount_cents = amount_cents + 1"),
  plan_offsets_are_kept: sql`delete from plan_offsets where payout_id is null`,
  repayments_are_kept: change("repayments", "amount_cents = amount_cents + 1"),
  balance_returns_are_kept: change("balance_returns", "amount_cents = amount_cents + 1"),
  payment_reversals_are_kept: change("payment_reversals", "amount_cents = 1"),
  invoice_lines_are_kept: change("invoice_lines", "amount_cents = amount_cents + 1"),
  invoice_credits_are_kept: change("invoice_credits", "amount_cents = amount_cents + 1"),
  payout_lines_are_kept: change("payout_lines", "amount_cents = amount_cents + 1"),
  payouts_are_fixed: change("payouts", "amount_cents = amount_cents + 1", "ended_at is null"),
  payouts_end_once: change("payouts", "status = 'failed', failure = 'x', due_at = null", "status = 'paid'"),
  revenue_shares_stay_paid: change("revenue_shares", "status = 'pending'", "status = 'paid'"),
  deliveries_are_kept: sql`delete from deliveries where revision = 1`,
  delivery_reports_are_kept: change("delivery_reports", "reported_by = 'other'"),
  delivery_revisions_are_kept: change("delivery_revisions", "impressions = impressions + 1"),
  delivery_revisions_are_not_emptied: sql`truncate delivery_revisions`,
  ledger_accounts_begin_empty: sql`
    insert into ledger_accounts (id, kind, owner_id, balance_cents) select gen_random_uuid(), 'advertiser_wallet', id, -1 from accounts where type = 'publisher' limit 1`,
  ledger_accounts_are_booked: change("ledger_accounts", "balance_cents = balance_cents - 1", "owner_id is null"),
  ledger_accounts_are_kept: sql`delete from ledger_accounts known where not exists (select from ledger_entries entry where entry.account_id = known.id)`,
  ledger_entries_in_time: sql`
    insert into ledger_entries (transaction_id, number, account_id, amount_cents) select transaction_id, number + 10, account_id, amount_cents from ledger_entries`,
  ledger_entries_are_kept: change("ledger_entries", "amount_cents = amount_cents + 1"),
  ledger_entries_are_not_emptied: sql`truncate ledger_entries`,
  ledger_transactions_are_kept: change("ledger_transactions", "posted_at = now()"),
  ledger_transactions_balance: sql`
    do $$ begin
      insert into ledger_transactions (id, event, event_key, legs_hash, posted_at) values (gen_random_uuid(), 'campaign_spend', 'none', repeat('0', 64), now());
      set constraints all immediate;
    end $$`,
  refunds_are_kept: change("refunds", "earnings_cents = 0"),
  revenue_shares_are_fixed: change(
    "revenue_shares",
    "earnings_cents = earnings_cents + 1, fee_cents = fee_cents - 1",
    "status = 'pending'",
  ),
  revenue_shares_are_kept: sql`delete from revenue_shares where payout_id is null`,
  transactions_are_fixed: change("transactions", "amount_cents = amount_cents + 1"),
  transactions_are_kept: sql`delete from transactions where type = 'campaign_spend'`,
  version_audiences_cpm_is_frozen: change("version_audiences", "cpm_cents = 1", "cpm_cents is not null"),
};

/** Posts the entries of a company's transaction again, as another one. */
const postAgain = sql`
  with posted as (
    insert into ledger_transactions (id, event, event_key, legs_hash, posted_at) values (gen_random_uuid(), 'campaign_spend', 'again', repeat('0', 64), now()) returning id
  ) insert into ledger_entries (transaction_id, number, account_id, amount_cents)
    select posted.id, entry.number, entry.account_id, entry.amount_cents from posted,
      (select * from ledger_entries where transaction_id = (
        select min(transaction_id::text)::uuid from ledger_entries join ledger_accounts on id = account_id where owner_id is not null
      )) entry`;

/** Sends another publisher a version of a campaign, with a product that no other version has. */
const showOtherProduct = sql.raw(`
  insert into campaign_versions select (jsonb_populate_record(v, jsonb_build_object('number', 99, 'product_ids', array[gen_random_uuid()]))).*
    from campaign_versions v where number = 1 and campaign_id = (select max(campaign_id::text)::uuid from product_uses);
  insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, commission_rate_bps, sent_at)
    select gen_random_uuid(), campaign_id, gen_random_uuid(), 'Other', '', number, 7000, now() from campaign_versions where number = 99;`);

/** Inserts, updates and deletes of rows that have counters or a history. */
const counted: Record<string, SQL> = {
  line_item_days_summed_insert: sql`insert into line_item_days select line_item_id, day - 4000, 1, 1, 1, 1, 1, 1 from line_item_days limit 1`,
  line_item_days_summed_update: change("line_item_days", "clicks = clicks + 1"),
  audiences_reschedule_channels: sql`
    do $$ begin
      insert into audiences (id, publisher_id, name, segment, status) select gen_random_uuid(), publisher_id, 'Unused', segment, 'building' from audiences limit 1;
      insert into channel_audiences (audience_id, channel, due_at) select id, 'google', now() + interval '1 day' from audiences where name = 'Unused';
      update audiences set status = 'archived', archived_at = now() where name = 'Unused';
    end $$`,
  campaigns_counted_insert: sql`
    insert into campaigns (id, advertiser_id, name, status) select gen_random_uuid(), advertiser_id, name, 'draft' from campaigns limit 1`,
  campaigns_counted_update: change("campaigns", "status = 'completed', completed_at = now()", "status = 'draft'"),
  campaigns_counted_delete: sql`delete from campaigns where status = 'draft'`,
  line_items_counted_insert: sql`
    insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, commission_rate_bps, sent_at)
    select gen_random_uuid(), gen_random_uuid(), publisher_id, campaign_name, advertiser_name, 1, 7000, now() from line_items limit 1`,
  line_items_counted_update: change("line_items", "approval_status = 'rejected'", "approval_status = 'pending'"),
  line_items_counted_delete: sql`delete from line_items where impressions = 0`,
  line_items_rejected_insert: sql`
    insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, approval_status, commission_rate_bps, sent_at)
    select gen_random_uuid(), campaign_id, gen_random_uuid(), campaign_name, advertiser_name, sent_version, 'rejected', 7000, now() from line_items limit 1`,
  line_items_rejected_update: change("line_items", "approval_status = 'rejected'", "approval_status = 'pending'"),
  line_items_rejected_delete: sql`
    do $$ begin
      update line_items set approval_status = 'rejected' where impressions = 0;
      delete from line_items where impressions = 0;
    end $$`,
  line_items_uses_insert: sql`
    do $$ declare one record; begin
      select item.*, other.id as audience_id, other.publisher_id as other_id into strict one from line_items item join audiences other on not exists (
        select from line_items asked where asked.campaign_id = item.campaign_id and asked.publisher_id = other.publisher_id
      ) order by item.id, other.id limit 1;
      insert into version_audiences (campaign_id, version, audience_id, publisher_id) values (one.campaign_id, one.sent_version, one.audience_id, one.other_id);
      insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, commission_rate_bps, sent_at)
      values (gen_random_uuid(), one.campaign_id, one.other_id, one.campaign_name, one.advertiser_name, one.sent_version, 7000, now());
    end $$`,
  line_items_uses_update: change(
    "line_items",
    "approval_status = 'rejected'",
    "approval_status = 'pending' and approved_version is null",
  ),
  line_items_uses_delete: sql`delete from line_items where impressions = 0`,
  campaigns_product_uses_update: change(
    "campaigns",
    "status = 'completed', completed_at = now()",
    "id in (select campaign_id from product_uses)",
  ),
  line_items_product_uses_insert: sql`
    do $$ begin
      ${showOtherProduct}
    end $$`,
  line_items_product_uses_update: sql`
    do $$ begin
      ${showOtherProduct}
      update line_items set approval_status = 'rejected' where sent_version = 99;
    end $$`,
  line_items_product_uses_delete: sql`
    do $$ begin
      ${showOtherProduct}
      delete from line_items where sent_version = 99;
    end $$`,
  account_category_days_summed_insert: sql`
    insert into account_category_days select (jsonb_populate_record(known, jsonb_build_object('day', day - 4000))).* from account_category_days known limit 1`,
  account_category_days_summed_update: change("account_category_days", "clicks = clicks + 1"),
  line_items_category_insert: sql`
    insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, commission_rate_bps, sent_at)
    select gen_random_uuid(), campaign_id, gen_random_uuid(), campaign_name, advertiser_name, sent_version, 7000, now() from line_items limit 1`,
  line_items_category_update: sql`
    do $$ begin
      insert into campaign_versions select (jsonb_populate_record(v, '{"number": 99, "product_category": "Other"}')).* from campaign_versions v where number = 1;
      update line_items set sent_version = 99 where approved_version is null and withdrawn_at is null;
    end $$`,
  line_items_unsettled_insert: sql`
    insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, commission_rate_bps, sent_at, spend_micros)
    select gen_random_uuid(), campaign_id, gen_random_uuid(), campaign_name, advertiser_name, sent_version, 7000, now(), 50000 from line_items limit 1`,
  line_items_unsettled_update: change("line_items", "spend_micros = spend_micros + 50000"),
  settlements_unsettled_insert: sql`
    insert into line_item_settlements (line_item_id, revision, settled_through, spend_micros, spend_cents, earnings_cents)
    select id, 1, '2026-11-20', 50000, 5, 0 from line_items where spend_micros = 0 limit 1`,
  settlements_unsettled_update: change(
    "line_item_settlements",
    "spend_micros = spend_micros + 50000, spend_cents = spend_cents + 5",
  ),
  campaigns_spendable_update: sql`
    do $$ declare one uuid; begin
      select campaign_id into strict one from spendable_campaigns order by 1 limit 1;
      update campaigns set status = 'paused', paused_at = now() where id = one;
      update line_items set publisher_paused_at = '2026-11-20T14:30:00Z', status_changed_at = '2026-11-20T14:30:00Z' where campaign_id = one;
      update line_items set publisher_paused_at = null, status_changed_at = '2026-11-20T14:31:00Z' where campaign_id = one;
      update campaigns set status = 'active', paused_at = null where id = one;
    end $$`,
  line_items_spendable_insert: sql`
    do $$ declare one line_items%rowtype; begin
      select item.* into strict one from line_items item join spendable_campaigns using (campaign_id) where status = 'active' and approval_status = 'approved' order by id limit 1;
      update line_items set publisher_paused_at = '2026-11-20T14:30:00Z', status_changed_at = '2026-11-20T14:30:00Z' where campaign_id = one.campaign_id;
      insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, approved_version, approval_status, commission_rate_bps, sent_at)
      values (gen_random_uuid(), one.campaign_id, gen_random_uuid(), 'Alone', '', one.sent_version, one.approved_version, 'approved', 7000, now());
    end $$`,
  line_items_spendable_delete: sql`delete from line_items where impressions = 0 and campaign_id in (select campaign_id from spendable_campaigns)`,
  line_items_spendable_update: change(
    "line_items",
    "publisher_paused_at = '2026-11-20T14:30:00Z', status_changed_at = '2026-11-20T14:30:00Z'",
    "campaign_id in (select campaign_id from spendable_campaigns join line_items using (campaign_id) group by 1 having count(*) = 1)",
  ),
  line_item_days_spendable_insert: sql`
    insert into line_item_days select item.id, current_date + 1000, 1, 0, 0, 1, 0, 1 from line_items item join spendable_campaigns using (campaign_id)
    where exists (select from line_item_days where line_item_id = item.id) limit 1`,
  line_item_days_spendable_update: change(
    "line_item_days",
    "spend_micros = spend_micros + 10000, reported_micros = reported_micros + 10000",
    "(line_item_id, day) in (select item.id, max(days.day) from line_items item join spendable_campaigns using (campaign_id) join line_item_days days on days.line_item_id = item.id where item.status = 'active' group by 1)",
  ),
  revenue_shares_summed_insert: sql`
    insert into revenue_shares (id, publisher_id, line_item_id, revision, settled_through, spend_cents, earnings_cents, fee_cents, ledger_transaction_id, created_at)
    select gen_random_uuid(), publisher_id, line_item_id, 1000, settled_through, 10, 7, 3, ledger_transaction_id, created_at from revenue_shares where payout_id is null limit 1`,
  revenue_shares_summed_update: change("revenue_shares", "payout_id = gen_random_uuid()", "payout_id is null"),
  line_item_months_listed: sql`
    insert into line_item_months select (jsonb_populate_record(known, jsonb_build_object('month', month - interval '300 months'))).* from line_item_months known limit 1`,
  transactions_settled_insert: sql`
    insert into transactions (id, account_id, type, status, description, amount_cents, ledger_transaction_id, created_at)
    select gen_random_uuid(), gen_random_uuid(), type, status, description, 7, ledger_transaction_id, created_at from transactions where type = 'campaign_spend' limit 1`,
  transactions_settled_update: change(
    "transactions",
    "status = 'failed', ledger_transaction_id = null",
    "type = 'campaign_spend'",
  ),
  deliveries_summed_insert: sql`
    insert into deliveries (line_item_id, publisher_id, day, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, report_id)
    select line_item_id, publisher_id, day - 400, audience_id, channel, source, 7, 1, 1, 5, 5, 5, report_id from deliveries limit 1`,
  deliveries_summed_update: change("deliveries", "impressions = impressions + 1, revision = revision + 1"),
  deliveries_summed_creatives_insert: sql`
    insert into deliveries (line_item_id, publisher_id, day, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, creatives, report_id)
    select line_item_id, publisher_id, day - 500, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, creatives, report_id
    from deliveries where creatives is not null limit 1`,
  deliveries_summed_creatives_update: change(
    "deliveries",
    "creatives = null, revision = revision + 1",
    "creatives is not null",
  ),
  deliveries_keep_revisions: change("deliveries", "impressions = impressions + 1, revision = revision + 1"),
  ledger_entries_booked: postAgain,
  ledger_entries_stated: postAgain,
  accounts_start_funds_hold: sql`
    insert into accounts (id, type, status, company_name) values (gen_random_uuid(), 'advertiser', 'pending', 'New')`,
  funds_holds_request_activations: sql`
    insert into funds_holds (account_id, held_at) select advertiser_id, now() from campaigns where status = 'active' limit 1`,
  line_items_activations_inserted: sql`
    insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, approved_version, approval_status, commission_rate_bps, sent_at)
    select gen_random_uuid(), campaign_id, gen_random_uuid(), campaign_name, advertiser_name, sent_version, approved_version, 'approved', 7000, now()
    from line_items where status = 'active' and approval_status = 'approved' limit 1`,
  line_items_activations_updated: change(
    "line_items",
    "publisher_paused_at = '2026-11-20T14:30:00Z', status_changed_at = '2026-11-20T14:30:00Z'",
    "status = 'active'",
  ),
  line_items_run_inserted: sql`
    insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, approved_version, approval_status, commission_rate_bps, sent_at)
    select gen_random_uuid(), campaign_id, gen_random_uuid(), campaign_name, advertiser_name, sent_version, approved_version, 'approved', 7000, now()
    from line_items where status = 'active' and approval_status = 'approved' limit 1`,
  line_items_run_updated: change(
    "line_items",
    "publisher_paused_at = '2026-11-20T14:30:00Z', status_changed_at = '2026-11-20T14:30:00Z'",
    "status = 'active'",
  ),
};

const besides: Record<string, string> = {
  line_item_days_summed_insert: "a line item's day is not the sum of its facts",
  line_item_days_summed_update: "a line item's day is not the sum of its facts",
  line_item_days_spendable_insert: "a line item's day is not the sum of its facts",
  line_item_days_spendable_update: "a line item's day is not the sum of its facts",
  account_category_days_summed_insert: "a roll-up of an account's day in a category is not the sum of its facts",
  account_category_days_summed_update: "a roll-up of an account's day in a category is not the sum of its facts",
  line_items_unsettled_insert: "a counter of delivery is not its sum",
  line_items_unsettled_update: "a counter of delivery is not its sum",
  settlements_unsettled_insert: "line item settlement differs from the sum of its revenue shares",
  settlements_unsettled_update: "line item settlement differs from the sum of its revenue shares",
  revenue_shares_summed_insert: "line item settlement differs from the sum of its revenue shares",
  line_item_months_listed: "a counter of a line item's month is not the sum of its days",
  ledger_entries_booked: "advertiser balance differs from the sum of its transactions",
  ledger_entries_stated: "advertiser balance differs from the sum of its transactions",
  transactions_settled_update: "advertiser balance differs from the sum of its transactions",
};

type Rejection = { name: string; state: string };

/** Tries the statement in a savepoint that is rolled back. Returns its rejection, or null. */
async function tryOut(tx: Database, attempt: SQL): Promise<Rejection | null> {
  await tx.execute(sql`savepoint attempt`);
  try {
    const rows = await tx.execute(attempt);
    if (rows.count === 0) return { name: "no row to try it with", state: "" };
    return null;
  } catch (error) {
    const { code, constraint_name, column_name = "" } = (error as { cause: Record<string, string> }).cause;
    return { name: constraint_name ?? column_name, state: code ?? "" };
  } finally {
    await tx.execute(sql`rollback to savepoint attempt`);
  }
}

async function inRolledBackTransaction(act: (tx: Database) => Promise<void>): Promise<void> {
  const end = new Error("undone");
  const acted = db().transaction(async (tx) => {
    await act(tx as unknown as Database);
    throw end;
  });
  await expect(acted).rejects.toBe(end);
}

/** Returns the key of a partitioned table that a partition's key belongs to. */
async function keyOfWhole(tx: Database, name: string): Promise<string | undefined> {
  const row = z.object({ name: z.string() });
  const [whole] = await queryRows(
    tx,
    row,
    sql`select whole.relname as name from pg_inherits join pg_class part on part.oid = inhrelid join pg_class whole on whole.oid = inhparent
      where part.relname = ${name}`,
  );
  return whole?.name;
}

/** Returns what is wrong with an attempt: another guarantee rejects it, or still does once its own is dropped. */
async function shows(guarantee: Guarantee, attempt: SQL): Promise<string[]> {
  const wrong: string[] = [];
  await inRolledBackTransaction(async (tx) => {
    // Triggers protect append-only rows; they have their own test.
    await tx.execute(sql.raw(`alter table "${guarantee.table}" disable trigger user`));
    const rejected = await tryOut(tx, attempt);
    const names = rejected ? [rejected.name, await keyOfWhole(tx, rejected.name)] : [];
    if (![guarantee.name, doubled[guarantee.name]].some((name) => name && names.includes(name)))
      wrong.push(`${guarantee.name}: stopped by ${rejected?.name ?? "nothing"}`);
    await tx.execute(dropGuarantee(guarantee));
    const still = await tryOut(tx, attempt);
    if (still?.name !== doubled[guarantee.name])
      wrong.push(`${guarantee.name}: still stopped without it, by ${still?.name} ${still?.state}`);
  });
  return wrong;
}

test("each constraint and each unique key rejects a row that nothing else would reject", async () => {
  const wrong: string[] = [];
  const shown = new Set<string>();
  for (const guarantee of catalog.guarantees.filter(({ kind }) => kind !== "trigger")) {
    const own = attempts.filter(([name]) => name === guarantee.name).map(([, attempt]) => attempt);
    const created = own.length > 0 ? null : attemptAt(catalog, guarantee);
    const all = created ? [created] : own;
    if (all.length === 0) wrong.push(`${guarantee.name}: nobody tries it: ${guarantee.definition}`);
    for (const attempt of all) wrong.push(...(await shows(guarantee, attempt)));
    shown.add(guarantee.name);
  }
  expect(wrong).toEqual([]);
  expect(attempts.map(([name]) => name).filter((name) => !shown.has(name))).toEqual([]);
  expect(shown.size).toBeGreaterThan(100);
}, 60_000);

test("each trigger enforces its rule", async () => {
  const wrong: string[] = [];
  const counting: Counted[] = [];
  for (const guarantee of catalog.guarantees.filter(({ kind }) => kind === "trigger")) {
    const { name, definition } = guarantee;
    const [record, count] = [records[name], counted[name]];
    if (record) {
      await inRolledBackTransaction(async (tx) => {
        const rejected = await tryOut(tx, record);
        if (rejected?.state !== "23001") wrong.push(`${name}: stopped by ${rejected?.state ?? "nothing"}`);
        await tx.execute(dropGuarantee(guarantee));
        const still = await tryOut(tx, record);
        if (still) wrong.push(`${name}: still stopped without it, by ${still.name} ${still.state}`);
      });
    } else if (count) {
      counting.push({ guarantee, statement: count });
      const none = await miscounted([{ guarantee, statement: count }], dropGuarantee(guarantee));
      if (none.every((rule) => isBesides(name, rule))) wrong.push(`${name}: nothing is miscounted without it`);
    } else wrong.push(`${name}: nobody tries it: ${definition}`);
  }
  wrong.push(...(await miscountedByAny(counting)));
  expect(wrong).toEqual([]);
}, 60_000);

type Counted = { guarantee: Guarantee; statement: SQL };

/** A sum that other sums include differs from its own facts. */
const isBesides = (name: string, rule: string) => rule === besides[name];

/**
 * Returns what is miscounted although all triggers are at work. A short run tries statements together, because the
 * rules take longer to check than a statement; each is tried alone where one fails beside others, or a rule is or must
 * be broken.
 */
async function miscountedByAny(all: readonly Counted[]): Promise<string[]> {
  const wrong: string[] = [];
  const isAlone = ({ guarantee: { name } }: Counted) => isFullFaultRun || name in besides;
  const groups = all.filter(isAlone).map((one) => [one]);
  const others = all.filter((one) => !isAlone(one));
  for (let from = 0; from < others.length; from += 12) groups.push(others.slice(from, from + 12));
  for (const group of groups) {
    const together = group.length > 1 ? await miscounted(group).catch(() => ["a statement"]) : ["not tried"];
    if (together.length === 0) continue;
    for (const one of group) {
      const { name } = one.guarantee;
      const rules = (await miscounted([one])).filter((rule) => !isBesides(name, rule));
      if (rules.length > 0) wrong.push(`${name}: miscounts ${rules.join(", ")}`);
    }
  }
  return wrong;
}

/** Returns the rules about counters and histories that statements break, one after the other. */
async function miscounted(all: readonly Counted[], first: SQL = sql`select 1`): Promise<string[]> {
  let broken: string[] = [];
  await inRolledBackTransaction(async (tx) => {
    await tx.execute(first);
    for (const { guarantee, statement } of all) {
      // Foreign keys in either direction do not affect a counter.
      await tx.execute(sql.raw(`alter table "${guarantee.table}" disable trigger all`));
      await tx.execute(sql.raw(`alter table "${guarantee.table}" enable trigger user`));
      await tx.execute(statement);
    }
    broken = Object.keys(
      await findBrokenInvariants(tx, {
        only: (rule) =>
          /counter|roll-up|sum of|list of what|statement line|unsettled|can spend|history|without a run|not ordered|looked at/.test(
            rule,
          ),
      }),
    );
  });
  return broken;
}
