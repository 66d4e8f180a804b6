-- outside a transaction
ALTER TABLE "ledger_transactions" VALIDATE CONSTRAINT "ledger_transactions_kind";