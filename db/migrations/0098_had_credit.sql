ALTER TABLE "accounts" ADD COLUMN "had_credit" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Whose credit limit was withdrawn before, and who owes what was spent on it.
-- bounded: advertisers that owe money and had a credit limit.
UPDATE accounts SET had_credit = true
WHERE type = 'advertiser'
  AND EXISTS (SELECT FROM ledger_accounts debt WHERE debt.owner_id = accounts.id AND debt.kind = 'advertiser_receivable' AND debt.balance_cents > 0)
  AND EXISTS (SELECT FROM audit_entries entry WHERE entry.account_id = accounts.id AND entry.action = 'account.credit_limit_set');
