-- Renames tables, columns, constraints and indexes to the words of the trade (docs/decisions/0060).
ALTER TABLE payments_taken_back RENAME TO payment_reversals;--> statement-breakpoint
ALTER TABLE netted_plans RENAME TO plan_offsets;--> statement-breakpoint
ALTER TABLE sandbox_pages RENAME TO sandbox_setup_sessions;--> statement-breakpoint
ALTER TABLE channel_orders RENAME TO channel_activations;--> statement-breakpoint
ALTER TABLE product_import_pieces RENAME TO product_import_chunks;--> statement-breakpoint
ALTER TABLE product_import_blocks RENAME TO product_import_batches;--> statement-breakpoint
ALTER TABLE product_import_columns RENAME TO product_import_column_mappings;--> statement-breakpoint
ALTER TABLE top_ups RENAME COLUMN taken_back_cents TO reversed_cents;--> statement-breakpoint
ALTER TABLE top_ups RENAME COLUMN answer TO response;--> statement-breakpoint
ALTER TABLE plan_changes RENAME COLUMN taken_back_cents TO reversed_cents;--> statement-breakpoint
ALTER TABLE plan_changes RENAME COLUMN netted TO paid_from_earnings;--> statement-breakpoint
ALTER TABLE plan_changes RENAME COLUMN answer TO response;--> statement-breakpoint
ALTER TABLE subscriptions RENAME COLUMN taken_back_at TO payment_reversed_at;--> statement-breakpoint
ALTER TABLE payout_lines RENAME COLUMN netted_plan_id TO plan_offset_id;--> statement-breakpoint
ALTER TABLE provider_events RENAME COLUMN done_at TO processed_at;--> statement-breakpoint
ALTER TABLE connected_accounts RENAME COLUMN asked_at TO synced_at;--> statement-breakpoint
ALTER TABLE connected_accounts RENAME COLUMN due_by TO requirements_due_by;--> statement-breakpoint
ALTER TABLE ledger_transactions RENAME COLUMN written_in TO xact_id;--> statement-breakpoint
ALTER TABLE channel_activations RENAME COLUMN wanted TO desired_state;--> statement-breakpoint
ALTER TABLE channel_activations RENAME COLUMN wanted_version TO desired_version;--> statement-breakpoint
ALTER TABLE channel_activations RENAME COLUMN state TO confirmed_state;--> statement-breakpoint
ALTER TABLE channel_activations RENAME COLUMN version TO confirmed_version;--> statement-breakpoint
ALTER TABLE channel_audiences RENAME COLUMN busy_until TO leased_until;--> statement-breakpoint
ALTER TABLE delivery_reports RENAME COLUMN refused TO rejected;--> statement-breakpoint
ALTER TABLE channel_collections RENAME COLUMN refused TO rejected;--> statement-breakpoint
ALTER TABLE webhooks RENAME COLUMN given_up TO consecutive_failures;--> statement-breakpoint
ALTER TABLE accounts RENAME COLUMN plan_paid_from TO plan_funding_source;--> statement-breakpoint
ALTER TABLE audience_blocks RENAME COLUMN tags TO flags;--> statement-breakpoint
ALTER TABLE audience_blocks RENAME COLUMN spellings TO canonical_hashes;--> statement-breakpoint
ALTER TABLE audience_blocks RENAME COLUMN first TO first_hash;--> statement-breakpoint
ALTER TABLE audience_uploads RENAME COLUMN alive_at TO heartbeat_at;--> statement-breakpoint
ALTER TABLE audience_connections RENAME COLUMN program TO integration;--> statement-breakpoint
ALTER TABLE product_stores RENAME COLUMN shop_url TO store_url;--> statement-breakpoint
ALTER TABLE product_imports RENAME COLUMN alive_at TO heartbeat_at;--> statement-breakpoint
ALTER TABLE product_imports RENAME COLUMN tries TO attempts;--> statement-breakpoint
ALTER TABLE product_imports RENAME COLUMN committed TO commit_requested;--> statement-breakpoint
ALTER TABLE line_items RENAME COLUMN changed_at TO status_changed_at;--> statement-breakpoint
ALTER TABLE audit_entries RENAME COLUMN door TO entrypoint;--> statement-breakpoint
ALTER TABLE accounts RENAME CONSTRAINT accounts_plan_paid_from TO accounts_plan_funding_source;--> statement-breakpoint
ALTER TABLE audience_connections RENAME CONSTRAINT audience_connections_program TO audience_connections_integration;--> statement-breakpoint
ALTER TABLE audience_blocks RENAME CONSTRAINT audience_blocks_audience_id_generation_first_pk TO audience_blocks_audience_id_generation_first_hash_pk;--> statement-breakpoint
ALTER TABLE audit_entries RENAME CONSTRAINT audit_entries_door TO audit_entries_entrypoint;--> statement-breakpoint
ALTER TABLE plan_changes RENAME CONSTRAINT plan_changes_taken_back TO plan_changes_reversed;--> statement-breakpoint
ALTER TABLE plan_changes RENAME CONSTRAINT plan_changes_netted TO plan_changes_paid_from_earnings;--> statement-breakpoint
ALTER TABLE subscriptions RENAME CONSTRAINT subscriptions_taken_back TO subscriptions_payment_reversed;--> statement-breakpoint
ALTER TABLE product_import_batches RENAME CONSTRAINT product_import_blocks_of TO product_import_batches_of;--> statement-breakpoint
ALTER TABLE product_import_batches RENAME CONSTRAINT product_import_blocks_import_id_number_pk TO product_import_batches_import_id_number_pk;--> statement-breakpoint
ALTER TABLE product_import_column_mappings RENAME CONSTRAINT product_import_columns_account_id_accounts_id_fk TO product_import_column_mappings_account_id_accounts_id_fk;--> statement-breakpoint
ALTER TABLE product_import_column_mappings RENAME CONSTRAINT product_import_columns_account_id_dialect_pk TO product_import_column_mappings_account_id_dialect_pk;--> statement-breakpoint
ALTER TABLE product_import_column_mappings RENAME CONSTRAINT product_import_columns_dialect TO product_import_column_mappings_dialect;--> statement-breakpoint
ALTER TABLE product_import_chunks RENAME CONSTRAINT product_import_pieces_of TO product_import_chunks_of;--> statement-breakpoint
ALTER TABLE product_import_chunks RENAME CONSTRAINT product_import_pieces_import_id_number_pk TO product_import_chunks_import_id_number_pk;--> statement-breakpoint
ALTER TABLE channel_activations RENAME CONSTRAINT channel_orders_line_item_id_line_items_id_fk TO channel_activations_line_item_id_line_items_id_fk;--> statement-breakpoint
ALTER TABLE channel_activations RENAME CONSTRAINT channel_orders_line_item_id_channel_pk TO channel_activations_line_item_id_channel_pk;--> statement-breakpoint
ALTER TABLE channel_activations RENAME CONSTRAINT channel_orders_problem TO channel_activations_problem;--> statement-breakpoint
ALTER TABLE channel_activations RENAME CONSTRAINT channel_orders_channel TO channel_activations_channel;--> statement-breakpoint
ALTER TABLE channel_activations RENAME CONSTRAINT channel_orders_wanted TO channel_activations_desired_state;--> statement-breakpoint
ALTER TABLE channel_activations RENAME CONSTRAINT channel_orders_state TO channel_activations_confirmed_state;--> statement-breakpoint
ALTER TABLE channel_activations RENAME CONSTRAINT channel_orders_confirmed TO channel_activations_confirmed;--> statement-breakpoint
ALTER TABLE channel_activations RENAME CONSTRAINT channel_orders_failures TO channel_activations_failures;--> statement-breakpoint
ALTER TABLE plan_offsets RENAME CONSTRAINT netted_plans_ledger_transaction_id_ledger_transactions_id_fk TO plan_offsets_ledger_transaction_id_ledger_transactions_id_fk;--> statement-breakpoint
ALTER TABLE plan_offsets RENAME CONSTRAINT netted_plans_plan_change TO plan_offsets_plan_change;--> statement-breakpoint
ALTER TABLE plan_offsets RENAME CONSTRAINT netted_plans_payout TO plan_offsets_payout;--> statement-breakpoint
ALTER TABLE plan_offsets RENAME CONSTRAINT netted_plans_once TO plan_offsets_once;--> statement-breakpoint
ALTER TABLE plan_offsets RENAME CONSTRAINT netted_plans_publisher TO plan_offsets_publisher;--> statement-breakpoint
ALTER TABLE plan_offsets RENAME CONSTRAINT netted_plans_amount TO plan_offsets_amount;--> statement-breakpoint
ALTER TABLE plan_offsets RENAME CONSTRAINT netted_plans_pkey TO plan_offsets_pkey;--> statement-breakpoint
ALTER TABLE sandbox_setup_sessions RENAME CONSTRAINT sandbox_pages_card TO sandbox_setup_sessions_card;--> statement-breakpoint
ALTER TABLE sandbox_setup_sessions RENAME CONSTRAINT sandbox_pages_pkey TO sandbox_setup_sessions_pkey;--> statement-breakpoint
ALTER TABLE payment_reversals RENAME CONSTRAINT payments_taken_back_ledger_transaction_id_ledger_transactions_id_fk TO payment_reversals_ledger_transaction_id_ledger_transactions_id_fk;--> statement-breakpoint
ALTER TABLE payment_reversals RENAME CONSTRAINT payments_taken_back_top_up TO payment_reversals_top_up;--> statement-breakpoint
ALTER TABLE payment_reversals RENAME CONSTRAINT payments_taken_back_plan_change TO payment_reversals_plan_change;--> statement-breakpoint
ALTER TABLE payment_reversals RENAME CONSTRAINT payments_taken_back_entries TO payment_reversals_entries;--> statement-breakpoint
ALTER TABLE payment_reversals RENAME CONSTRAINT payments_taken_back_once TO payment_reversals_once;--> statement-breakpoint
ALTER TABLE payment_reversals RENAME CONSTRAINT payments_taken_back_provider TO payment_reversals_provider;--> statement-breakpoint
ALTER TABLE payment_reversals RENAME CONSTRAINT payments_taken_back_reason TO payment_reversals_reason;--> statement-breakpoint
ALTER TABLE payment_reversals RENAME CONSTRAINT payments_taken_back_payment TO payment_reversals_payment;--> statement-breakpoint
ALTER TABLE payment_reversals RENAME CONSTRAINT payments_taken_back_numbers TO payment_reversals_numbers;--> statement-breakpoint
ALTER TABLE payment_reversals RENAME CONSTRAINT payments_taken_back_pkey TO payment_reversals_pkey;--> statement-breakpoint
ALTER TABLE top_ups RENAME CONSTRAINT top_ups_taken_back TO top_ups_reversed;--> statement-breakpoint
ALTER TABLE webhooks RENAME CONSTRAINT webhooks_given_up TO webhooks_consecutive_failures;--> statement-breakpoint
ALTER INDEX channel_orders_due RENAME TO channel_activations_due;--> statement-breakpoint
ALTER INDEX netted_plans_free RENAME TO plan_offsets_free;--> statement-breakpoint
ALTER INDEX netted_plans_of_payout RENAME TO plan_offsets_of_payout;--> statement-breakpoint
ALTER INDEX payments_taken_back_of_top_up RENAME TO payment_reversals_of_top_up;--> statement-breakpoint
ALTER INDEX payments_taken_back_of_plan_change RENAME TO payment_reversals_of_plan_change;--> statement-breakpoint
ALTER INDEX payments_taken_back_account RENAME TO payment_reversals_account;
--> statement-breakpoint

