-- What an advertiser's total ad spend is read from, so that it need not be summed over all of its transactions (docs/decisions/0118).
CREATE TABLE "settled_spend" (
	"advertiser_id" uuid PRIMARY KEY NOT NULL,
	"cents" bigint NOT NULL
);
--> statement-breakpoint

-- Adds what succeeded of settled spend, and subtracts what no longer does: nothing else of a transaction changes, and none is deleted.
-- Whoever settles spend has locked the advertiser's ledger accounts, so that its row is written by one at a time.
CREATE FUNCTION sum_settled_spend() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  EXECUTE format(
    'INSERT INTO settled_spend AS kept (advertiser_id, cents)
     SELECT account_id, sum(sign * amount_cents)::bigint FROM (%s) changed WHERE type = ''campaign_spend'' AND status = ''succeeded''
     GROUP BY 1 HAVING sum(sign * amount_cents) <> 0 ORDER BY 1
     ON CONFLICT (advertiser_id) DO UPDATE SET cents = kept.cents + excluded.cents',
    CASE TG_OP WHEN 'INSERT' THEN 'SELECT 1 AS sign, * FROM come' ELSE 'SELECT 1 AS sign, * FROM come UNION ALL SELECT -1, * FROM gone' END);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- They wait for transactions that have written such rows already: the next migration sums those.
CREATE TRIGGER transactions_settled_insert AFTER INSERT ON transactions REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_settled_spend();
--> statement-breakpoint
CREATE TRIGGER transactions_settled_update AFTER UPDATE ON transactions REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_settled_spend();
--> statement-breakpoint

-- Sums older rows, an advertiser in each transaction. Holding the advertiser's row, it sees all transactions whose trigger has changed the
-- row, and none of those whose trigger waits for it and adds to the sum. It may be interrupted and repeated.
CREATE PROCEDURE fill_settled_spend() LANGUAGE plpgsql AS $$
DECLARE
  latest uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  LOOP
    latest := (SELECT id FROM accounts WHERE id > latest AND EXISTS (SELECT FROM transactions WHERE account_id = accounts.id AND type = 'campaign_spend') ORDER BY id LIMIT 1);
    EXIT WHEN latest IS NULL;
    INSERT INTO settled_spend AS kept (advertiser_id, cents) VALUES (latest, 0) ON CONFLICT (advertiser_id) DO UPDATE SET cents = kept.cents;
    UPDATE settled_spend SET cents = (
      SELECT coalesce(sum(amount_cents), 0) FROM transactions WHERE account_id = latest AND type = 'campaign_spend' AND status = 'succeeded'
    ) WHERE advertiser_id = latest;
    COMMIT;
  END LOOP;
END $$;
