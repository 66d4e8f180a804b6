ALTER TABLE "repayments" ADD COLUMN "occurrence" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "repayments" ADD COLUMN "reverses_id" uuid;--> statement-breakpoint
-- Whoever records a repayment holds the lock of cash, also before the index of the next migration exists.
ALTER TABLE "repayments" DROP CONSTRAINT "repayments_reference";--> statement-breakpoint
ALTER TABLE "repayments" DROP CONSTRAINT "repayments_amount";--> statement-breakpoint
ALTER TABLE "repayments" ADD CONSTRAINT "repayments_amount" CHECK ("repayments"."amount_cents" <> 0 and ("repayments"."amount_cents" < 0) = ("repayments"."reverses_id" is not null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "repayments" ADD CONSTRAINT "repayments_occurrence" CHECK ("repayments"."occurrence" > 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "repayments" ADD CONSTRAINT "repayments_reversal" FOREIGN KEY ("publisher_id","reverses_id") REFERENCES "public"."repayments"("publisher_id","id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("event" in ('campaign_spend', 'top_up', 'receivable_settled', 'invoice_paid', 'refund', 'payout_started', 'payout_settled', 'payout_failed', 'payout_returned', 'repayment', 'repayment_reversed', 'subscription', 'payment_reversed', 'payment_reinstated')) NOT VALID;