-- Functions that name a renamed column or table in their text, with new names where the old ones named what is gone.
CREATE OR REPLACE FUNCTION refuse_late_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM come JOIN ledger_transactions posted ON posted.id = come.transaction_id WHERE posted.xact_id <> pg_current_xact_id()::text::bigint) THEN
    RAISE EXCEPTION 'an entry comes with its transaction' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION record_line_item_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status = 'active' THEN
    DELETE FROM line_item_runs WHERE line_item_id = NEW.id AND ended_at IS NULL AND started_at >= NEW.status_changed_at;
    UPDATE line_item_runs SET ended_at = NEW.status_changed_at WHERE line_item_id = NEW.id AND ended_at IS NULL;
  END IF;
  IF NEW.status = 'active' THEN
    INSERT INTO line_item_runs (line_item_id, campaign_id, version, started_at) VALUES (NEW.id, NEW.campaign_id, NEW.approved_version, NEW.status_changed_at)
      ON CONFLICT (line_item_id, started_at) DO UPDATE SET version = excluded.version, ended_at = NULL;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
ALTER FUNCTION order_channels() RENAME TO request_activations;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION request_activations() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE on_hold boolean := false;
BEGIN
  IF NEW.status = 'active' THEN
    PERFORM FROM campaigns campaign JOIN accounts owner ON owner.id = campaign.advertiser_id WHERE campaign.id = NEW.campaign_id FOR SHARE OF owner;
    on_hold := EXISTS (SELECT FROM campaigns campaign JOIN funds_holds hold ON hold.account_id = campaign.advertiser_id AND hold.released_at IS NULL WHERE campaign.id = NEW.campaign_id);
  END IF;
  IF NEW.status = 'active' AND NOT on_hold THEN
    INSERT INTO channel_activations (line_item_id, channel, desired_state, desired_version, due_at)
      SELECT NEW.id, channel, 'active', NEW.approved_version, NEW.status_changed_at
      FROM campaign_versions version, unnest(version.channels) channel WHERE version.campaign_id = NEW.campaign_id AND version.number = NEW.approved_version
      ORDER BY channel
      ON CONFLICT (line_item_id, channel) DO UPDATE SET desired_state = 'active', desired_version = excluded.desired_version, failures = 0, due_at = excluded.due_at;
  END IF;
  UPDATE channel_activations SET desired_state = 'paused', failures = 0, due_at = NEW.status_changed_at
    WHERE line_item_id = NEW.id AND desired_state = 'active' AND (NEW.status <> 'active' OR on_hold OR desired_version <> NEW.approved_version);
  RETURN NULL;
