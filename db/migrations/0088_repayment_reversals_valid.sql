-- outside a transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "repayments_recorded_once" ON "repayments" USING btree ("reference","occurrence") WHERE "repayments"."reverses_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "repayments_reversed_once" ON "repayments" USING btree ("reverses_id") WHERE "repayments"."reverses_id" is not null;--> statement-breakpoint
ALTER TABLE "repayments" VALIDATE CONSTRAINT "repayments_amount";--> statement-breakpoint
ALTER TABLE "repayments" VALIDATE CONSTRAINT "repayments_occurrence";--> statement-breakpoint
ALTER TABLE "repayments" VALIDATE CONSTRAINT "repayments_reversal";--> statement-breakpoint
ALTER TABLE "ledger_transactions" VALIDATE CONSTRAINT "ledger_transactions_kind";
