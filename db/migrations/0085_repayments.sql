CREATE TABLE "repayments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"publisher_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"ledger_transaction_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "repayments_reference" UNIQUE("reference"),
	CONSTRAINT "repayments_publisher" UNIQUE("publisher_id","id"),
	CONSTRAINT "repayments_amount" CHECK ("repayments"."amount_cents" > 0),
	CONSTRAINT "repayments_named" CHECK ("repayments"."reference" <> '')
);
--> statement-breakpoint
CREATE TRIGGER repayments_are_kept BEFORE UPDATE OR DELETE ON repayments FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- In the order in which a payout writes these tables.
ALTER TABLE "payout_lines" DROP CONSTRAINT "payout_lines_one";--> statement-breakpoint
ALTER TABLE "payout_lines" ADD COLUMN "repayment_id" uuid;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_repayment" FOREIGN KEY ("publisher_id","repayment_id") REFERENCES "public"."repayments"("publisher_id","id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_one" CHECK (num_nonnulls("payout_lines"."revenue_share_id", "payout_lines"."plan_offset_id", "payout_lines"."repayment_id") = 1) NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("event" in ('campaign_spend', 'top_up', 'receivable_settled', 'invoice_paid', 'refund', 'payout_started', 'payout_settled', 'payout_failed', 'payout_returned', 'repayment', 'subscription', 'payment_reversed', 'payment_reinstated')) NOT VALID;--> statement-breakpoint
ALTER TABLE "repayments" ADD CONSTRAINT "repayments_publisher_id_accounts_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repayments" ADD CONSTRAINT "repayments_ledger_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("ledger_transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;