END $$;
--> statement-breakpoint
ALTER FUNCTION order_channels_by_funds() RENAME TO request_activations_by_funds;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION request_activations_by_funds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.released_at IS NULL THEN
    UPDATE channel_activations SET desired_state = 'paused', failures = 0, due_at = NEW.held_at
      WHERE desired_state = 'active' AND line_item_id IN (SELECT item.id FROM campaigns campaign JOIN line_items item ON item.campaign_id = campaign.id WHERE campaign.advertiser_id = NEW.account_id);
  ELSE
    INSERT INTO channel_activations (line_item_id, channel, desired_state, desired_version, due_at)
      SELECT item.id, channel, 'active', item.approved_version, NEW.released_at
      FROM campaigns campaign JOIN line_items item ON item.campaign_id = campaign.id AND item.status = 'active'
      JOIN campaign_versions version ON version.campaign_id = campaign.id AND version.number = item.approved_version, unnest(version.channels) channel
      WHERE campaign.advertiser_id = NEW.account_id ORDER BY item.id, channel
      ON CONFLICT (line_item_id, channel) DO UPDATE SET desired_state = 'active', desired_version = excluded.desired_version, failures = 0, due_at = excluded.due_at;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
ALTER FUNCTION look_at_channel_audiences() RENAME TO reschedule_channel_audiences;
--> statement-breakpoint
ALTER FUNCTION book_ledger_entries() RENAME TO apply_ledger_entries;
--> statement-breakpoint
ALTER FUNCTION keep_what_was_paid() RENAME TO protect_paid_shares;
--> statement-breakpoint
ALTER FUNCTION wait_for_funds() RENAME TO start_funds_hold;
--> statement-breakpoint

