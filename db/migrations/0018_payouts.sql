CREATE TABLE "payout_lines" (
	"payout_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"publisher_id" uuid NOT NULL,
	"revenue_share_id" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	CONSTRAINT "payout_lines_payout_id_number_pk" PRIMARY KEY("payout_id","number"),
	CONSTRAINT "payout_lines_once" UNIQUE("payout_id","revenue_share_id")
);
--> statement-breakpoint
CREATE TABLE "payout_accounts" (
	"publisher_id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"token" text NOT NULL,
	"bank" text NOT NULL,
	"last_four" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_accounts_provider" CHECK ("provider" in ('sandbox')),
	CONSTRAINT "payout_accounts_last_four" CHECK ("payout_accounts"."last_four" ~ '^[0-9]{4}$')
);
--> statement-breakpoint
CREATE TABLE "payout_runs" (
	"month" date PRIMARY KEY NOT NULL,
	"ran_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"publisher_id" uuid NOT NULL,
	"status" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"scheduled_for" date,
	"provider" text NOT NULL,
	"token" text NOT NULL,
	"bank" text NOT NULL,
	"last_four" text NOT NULL,
	"reference" text,
	"failure" text,
	"due_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "payouts_publisher" UNIQUE("publisher_id","id"),
	CONSTRAINT "payouts_of_month" UNIQUE("publisher_id","scheduled_for"),
	CONSTRAINT "payouts_status" CHECK ("status" in ('pending', 'in_transit', 'paid', 'failed')),
	CONSTRAINT "payouts_provider" CHECK ("provider" in ('sandbox')),
	CONSTRAINT "payouts_amount" CHECK ("payouts"."amount_cents" > 0),
	CONSTRAINT "payouts_facts" CHECK (("payouts"."ended_at" is not null) = ("payouts"."status" in ('paid', 'failed')) and ("payouts"."failure" is not null) = ("payouts"."status" = 'failed')
        and ("payouts"."due_at" is null) = ("payouts"."status" in ('paid', 'failed')) and ("payouts"."reference" is not null or "payouts"."status" in ('pending', 'failed')))
);
--> statement-breakpoint
CREATE TABLE "sandbox_transfers" (
	"payout_id" uuid PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
DROP INDEX "revenue_shares_publisher";--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD CONSTRAINT "revenue_shares_publisher" UNIQUE("publisher_id","id");--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD COLUMN "payout_id" uuid;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "payout_id" uuid;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_payout" FOREIGN KEY ("publisher_id","payout_id") REFERENCES "public"."payouts"("publisher_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_share" FOREIGN KEY ("publisher_id","revenue_share_id") REFERENCES "public"."revenue_shares"("publisher_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_accounts" ADD CONSTRAINT "payout_accounts_publisher_id_accounts_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_publisher_id_accounts_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_in_flight" ON "payouts" USING btree ("publisher_id") WHERE status in ('pending', 'in_transit');--> statement-breakpoint
CREATE INDEX "payouts_due" ON "payouts" USING btree ("due_at") WHERE "payouts"."due_at" is not null;--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD CONSTRAINT "revenue_shares_payout" FOREIGN KEY ("publisher_id","payout_id") REFERENCES "public"."payouts"("publisher_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_payout_owner" FOREIGN KEY ("account_id","payout_id") REFERENCES "public"."payouts"("publisher_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "revenue_shares_free" ON "revenue_shares" USING btree ("publisher_id","settled_through") WHERE "revenue_shares"."payout_id" is null;--> statement-breakpoint
CREATE INDEX "revenue_shares_of_payout" ON "revenue_shares" USING btree ("payout_id") WHERE "revenue_shares"."payout_id" is not null;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_payout" UNIQUE("payout_id");--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("event" in ('campaign_spend', 'top_up', 'debt_paid', 'payout_started', 'payout_settled', 'payout_failed'));--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD CONSTRAINT "revenue_shares_paid" CHECK ("revenue_shares"."status" <> 'paid' or "revenue_shares"."payout_id" is not null);
--> statement-breakpoint
-- What a payout pays stays as it was written.
CREATE TRIGGER payout_lines_are_kept BEFORE UPDATE OR DELETE ON payout_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER payouts_are_fixed BEFORE UPDATE OF id, publisher_id, amount_cents, scheduled_for, provider, token, bank, last_four, created_at ON payouts FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- What arrived or came back has ended, and what was paid stays paid.
CREATE TRIGGER payouts_end_once BEFORE UPDATE ON payouts FOR EACH ROW WHEN (OLD.ended_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER revenue_shares_stay_paid BEFORE UPDATE ON revenue_shares FOR EACH ROW WHEN (OLD.status = 'paid') EXECUTE FUNCTION refuse_change();
