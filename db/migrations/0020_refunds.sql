CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"line_item_id" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	"earnings_cents" bigint NOT NULL,
	"ledger_transaction_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refunds_numbers" CHECK ("refunds"."amount_cents" > 0 and "refunds"."earnings_cents" between 0 and "refunds"."amount_cents")
);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "revenue_shares" ALTER COLUMN "revision" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD COLUMN "refund_id" uuid;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_ledger_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("ledger_transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refunds_line_item" ON "refunds" USING btree ("line_item_id");--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD CONSTRAINT "revenue_shares_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD CONSTRAINT "revenue_shares_refund" UNIQUE("refund_id");--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("event" in ('campaign_spend', 'top_up', 'debt_paid', 'refund', 'payout_started', 'payout_settled', 'payout_failed'));--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD CONSTRAINT "revenue_shares_reason" CHECK (("revenue_shares"."revision" is null) = ("revenue_shares"."refund_id" is not null));
--> statement-breakpoint
-- A refund is a record, and so is that a share came of it.
CREATE TRIGGER refunds_are_kept BEFORE UPDATE OR DELETE ON refunds FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
DROP TRIGGER revenue_shares_are_fixed ON revenue_shares;
--> statement-breakpoint
CREATE TRIGGER revenue_shares_are_fixed BEFORE UPDATE OF id, publisher_id, line_item_id, revision, refund_id, settled_through, spend_cents, earnings_cents, fee_cents, ledger_transaction_id, created_at
  ON revenue_shares FOR EACH ROW EXECUTE FUNCTION refuse_change();