-- Triggers. Those on line_items still come before the ones that record runs: PostgreSQL fires them in the order of their names.
ALTER TRIGGER line_items_order_inserted ON line_items RENAME TO line_items_activations_inserted;
--> statement-breakpoint
ALTER TRIGGER line_items_order_updated ON line_items RENAME TO line_items_activations_updated;
--> statement-breakpoint
ALTER TRIGGER funds_holds_order_channels ON funds_holds RENAME TO funds_holds_request_activations;
--> statement-breakpoint
ALTER TRIGGER audiences_look_at_channels ON audiences RENAME TO audiences_reschedule_channels;
--> statement-breakpoint
ALTER TRIGGER accounts_wait_for_funds ON accounts RENAME TO accounts_start_funds_hold;
--> statement-breakpoint
ALTER TRIGGER payments_taken_back_are_kept ON payment_reversals RENAME TO payment_reversals_are_kept;
--> statement-breakpoint
ALTER TRIGGER netted_plans_are_fixed ON plan_offsets RENAME TO plan_offsets_are_fixed;
--> statement-breakpoint
ALTER TRIGGER netted_plans_are_kept ON plan_offsets RENAME TO plan_offsets_are_kept;
--> statement-breakpoint

-- PostgreSQL 18 names the constraints of columns that are not null, after the table and the column that they were made for.
DO $$
DECLARE found record;
BEGIN
  FOR found IN
    SELECT named.conrelid::regclass AS relation, named.conname AS old, left(relation.relname || '_' || attribute.attname || '_not_null', 63) AS new
    FROM pg_constraint named JOIN pg_class relation ON relation.oid = named.conrelid
    JOIN pg_attribute attribute ON attribute.attrelid = named.conrelid AND attribute.attnum = named.conkey[1]
    WHERE named.contype = 'n' AND relation.relnamespace = 'public'::regnamespace
  LOOP
    IF found.old <> found.new THEN EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', found.relation, found.old, found.new); END IF;
  END LOOP;
