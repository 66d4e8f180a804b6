CREATE TABLE "ledger_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"owner_id" uuid,
	"balance_cents" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "ledger_accounts_owner" UNIQUE NULLS NOT DISTINCT("owner_id","kind"),
	CONSTRAINT "ledger_accounts_kind" CHECK ("kind" in ('cash', 'advertiser_wallet', 'advertiser_receivable', 'publisher_payable', 'in_transit', 'platform_fee', 'subscription_revenue')),
	CONSTRAINT "ledger_accounts_owned" CHECK ((kind in ('advertiser_wallet', 'advertiser_receivable', 'publisher_payable')) = (owner_id is not null)),
	CONSTRAINT "ledger_accounts_limits" CHECK (case "ledger_accounts"."kind" when 'advertiser_wallet' then "ledger_accounts"."balance_cents" <= 0 when 'advertiser_receivable' then "ledger_accounts"."balance_cents" >= 0 else true end)
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"transaction_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"account_id" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	CONSTRAINT "ledger_entries_transaction_id_number_pk" PRIMARY KEY("transaction_id","number"),
	CONSTRAINT "ledger_entries_amount" CHECK ("ledger_entries"."amount_cents" <> 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event" text NOT NULL,
	"event_key" text NOT NULL,
	"legs_hash" text NOT NULL,
	"posted_at" timestamp (3) with time zone NOT NULL,
	"written_in" bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
	CONSTRAINT "ledger_transactions_event" UNIQUE("event_key"),
	CONSTRAINT "ledger_transactions_kind" CHECK ("event" in ('campaign_spend')),
	CONSTRAINT "ledger_transactions_hash" CHECK ("ledger_transactions"."legs_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "line_item_settlements" (
	"line_item_id" uuid PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL,
	"settled_through" date NOT NULL,
	"spend_micros" bigint NOT NULL,
	"spend_cents" bigint NOT NULL,
	"earnings_cents" bigint NOT NULL,
	CONSTRAINT "line_item_settlements_numbers" CHECK ("line_item_settlements"."revision" > 0 and "line_item_settlements"."earnings_cents" between 0 and "line_item_settlements"."spend_cents" and "line_item_settlements"."spend_cents" = "line_item_settlements"."spend_micros" / 10000),
	CONSTRAINT "line_item_settlements_day" CHECK (isfinite("line_item_settlements"."settled_through"))
);
--> statement-breakpoint
CREATE TABLE "revenue_shares" (
	"id" uuid PRIMARY KEY NOT NULL,
	"publisher_id" uuid NOT NULL,
	"line_item_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"settled_through" date NOT NULL,
	"spend_cents" bigint NOT NULL,
	"earnings_cents" bigint NOT NULL,
	"fee_cents" bigint NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"ledger_transaction_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "revenue_shares_settlement" UNIQUE("line_item_id","revision"),
	CONSTRAINT "revenue_shares_status" CHECK ("status" in ('pending', 'paid')),
	CONSTRAINT "revenue_shares_sum" CHECK ("revenue_shares"."spend_cents" = "revenue_shares"."earnings_cents" + "revenue_shares"."fee_cents"),
	CONSTRAINT "revenue_shares_numbers" CHECK ("revenue_shares"."revision" > 0 and isfinite("revenue_shares"."settled_through"))
);
--> statement-breakpoint
CREATE TABLE "transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"description" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"ledger_transaction_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transactions_once" UNIQUE("ledger_transaction_id","account_id"),
	CONSTRAINT "transactions_type" CHECK ("type" in ('campaign_spend', 'refund', 'top_up', 'subscription', 'payout', 'adjustment')),
	CONSTRAINT "transactions_status" CHECK ("status" in ('pending', 'succeeded', 'failed', 'canceled')),
	CONSTRAINT "transactions_ledger" CHECK (("transactions"."status" = 'succeeded') = ("transactions"."ledger_transaction_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_owner_id_accounts_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account_id_ledger_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_item_settlements" ADD CONSTRAINT "line_item_settlements_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD CONSTRAINT "revenue_shares_ledger_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("ledger_transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD CONSTRAINT "revenue_shares_line_item" FOREIGN KEY ("line_item_id","publisher_id") REFERENCES "public"."line_items"("id","publisher_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_ledger_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("ledger_transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "revenue_shares_publisher" ON "revenue_shares" USING btree ("publisher_id","id");--> statement-breakpoint
CREATE INDEX "transactions_account" ON "transactions" USING btree ("account_id","id");--> statement-breakpoint
-- At the commit each transaction of the ledger has at least two entries, and they sum to zero.
CREATE FUNCTION check_ledger_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) < 2 OR sum(amount_cents) <> 0 FROM ledger_entries WHERE transaction_id = NEW.id) THEN
    RAISE EXCEPTION 'the entries of a transaction are at least two and sum to zero' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_transactions_balance AFTER INSERT ON ledger_transactions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_ledger_transaction();
--> statement-breakpoint
-- Entries come with their transaction, never later.
CREATE FUNCTION refuse_late_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM come JOIN ledger_transactions posted ON posted.id = come.transaction_id WHERE posted.written_in <> pg_current_xact_id()::text::bigint) THEN
    RAISE EXCEPTION 'an entry comes with its transaction' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_in_time AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION refuse_late_entries();
--> statement-breakpoint
-- Each entry moves its account's balance, the accounts in one order for all who post.
CREATE FUNCTION book_ledger_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM ledger_accounts WHERE id IN (SELECT account_id FROM come) ORDER BY id FOR NO KEY UPDATE;
  UPDATE ledger_accounts account SET balance_cents = account.balance_cents + part.cents
    FROM (SELECT account_id, sum(amount_cents)::bigint AS cents FROM come GROUP BY 1) part WHERE account.id = part.account_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_booked AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION book_ledger_entries();
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_begin_empty BEFORE INSERT ON ledger_accounts FOR EACH ROW WHEN (NEW.balance_cents <> 0) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_are_booked BEFORE UPDATE ON ledger_accounts FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_are_kept BEFORE DELETE ON ledger_accounts FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_are_kept BEFORE UPDATE OR DELETE ON ledger_transactions FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_entries_are_kept BEFORE UPDATE OR DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_entries_are_not_emptied BEFORE TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER revenue_shares_are_fixed BEFORE UPDATE OF id, publisher_id, line_item_id, revision, settled_through, spend_cents, earnings_cents, fee_cents, ledger_transaction_id, created_at
  ON revenue_shares FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER revenue_shares_are_kept BEFORE DELETE ON revenue_shares FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER transactions_are_fixed BEFORE UPDATE OF id, account_id, type, description, amount_cents, created_at ON transactions FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER transactions_are_kept BEFORE DELETE ON transactions FOR EACH ROW EXECUTE FUNCTION refuse_change();
