CREATE TABLE "connected_accounts" (
	"publisher_id" uuid PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"state" text NOT NULL,
	"due_by" timestamp (3) with time zone,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "connected_accounts_reference" UNIQUE("reference"),
	CONSTRAINT "connected_accounts_state" CHECK ("state" in ('needs_more', 'checking', 'ready', 'disabled'))
);
--> statement-breakpoint
CREATE TABLE "stripe_transfers" (
	"payout_id" uuid PRIMARY KEY NOT NULL,
	"attempt" smallint DEFAULT 0 NOT NULL,
	"transfer" text,
	"bank_payout" text,
	"failure" text,
	CONSTRAINT "stripe_transfers_transfer" UNIQUE("transfer"),
	CONSTRAINT "stripe_transfers_bank_payout" UNIQUE("bank_payout")
);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "payout_accounts" DROP CONSTRAINT "payout_accounts_provider";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_provider";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_facts";--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "returned_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "connected_accounts" ADD CONSTRAINT "connected_accounts_publisher_id_accounts_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stripe_transfers" ADD CONSTRAINT "stripe_transfers_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("event" in ('campaign_spend', 'top_up', 'debt_paid', 'invoice_paid', 'refund', 'payout_started', 'payout_settled', 'payout_failed', 'payout_returned', 'subscription', 'payment_taken_back', 'payment_reinstated'));--> statement-breakpoint
ALTER TABLE "payout_accounts" ADD CONSTRAINT "payout_accounts_provider" CHECK ("provider" in ('sandbox', 'stripe'));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_provider" CHECK ("provider" in ('sandbox', 'stripe'));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_facts" CHECK (("payouts"."ended_at" is not null) = ("payouts"."status" in ('paid', 'failed')) and ("payouts"."failure" is not null) = ("payouts"."status" = 'failed')
        and ("payouts"."due_at" is not null or "payouts"."status" in ('paid', 'failed')) and ("payouts"."due_at" is null or "payouts"."status" <> 'failed')
        and ("payouts"."returned_at" is null or "payouts"."status" = 'failed') and ("payouts"."reference" is not null or "payouts"."status" in ('pending', 'failed')));
--> statement-breakpoint
-- What arrived is looked at for a while, since a bank may send it back days later: then it comes back, once. Else it stays as it ended.
DROP TRIGGER payouts_end_once ON payouts;
--> statement-breakpoint
CREATE TRIGGER payouts_end_once BEFORE UPDATE ON payouts FOR EACH ROW WHEN (
  OLD.ended_at IS NOT NULL AND NOT (OLD.status = 'paid' AND (NEW.ended_at, NEW.reference) IS NOT DISTINCT FROM (OLD.ended_at, OLD.reference)
    AND (NEW.status = 'paid' OR NEW.returned_at IS NOT NULL))) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- What was paid stays paid, unless its payout came back: then it is free for another one.
CREATE FUNCTION keep_what_was_paid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'pending' AND NEW.payout_id IS NULL AND EXISTS (SELECT FROM payouts WHERE id = OLD.payout_id AND returned_at IS NOT NULL) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% rows that were paid stay paid', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
DROP TRIGGER revenue_shares_stay_paid ON revenue_shares;
--> statement-breakpoint
CREATE TRIGGER revenue_shares_stay_paid BEFORE UPDATE ON revenue_shares FOR EACH ROW WHEN (OLD.status = 'paid') EXECUTE FUNCTION keep_what_was_paid();