END $$;
--> statement-breakpoint

-- Why a request to a server of somebody else's failed: one set of words for all six tables.
ALTER TABLE audience_connections DROP CONSTRAINT audience_connections_problem;
--> statement-breakpoint
UPDATE audience_connections changed SET problem = code.new FROM (VALUES ('refused', 'invalid_credentials'), ('not_allowed', 'missing_scope'), ('unknown_list', 'list_not_found'), ('busy', 'rate_limited'), ('unreadable', 'unexpected_response'), ('sealed', 'cannot_decrypt')) code (old, new) WHERE changed.problem = code.old;
--> statement-breakpoint
ALTER TABLE audience_connections ADD CONSTRAINT audience_connections_problem CHECK (problem IN ('invalid_credentials', 'missing_scope', 'list_not_found', 'rate_limited', 'unreachable', 'unexpected_response', 'cannot_decrypt'));
--> statement-breakpoint
ALTER TABLE product_stores DROP CONSTRAINT product_stores_problem;
--> statement-breakpoint
UPDATE product_stores changed SET problem = code.new FROM (VALUES ('refused', 'invalid_credentials'), ('not_allowed', 'missing_scope'), ('not_a_shop', 'store_not_found'), ('other_currency', 'unsupported_currency'), ('busy', 'rate_limited'), ('unreadable', 'unexpected_response'), ('sealed', 'cannot_decrypt')) code (old, new) WHERE changed.problem = code.old;
--> statement-breakpoint
ALTER TABLE product_stores ADD CONSTRAINT product_stores_problem CHECK (problem IN ('invalid_credentials', 'missing_scope', 'store_not_found', 'unsupported_currency', 'rate_limited', 'unreachable', 'unexpected_response', 'cannot_decrypt'));
--> statement-breakpoint
ALTER TABLE channel_connections DROP CONSTRAINT channel_connections_problem;
--> statement-breakpoint
UPDATE channel_connections changed SET problem = code.new FROM (VALUES ('refused', 'invalid_credentials'), ('not_allowed', 'missing_scope'), ('other_currency', 'unsupported_currency'), ('busy', 'rate_limited'), ('unreadable', 'unexpected_response'), ('missing', 'not_found'), ('sealed', 'cannot_decrypt')) code (old, new) WHERE changed.problem = code.old;
--> statement-breakpoint
ALTER TABLE channel_connections ADD CONSTRAINT channel_connections_problem CHECK (problem IN ('waiting', 'invalid_credentials', 'missing_scope', 'rate_limited', 'unreachable', 'unexpected_response', 'rejected', 'not_found', 'cannot_decrypt', 'unsupported_currency'));
--> statement-breakpoint
ALTER TABLE channel_audiences DROP CONSTRAINT channel_audiences_problem;
--> statement-breakpoint
UPDATE channel_audiences changed SET problem = code.new FROM (VALUES ('refused', 'invalid_credentials'), ('not_allowed', 'missing_scope'), ('other_currency', 'unsupported_currency'), ('busy', 'rate_limited'), ('unreadable', 'unexpected_response'), ('missing', 'not_found'), ('sealed', 'cannot_decrypt')) code (old, new) WHERE changed.problem = code.old;
--> statement-breakpoint
ALTER TABLE channel_audiences ADD CONSTRAINT channel_audiences_problem CHECK (problem IN ('waiting', 'invalid_credentials', 'missing_scope', 'rate_limited', 'unreachable', 'unexpected_response', 'rejected', 'not_found', 'cannot_decrypt', 'unsupported_currency'));
--> statement-breakpoint
ALTER TABLE channel_collections DROP CONSTRAINT channel_collections_problem;
--> statement-breakpoint
UPDATE channel_collections changed SET problem = code.new FROM (VALUES ('refused', 'invalid_credentials'), ('not_allowed', 'missing_scope'), ('other_currency', 'unsupported_currency'), ('busy', 'rate_limited'), ('unreadable', 'unexpected_response'), ('missing', 'not_found'), ('sealed', 'cannot_decrypt')) code (old, new) WHERE changed.problem = code.old;
--> statement-breakpoint
ALTER TABLE channel_collections ADD CONSTRAINT channel_collections_problem CHECK (problem IN ('waiting', 'invalid_credentials', 'missing_scope', 'rate_limited', 'unreachable', 'unexpected_response', 'rejected', 'not_found', 'cannot_decrypt', 'unsupported_currency'));
--> statement-breakpoint
ALTER TABLE channel_activations DROP CONSTRAINT channel_activations_problem;
--> statement-breakpoint
UPDATE channel_activations changed SET problem = code.new FROM (VALUES ('refused', 'invalid_credentials'), ('not_allowed', 'missing_scope'), ('other_currency', 'unsupported_currency'), ('busy', 'rate_limited'), ('unreadable', 'unexpected_response'), ('missing', 'not_found'), ('sealed', 'cannot_decrypt')) code (old, new) WHERE changed.problem = code.old;
--> statement-breakpoint
ALTER TABLE channel_activations ADD CONSTRAINT channel_activations_problem CHECK (problem IN ('waiting', 'invalid_credentials', 'missing_scope', 'rate_limited', 'unreachable', 'unexpected_response', 'rejected', 'not_found', 'cannot_decrypt', 'unsupported_currency'));
--> statement-breakpoint

