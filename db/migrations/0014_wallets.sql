CREATE TABLE "funds_holds" (
	"account_id" uuid NOT NULL,
	"held_at" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "funds_holds_order" CHECK ("funds_holds"."released_at" >= "funds_holds"."held_at")
);
--> statement-breakpoint
CREATE TABLE "top_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"payment_method_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"status" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"payment_id" text,
	"confirm_url" text,
	"failure" text,
	"return_path" text NOT NULL,
	"answer" text,
	"transaction_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	CONSTRAINT "top_ups_transaction" UNIQUE("transaction_id"),
	CONSTRAINT "top_ups_once" UNIQUE("account_id","idempotency_key"),
	CONSTRAINT "top_ups_payment" UNIQUE("payment_id"),
	CONSTRAINT "top_ups_provider" CHECK ("provider" in ('sandbox', 'stripe')),
	CONSTRAINT "top_ups_status" CHECK ("status" in ('pending', 'needs_confirmation', 'succeeded', 'failed', 'canceled')),
	CONSTRAINT "top_ups_amount" CHECK (amount_cents between 1000 and 10000000),
	CONSTRAINT "top_ups_open" CHECK (("top_ups"."status" in ('pending', 'needs_confirmation')) = ("top_ups"."due_at" is not null) and ("top_ups"."status" <> 'succeeded' or "top_ups"."payment_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "credit_limit_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "funds_holds" ADD CONSTRAINT "funds_holds_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_method" FOREIGN KEY ("account_id","payment_method_id") REFERENCES "public"."payment_methods"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "funds_holds_open" ON "funds_holds" USING btree ("account_id") WHERE "funds_holds"."released_at" is null;--> statement-breakpoint
CREATE INDEX "funds_holds_account" ON "funds_holds" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "top_ups_due" ON "top_ups" USING btree ("due_at") WHERE "top_ups"."due_at" is not null;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_credit_limit" CHECK ("accounts"."credit_limit_cents" between 0 and case when "accounts"."type" = 'advertiser' then 1000000000 else 0 end);--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("event" in ('campaign_spend', 'top_up', 'debt_paid'));
--> statement-breakpoint
-- An advertiser waits for funds from the beginning. (Those of before are looked at by the job.)
CREATE FUNCTION wait_for_funds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO funds_holds (account_id, held_at) VALUES (NEW.id, NEW.created_at);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER accounts_wait_for_funds AFTER INSERT ON accounts FOR EACH ROW WHEN (NEW.type = 'advertiser') EXECUTE FUNCTION wait_for_funds();
--> statement-breakpoint
INSERT INTO funds_holds (account_id, held_at, released_at) SELECT id, created_at, created_at FROM accounts WHERE type = 'advertiser';
--> statement-breakpoint
-- What a line item wants of its channels follows from its state, its approved version and its advertiser's funds, in the transaction that
-- changes them. The advertiser is locked first, so that a hold that begins or ends at the same time sees the line item, or is seen.
CREATE OR REPLACE FUNCTION order_channels() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE waits boolean := false;
BEGIN
  IF NEW.status = 'active' THEN
    PERFORM FROM campaigns campaign JOIN accounts owner ON owner.id = campaign.advertiser_id WHERE campaign.id = NEW.campaign_id FOR SHARE OF owner;
    waits := EXISTS (SELECT FROM campaigns campaign JOIN funds_holds hold ON hold.account_id = campaign.advertiser_id AND hold.released_at IS NULL WHERE campaign.id = NEW.campaign_id);
  END IF;
  IF NEW.status = 'active' AND NOT waits THEN
    INSERT INTO channel_orders (line_item_id, channel, wanted, wanted_version, due_at)
      SELECT NEW.id, channel, 'active', NEW.approved_version, NEW.changed_at
      FROM campaign_versions version, unnest(version.channels) channel WHERE version.campaign_id = NEW.campaign_id AND version.number = NEW.approved_version
      ORDER BY channel
      ON CONFLICT (line_item_id, channel) DO UPDATE SET wanted = 'active', wanted_version = excluded.wanted_version, failures = 0, due_at = excluded.due_at;
  END IF;
  UPDATE channel_orders SET wanted = 'paused', failures = 0, due_at = NEW.changed_at
    WHERE line_item_id = NEW.id AND wanted = 'active' AND (NEW.status <> 'active' OR waits OR wanted_version <> NEW.approved_version);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION order_channels_by_funds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.released_at IS NULL THEN
    UPDATE channel_orders SET wanted = 'paused', failures = 0, due_at = NEW.held_at
      WHERE wanted = 'active' AND line_item_id IN (SELECT item.id FROM campaigns campaign JOIN line_items item ON item.campaign_id = campaign.id WHERE campaign.advertiser_id = NEW.account_id);
  ELSE
    INSERT INTO channel_orders (line_item_id, channel, wanted, wanted_version, due_at)
      SELECT item.id, channel, 'active', item.approved_version, NEW.released_at
      FROM campaigns campaign JOIN line_items item ON item.campaign_id = campaign.id AND item.status = 'active'
      JOIN campaign_versions version ON version.campaign_id = campaign.id AND version.number = item.approved_version, unnest(version.channels) channel
      WHERE campaign.advertiser_id = NEW.account_id ORDER BY item.id, channel
      ON CONFLICT (line_item_id, channel) DO UPDATE SET wanted = 'active', wanted_version = excluded.wanted_version, failures = 0, due_at = excluded.due_at;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER funds_holds_order_channels AFTER INSERT OR UPDATE OF released_at ON funds_holds FOR EACH ROW EXECUTE FUNCTION order_channels_by_funds();
