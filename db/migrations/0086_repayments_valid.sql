-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payout_lines_of_repayment" ON "payout_lines" USING btree ("repayment_id") WHERE "payout_lines"."repayment_id" is not null;--> statement-breakpoint
ALTER TABLE "payout_lines" VALIDATE CONSTRAINT "payout_lines_repayment";--> statement-breakpoint
ALTER TABLE "payout_lines" VALIDATE CONSTRAINT "payout_lines_one";--> statement-breakpoint
ALTER TABLE "ledger_transactions" VALIDATE CONSTRAINT "ledger_transactions_kind";