-- States of an account at Stripe, and of mails.
ALTER TABLE connected_accounts DROP CONSTRAINT connected_accounts_state;
--> statement-breakpoint
UPDATE connected_accounts changed SET state = code.new FROM (VALUES ('needs_more', 'information_needed'), ('checking', 'pending_verification'), ('ready', 'enabled')) code (old, new) WHERE changed.state = code.old;
--> statement-breakpoint
ALTER TABLE connected_accounts ADD CONSTRAINT connected_accounts_state CHECK (state IN ('information_needed', 'pending_verification', 'enabled', 'disabled'));
--> statement-breakpoint
ALTER TABLE mails DROP CONSTRAINT mails_gathered;
--> statement-breakpoint
DROP INDEX mails_gathering;
--> statement-breakpoint
DROP INDEX mails_unsent;
--> statement-breakpoint
ALTER TABLE mails DROP CONSTRAINT mails_state;
--> statement-breakpoint
UPDATE mails changed SET state = code.new FROM (VALUES ('gathering', 'awaiting_digest'), ('gathered', 'in_digest'), ('kept', 'suppressed'), ('parked', 'failed')) code (old, new) WHERE changed.state = code.old;
--> statement-breakpoint
ALTER TABLE mails ADD CONSTRAINT mails_state CHECK (state IN ('waiting', 'awaiting_digest', 'in_digest', 'sending', 'sent', 'suppressed', 'failed'));
--> statement-breakpoint
ALTER TABLE mails ADD CONSTRAINT mails_in_digest CHECK ((state = 'in_digest') = coalesce(digest_id <> id, false));
--> statement-breakpoint
CREATE INDEX mails_awaiting_digest ON mails USING btree (user_id, id) WHERE state = 'awaiting_digest';
--> statement-breakpoint
CREATE INDEX mails_unsent ON mails USING btree (state, id) WHERE state IN ('waiting', 'sending', 'failed');
--> statement-breakpoint
ALTER TABLE mail_settings DROP CONSTRAINT mail_settings_delivery;
--> statement-breakpoint
UPDATE mail_settings changed SET delivery = code.new FROM (VALUES ('at_once', 'immediate')) code (old, new) WHERE changed.delivery = code.old;
--> statement-breakpoint
ALTER TABLE mail_settings ADD CONSTRAINT mail_settings_delivery CHECK (delivery IN ('immediate', 'daily'));
--> statement-breakpoint
ALTER TABLE mail_settings ALTER COLUMN delivery SET DEFAULT 'immediate';
--> statement-breakpoint

