-- outside a transaction
ALTER TABLE "repayments" VALIDATE CONSTRAINT "repayments_advertiser_id_accounts_id_fk";--> statement-breakpoint
ALTER TABLE "repayments" VALIDATE CONSTRAINT "repayments_reversed";--> statement-breakpoint
ALTER TABLE "repayments" VALIDATE CONSTRAINT "repayments_one";
