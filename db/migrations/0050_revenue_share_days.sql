-- What a publisher's earnings are read from, so that they need not be summed over all of its revenue shares (docs/decisions/0110).
CREATE TABLE "revenue_share_days" (
	"publisher_id" uuid NOT NULL,
	"day" date NOT NULL,
	"settled_cents" bigint NOT NULL,
	"refunded_cents" bigint NOT NULL,
	"unpaid_cents" bigint NOT NULL,
	"unpaid_deductions_cents" bigint NOT NULL,
	CONSTRAINT "revenue_share_days_pk" PRIMARY KEY("publisher_id","day")
);
--> statement-breakpoint

-- Adds revenue shares to their day, and moves them between paid and unpaid: nothing else of a share changes. Whoever writes a share or
-- changes its payout has locked the publisher's ledger account, so that its days are written by one at a time.
CREATE FUNCTION sum_revenue_share_days() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO revenue_share_days AS kept (publisher_id, day, settled_cents, refunded_cents, unpaid_cents, unpaid_deductions_cents)
    SELECT publisher_id, settled_through, coalesce(sum(earnings_cents) FILTER (WHERE refund_id IS NULL), 0),
      coalesce(sum(earnings_cents) FILTER (WHERE refund_id IS NOT NULL), 0),
      coalesce(sum(earnings_cents) FILTER (WHERE payout_id IS NULL AND earnings_cents >= 0), 0),
      coalesce(sum(earnings_cents) FILTER (WHERE payout_id IS NULL AND earnings_cents < 0), 0)
    FROM come GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (publisher_id, day) DO UPDATE SET settled_cents = kept.settled_cents + excluded.settled_cents,
      refunded_cents = kept.refunded_cents + excluded.refunded_cents, unpaid_cents = kept.unpaid_cents + excluded.unpaid_cents,
      unpaid_deductions_cents = kept.unpaid_deductions_cents + excluded.unpaid_deductions_cents;
  ELSE
    UPDATE revenue_share_days kept SET unpaid_cents = kept.unpaid_cents + moved.shares, unpaid_deductions_cents = kept.unpaid_deductions_cents + moved.deductions
    FROM (
      SELECT publisher_id, settled_through, coalesce(sum(cents) FILTER (WHERE NOT is_deduction), 0) AS shares, coalesce(sum(cents) FILTER (WHERE is_deduction), 0) AS deductions
      FROM (
        SELECT come.publisher_id, come.settled_through, come.earnings_cents < 0 AS is_deduction,
          CASE WHEN come.payout_id IS NULL THEN come.earnings_cents ELSE -come.earnings_cents END AS cents
        FROM come JOIN gone USING (id) WHERE (come.payout_id IS NULL) <> (gone.payout_id IS NULL)
      ) share GROUP BY 1, 2
    ) moved WHERE kept.publisher_id = moved.publisher_id AND kept.day = moved.settled_through;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- They wait for transactions that have written shares already: the next migration reads those.
CREATE TRIGGER revenue_shares_summed_insert AFTER INSERT ON revenue_shares REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_revenue_share_days();
--> statement-breakpoint
CREATE TRIGGER revenue_shares_summed_update AFTER UPDATE ON revenue_shares REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_revenue_share_days();
--> statement-breakpoint

-- Sums older shares, a publisher in each transaction, under the lock of whoever writes its shares. It may be interrupted and repeated.
CREATE PROCEDURE fill_revenue_share_days() LANGUAGE plpgsql AS $$
DECLARE
  latest uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  LOOP
    latest := (SELECT owner_id FROM ledger_accounts WHERE owner_id > latest AND kind = 'publisher_payable' ORDER BY owner_id LIMIT 1);
    EXIT WHEN latest IS NULL;
    PERFORM FROM ledger_accounts WHERE owner_id = latest AND kind = 'publisher_payable' FOR NO KEY UPDATE;
    DELETE FROM revenue_share_days WHERE publisher_id = latest;
    INSERT INTO revenue_share_days (publisher_id, day, settled_cents, refunded_cents, unpaid_cents, unpaid_deductions_cents)
    SELECT publisher_id, settled_through, coalesce(sum(earnings_cents) FILTER (WHERE refund_id IS NULL), 0),
      coalesce(sum(earnings_cents) FILTER (WHERE refund_id IS NOT NULL), 0),
      coalesce(sum(earnings_cents) FILTER (WHERE payout_id IS NULL AND earnings_cents >= 0), 0),
      coalesce(sum(earnings_cents) FILTER (WHERE payout_id IS NULL AND earnings_cents < 0), 0)
    FROM revenue_shares WHERE publisher_id = latest GROUP BY 1, 2 ORDER BY 1, 2;
    COMMIT;
  END LOOP;
END $$;