-- Notifications.
ALTER TABLE mail_settings DROP CONSTRAINT mail_settings_muted;
--> statement-breakpoint
UPDATE mail_settings SET muted = array_replace(muted, 'payment_taken_back', 'payment_reversed') WHERE 'payment_taken_back' = ANY (muted);
--> statement-breakpoint
ALTER TABLE mail_settings ADD CONSTRAINT mail_settings_muted CHECK (muted <@ ARRAY['account_registered', 'account_approved', 'account_suspended', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended', 'payment_reversed', 'payment_reinstated']::text[]);
--> statement-breakpoint
ALTER TABLE notifications DROP CONSTRAINT notifications_event;
--> statement-breakpoint
UPDATE notifications changed SET event = code.new FROM (VALUES ('payment_taken_back', 'payment_reversed')) code (old, new) WHERE changed.event = code.old;
--> statement-breakpoint
ALTER TABLE notifications ADD CONSTRAINT notifications_event CHECK (event IN ('account_registered', 'account_approved', 'account_suspended', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended', 'payment_reversed', 'payment_reinstated'));
--> statement-breakpoint

-- Events of the ledger. A transaction holds its event in its key and in the hash of its legs too, which stop the same event from being
-- posted twice, so the three change together. Rows of the ledger never change otherwise: only the owner of the tables can do this.
ALTER TABLE ledger_transactions DISABLE TRIGGER ledger_transactions_are_kept;
--> statement-breakpoint
ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind;
--> statement-breakpoint
UPDATE ledger_transactions posted SET event = code.new, event_key = code.new || substr(posted.event_key, length(code.old) + 1),
  legs_hash = encode(sha256(convert_to(code.new || (
    SELECT string_agg(E'\n' || account.kind || ' ' || coalesce(account.owner_id::text, '') || ' ' || entry.amount_cents, '' ORDER BY entry.number)
    FROM ledger_entries entry JOIN ledger_accounts account ON account.id = entry.account_id WHERE entry.transaction_id = posted.id
  ), 'UTF8')), 'hex')
  FROM (VALUES ('debt_paid', 'receivable_settled'), ('payment_taken_back', 'payment_reversed')) code (old, new)
  WHERE posted.event = code.old;
--> statement-breakpoint
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_kind CHECK (event IN ('campaign_spend', 'top_up', 'receivable_settled', 'invoice_paid', 'refund', 'payout_started', 'payout_settled', 'payout_failed', 'payout_returned', 'subscription', 'payment_reversed', 'payment_reinstated'));
--> statement-breakpoint
ALTER TABLE ledger_transactions ENABLE TRIGGER ledger_transactions_are_kept;
