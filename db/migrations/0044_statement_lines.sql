-- What statements read, so that they need not sum all entries of an account (docs/decisions/0109).
CREATE TABLE "ledger_account_months" (
	"account_id" uuid NOT NULL,
	"month" date NOT NULL,
	"amount_cents" bigint NOT NULL,
	CONSTRAINT "ledger_account_months_pk" PRIMARY KEY("account_id","month")
);
--> statement-breakpoint
CREATE TABLE "statement_lines" (
	"owner_id" uuid NOT NULL,
	"posted_at" timestamp (3) with time zone NOT NULL,
	"transaction_id" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	CONSTRAINT "statement_lines_pk" PRIMARY KEY("owner_id","posted_at","transaction_id")
);
--> statement-breakpoint

-- Adds entries to the lines and months of their account. Each is looked up by its key: a join would read all transactions of the ledger
-- for a settlement of many line items. Whoever posts has locked the account, so that its months are written by one at a time.
CREATE FUNCTION sum_statement_lines() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  WITH entries AS MATERIALIZED (
    SELECT entry.*, (SELECT posted_at FROM ledger_transactions posted WHERE posted.id = entry.transaction_id) AS posted_at
    FROM (SELECT come.*, (SELECT owner_id FROM ledger_accounts account WHERE account.id = come.account_id) AS owner_id FROM come) entry
    WHERE entry.owner_id IS NOT NULL
  ), months AS (
    INSERT INTO ledger_account_months AS kept (account_id, month, amount_cents)
    SELECT account_id, date_trunc('month', posted_at AT TIME ZONE 'UTC')::date, sum(amount_cents) FROM entries GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (account_id, month) DO UPDATE SET amount_cents = kept.amount_cents + excluded.amount_cents
  )
  INSERT INTO statement_lines AS kept (owner_id, posted_at, transaction_id, amount_cents)
  SELECT owner_id, posted_at, transaction_id, -sum(amount_cents) FROM entries GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (owner_id, posted_at, transaction_id) DO UPDATE SET amount_cents = kept.amount_cents + excluded.amount_cents;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- After ledger_entries_booked, which locks the accounts. It waits for transactions that have posted already: the next migration reads
-- their entries.
CREATE TRIGGER ledger_entries_stated AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_statement_lines();
--> statement-breakpoint

-- Writes the lines and months of older entries, an account in each transaction, under the locks of whoever posts to it. It may be
-- interrupted and repeated.
CREATE PROCEDURE fill_statement_lines() LANGUAGE plpgsql AS $$
DECLARE
  latest uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  LOOP
    latest := (SELECT owner_id FROM ledger_accounts WHERE owner_id > latest ORDER BY owner_id LIMIT 1);
    EXIT WHEN latest IS NULL;
    PERFORM FROM ledger_accounts WHERE owner_id = latest ORDER BY id FOR NO KEY UPDATE;
    DELETE FROM statement_lines WHERE owner_id = latest;
    DELETE FROM ledger_account_months WHERE account_id IN (SELECT id FROM ledger_accounts WHERE owner_id = latest);
    INSERT INTO statement_lines (owner_id, posted_at, transaction_id, amount_cents)
    SELECT account.owner_id, posted.posted_at, posted.id, -sum(entry.amount_cents)
    FROM ledger_accounts account JOIN ledger_entries entry ON entry.account_id = account.id JOIN ledger_transactions posted ON posted.id = entry.transaction_id
    WHERE account.owner_id = latest GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
    INSERT INTO ledger_account_months (account_id, month, amount_cents)
    SELECT account.id, date_trunc('month', posted.posted_at AT TIME ZONE 'UTC')::date, sum(entry.amount_cents)
    FROM ledger_accounts account JOIN ledger_entries entry ON entry.account_id = account.id JOIN ledger_transactions posted ON posted.id = entry.transaction_id
    WHERE account.owner_id = latest GROUP BY 1, 2 ORDER BY 1, 2;
    COMMIT;
  END LOOP;
END $$;
