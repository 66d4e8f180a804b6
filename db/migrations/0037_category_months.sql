-- An account's sums by category, audience and channel by month (docs/decisions/0098). Reports in progress end before the trigger is there.
LOCK TABLE account_category_days IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TABLE "account_category_months" (
	"account_id" uuid NOT NULL,
	"category" text NOT NULL,
	"audience_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"facts" bigint NOT NULL,
	"impressions" bigint NOT NULL,
	"clicks" bigint NOT NULL,
	"conversions" bigint NOT NULL,
	"spend_micros" bigint NOT NULL,
	"revenue_micros" bigint NOT NULL,
	"earned_units" numeric(30, 0) NOT NULL,
	"month" date NOT NULL,
	CONSTRAINT "account_category_months_pk" PRIMARY KEY("account_id","month","category","audience_id","channel")
);
--> statement-breakpoint
ALTER TABLE "account_category_months" SET (fillfactor = 80);--> statement-breakpoint

-- Other servers write through the trigger at once, and the privileges of their role are granted later.
DO $$
DECLARE found record;
BEGIN
  FOR found IN
    SELECT acl.privilege_type, acl.grantee::regrole AS grantee FROM pg_class own, aclexplode(own.relacl) acl
    WHERE own.oid = 'account_days'::regclass AND acl.grantee NOT IN (0, own.relowner)
  LOOP
    EXECUTE format('GRANT %s ON account_category_months TO %s', found.privilege_type, found.grantee);
  END LOOP;
END $$;
--> statement-breakpoint

-- Sums an account's days by category into months. A report changes few of them.
CREATE FUNCTION sum_category_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text := 'SELECT 1 AS sign, * FROM come';
BEGIN
  IF TG_OP = 'UPDATE' THEN changed := changed || ' UNION ALL SELECT -1, * FROM gone'; END IF;
  EXECUTE format(
    'INSERT INTO account_category_months AS kept (account_id, month, category, audience_id, channel, facts, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
     SELECT account_id, date_trunc(''month'', day::timestamp)::date, category, audience_id, channel, sum(sign * facts), sum(sign * impressions), sum(sign * clicks), sum(sign * conversions), sum(sign * spend_micros), sum(sign * revenue_micros), sum(sign * earned_units)
     FROM (%s) changed GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
     ON CONFLICT (account_id, month, category, audience_id, channel) DO UPDATE SET facts = kept.facts + excluded.facts, impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros, revenue_micros = kept.revenue_micros + excluded.revenue_micros, earned_units = kept.earned_units + excluded.earned_units',
    changed);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER account_category_days_summed_insert AFTER INSERT ON account_category_days REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_category_days();
--> statement-breakpoint
CREATE TRIGGER account_category_days_summed_update AFTER UPDATE ON account_category_days REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_category_days();
--> statement-breakpoint

-- Sums the days that are older than the months, an account in each transaction, under the locks that reports take before they write
-- roll-ups. Each account's months are written anew, so that it may be interrupted and repeated.
CREATE PROCEDURE fill_category_months() LANGUAGE plpgsql AS $$
DECLARE
  latest uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  LOOP
    latest := (SELECT account_id FROM account_category_days WHERE account_id > latest ORDER BY account_id LIMIT 1);
    EXIT WHEN latest IS NULL;
    PERFORM pg_advisory_xact_lock(1482116003, place) FROM generate_series(0, 63) place;
    DELETE FROM account_category_months WHERE account_id = latest;
    INSERT INTO account_category_months (account_id, month, category, audience_id, channel, facts, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
    SELECT account_id, date_trunc('month', day::timestamp)::date, category, audience_id, channel, sum(facts), sum(impressions), sum(clicks), sum(conversions), sum(spend_micros), sum(revenue_micros), sum(earned_units)
    FROM account_category_days WHERE account_id = latest GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5;
    COMMIT;
  END LOOP;
END $$;
