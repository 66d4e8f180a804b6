-- outside a transaction
ALTER TABLE "invoice_lines" VALIDATE CONSTRAINT "invoice_lines_adjusts";--> statement-breakpoint
ALTER TABLE "ledger_transactions" VALIDATE CONSTRAINT "ledger_transactions_adjusts";--> statement-breakpoint
ALTER TABLE "revenue_shares" VALIDATE CONSTRAINT "revenue_shares_adjusts";--> statement-breakpoint
ALTER TABLE "transactions" VALIDATE CONSTRAINT "transactions_adjusts";
