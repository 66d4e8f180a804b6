-- Roll-ups for analytics that split or filter by category, audience and channel (docs/decisions/0098). One lock first, for which reports
-- in progress end and which later ones wait for: what they insert is summed either by the trigger or by the next migration.
LOCK TABLE ONLY deliveries IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
LOCK TABLE line_items IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TABLE "account_category_days" (
	"account_id" uuid NOT NULL,
	"day" date NOT NULL,
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
	CONSTRAINT "account_category_days_pk" PRIMARY KEY("account_id","day","category","audience_id","channel")
);
--> statement-breakpoint
CREATE TABLE "line_item_audience_months" (
	"line_item_id" uuid NOT NULL,
	"month" date NOT NULL,
	"audience_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"impressions" bigint NOT NULL,
	"clicks" bigint NOT NULL,
	"conversions" bigint NOT NULL,
	"spend_micros" bigint NOT NULL,
	"revenue_micros" bigint NOT NULL,
	CONSTRAINT "line_item_audience_months_pk" PRIMARY KEY("line_item_id","month","audience_id","channel")
);
--> statement-breakpoint
CREATE TABLE "line_item_categories" (
	"line_item_id" uuid PRIMARY KEY NOT NULL,
	"advertiser_id" uuid NOT NULL,
	"publisher_id" uuid NOT NULL,
	"category" text NOT NULL,
	"summed_category" text
);
--> statement-breakpoint
ALTER TABLE "line_item_categories" ADD CONSTRAINT "line_item_categories_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "line_item_categories_advertiser" ON "line_item_categories" USING btree ("advertiser_id") WHERE "line_item_categories"."category" is distinct from "line_item_categories"."summed_category";--> statement-breakpoint
CREATE INDEX "line_item_categories_publisher" ON "line_item_categories" USING btree ("publisher_id") WHERE "line_item_categories"."category" is distinct from "line_item_categories"."summed_category";
--> statement-breakpoint
-- The counters of a row are updated many times: a new version of it finds room on its page.
ALTER TABLE "account_category_days" SET (fillfactor = 80);--> statement-breakpoint
ALTER TABLE "line_item_audience_months" SET (fillfactor = 80);--> statement-breakpoint

-- Servers of the version before write through the triggers at once, and the privileges of their role are granted later.
DO $$
DECLARE found record;
BEGIN
  FOR found IN
    SELECT part.name, acl.privilege_type, acl.grantee::regrole AS grantee
    FROM pg_class own, aclexplode(own.relacl) acl, unnest(ARRAY['account_category_days', 'line_item_audience_months', 'line_item_categories']) part (name)
    WHERE own.oid = 'account_days'::regclass AND acl.grantee NOT IN (0, own.relowner)
  LOOP
    EXECUTE format('GRANT %s ON %I TO %s', found.privilege_type, found.name, found.grantee);
  END LOOP;
END $$;
--> statement-breakpoint

-- Stores the category of a line item's version. Facts remain summed under the category that they have until a job moves them; a line
-- item without facts has nothing to move. Whoever changes a line item's version holds its lock, as whoever writes its facts.
CREATE FUNCTION store_line_item_category() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO line_item_categories AS kept (line_item_id, advertiser_id, publisher_id, category, summed_category)
  SELECT NEW.id, campaign.advertiser_id, NEW.publisher_id, coalesce(version.product_category, ''), coalesce(version.product_category, '')
  FROM campaigns campaign LEFT JOIN campaign_versions version ON version.campaign_id = campaign.id AND version.number = coalesce(NEW.approved_version, NEW.sent_version)
  WHERE campaign.id = NEW.campaign_id
  ON CONFLICT (line_item_id) DO UPDATE SET category = excluded.category, summed_category =
    CASE WHEN EXISTS (SELECT FROM line_item_months known WHERE known.line_item_id = excluded.line_item_id) THEN kept.summed_category ELSE excluded.category END;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER line_items_category_insert AFTER INSERT ON line_items FOR EACH ROW EXECUTE FUNCTION store_line_item_category();
--> statement-breakpoint
CREATE TRIGGER line_items_category_update AFTER UPDATE OF approved_version, sent_version ON line_items FOR EACH ROW
  WHEN (coalesce(OLD.approved_version, OLD.sent_version) IS DISTINCT FROM coalesce(NEW.approved_version, NEW.sent_version)) EXECUTE FUNCTION store_line_item_category();
--> statement-breakpoint
INSERT INTO line_item_categories (line_item_id, advertiser_id, publisher_id, category, summed_category)
SELECT item.id, campaign.advertiser_id, item.publisher_id, coalesce(version.product_category, ''),
  CASE WHEN NOT EXISTS (SELECT FROM line_item_months known WHERE known.line_item_id = item.id) THEN coalesce(version.product_category, '') END
FROM line_items item JOIN campaigns campaign ON campaign.id = item.campaign_id
LEFT JOIN campaign_versions version ON version.campaign_id = item.campaign_id AND version.number = coalesce(item.approved_version, item.sent_version);
--> statement-breakpoint

-- Every sum over deliveries changes in the transaction of the deliveries: the line item's day, its months by audience and channel, the
-- line item, its campaign, and both accounts' days by channel, by audience and by category. Each row is written once, in the order of its
-- key. The sums are taken from the changed rows themselves: summing by every key at once first makes as many groups as there are rows.
-- Of line items whose earlier facts are not summed by category yet, that is left to the next migration.
CREATE OR REPLACE FUNCTION sum_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text := 'SELECT line_item_id, day, audience_id, channel, 1 AS facts, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros FROM come';
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changed := changed || ' UNION ALL SELECT line_item_id, day, audience_id, channel, -1, -impressions, -clicks, -conversions, -spend_micros, -revenue_micros, -reported_micros FROM gone';
  END IF;
  EXECUTE format(
    'WITH per_day AS MATERIALIZED (
       SELECT line_item_id, day, sum(impressions)::bigint AS impressions, sum(clicks)::bigint AS clicks, sum(conversions)::bigint AS conversions, sum(spend_micros)::bigint AS spend_micros, sum(revenue_micros)::bigint AS revenue_micros, sum(reported_micros)::bigint AS reported_micros
       FROM (%1$s) changed GROUP BY 1, 2
     ), days AS (
       INSERT INTO line_item_days AS kept (line_item_id, day, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros)
       SELECT * FROM per_day ORDER BY 1, 2
       ON CONFLICT (line_item_id, day) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros, revenue_micros = kept.revenue_micros + excluded.revenue_micros, reported_micros = kept.reported_micros + excluded.reported_micros
     ), per_item AS (
       SELECT line_item_id, sum(impressions)::bigint AS impressions, sum(clicks)::bigint AS clicks, sum(conversions)::bigint AS conversions, sum(spend_micros)::bigint AS spend_micros, sum(revenue_micros)::bigint AS revenue_micros FROM per_day GROUP BY 1
     ), items AS (
       UPDATE line_items item SET impressions = item.impressions + part.impressions, clicks = item.clicks + part.clicks, conversions = item.conversions + part.conversions, spend_micros = item.spend_micros + part.spend_micros, revenue_micros = item.revenue_micros + part.revenue_micros
       FROM per_item part LEFT JOIN line_item_categories known USING (line_item_id) WHERE item.id = part.line_item_id
       RETURNING item.campaign_id, item.publisher_id, item.commission_rate_bps, known.summed_category AS category, part.*
     ), months AS (
       INSERT INTO line_item_audience_months AS kept (line_item_id, month, audience_id, channel, impressions, clicks, conversions, spend_micros, revenue_micros)
       SELECT line_item_id, date_trunc(''month'', day::timestamp)::date, audience_id, channel, sum(changed.impressions)::bigint, sum(changed.clicks)::bigint, sum(changed.conversions)::bigint, sum(changed.spend_micros)::bigint, sum(changed.revenue_micros)::bigint
       FROM (%1$s) changed JOIN items USING (line_item_id) WHERE items.category IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
       ON CONFLICT (line_item_id, month, audience_id, channel) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros, revenue_micros = kept.revenue_micros + excluded.revenue_micros
     ), per_campaign AS (
       SELECT campaign_id, sum(impressions)::bigint AS impressions, sum(clicks)::bigint AS clicks, sum(conversions)::bigint AS conversions, sum(spend_micros)::bigint AS spend_micros, sum(revenue_micros)::bigint AS revenue_micros FROM items GROUP BY 1
     ), owners AS (
       UPDATE campaigns campaign SET impressions = campaign.impressions + part.impressions, clicks = campaign.clicks + part.clicks, conversions = campaign.conversions + part.conversions, spend_micros = campaign.spend_micros + part.spend_micros, revenue_micros = campaign.revenue_micros + part.revenue_micros
       FROM per_campaign part WHERE campaign.id = part.campaign_id RETURNING campaign.id, campaign.advertiser_id
     ), per_audience AS MATERIALIZED (
       SELECT advertiser_id, publisher_id, audience_id, day, channel, category, sum(changed.facts) AS facts, sum(changed.impressions)::bigint AS impressions, sum(changed.clicks)::bigint AS clicks, sum(changed.conversions)::bigint AS conversions, sum(changed.spend_micros)::bigint AS spend_micros, sum(changed.revenue_micros)::bigint AS revenue_micros, sum(changed.spend_micros::numeric * commission_rate_bps) AS earned_units
       FROM (%1$s) changed JOIN items USING (line_item_id) JOIN owners ON owners.id = items.campaign_id GROUP BY 1, 2, 3, 4, 5, 6
     ), accounts AS MATERIALIZED (
       SELECT advertiser_id AS account_id, audience_id, day, channel, category, facts, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units FROM per_audience
       UNION ALL SELECT publisher_id, audience_id, day, channel, category, facts, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units FROM per_audience
     ), audience_days AS (
       INSERT INTO account_audience_days AS kept (account_id, audience_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
       SELECT account_id, audience_id, day, channel, sum(impressions)::bigint, sum(clicks)::bigint, sum(conversions)::bigint, sum(spend_micros)::bigint, sum(revenue_micros)::bigint, sum(earned_units)
       FROM accounts GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
       ON CONFLICT (account_id, audience_id, day, channel) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros, revenue_micros = kept.revenue_micros + excluded.revenue_micros, earned_units = kept.earned_units + excluded.earned_units
     ), category_days AS (
       INSERT INTO account_category_days AS kept (account_id, day, category, audience_id, channel, facts, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
       SELECT account_id, day, category, audience_id, channel, sum(facts)::bigint, sum(impressions)::bigint, sum(clicks)::bigint, sum(conversions)::bigint, sum(spend_micros)::bigint, sum(revenue_micros)::bigint, sum(earned_units)
       FROM accounts WHERE category IS NOT NULL GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
       ON CONFLICT (account_id, day, category, audience_id, channel) DO UPDATE SET facts = kept.facts + excluded.facts, impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros, revenue_micros = kept.revenue_micros + excluded.revenue_micros, earned_units = kept.earned_units + excluded.earned_units
     )
     INSERT INTO account_days AS kept (account_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
     SELECT account_id, day, channel, sum(impressions)::bigint, sum(clicks)::bigint, sum(conversions)::bigint, sum(spend_micros)::bigint, sum(revenue_micros)::bigint, sum(earned_units)
     FROM accounts GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (account_id, day, channel) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros, revenue_micros = kept.revenue_micros + excluded.revenue_micros, earned_units = kept.earned_units + excluded.earned_units',
    changed);
  RETURN NULL;
END $$;
--> statement-breakpoint

-- Adds all facts of line items (sign 1), or subtracts them (-1), where the account's days by category have them. The caller holds
-- the lock of the roll-ups of their accounts, exclusively.
CREATE FUNCTION add_category_days(ids uuid[], sign integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO account_category_days AS kept (account_id, day, category, audience_id, channel, facts, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
  SELECT side.account_id, fact.day, known.summed_category, fact.audience_id, fact.channel, sign * count(*), sign * sum(fact.impressions), sign * sum(fact.clicks), sign * sum(fact.conversions),
    sign * sum(fact.spend_micros), sign * sum(fact.revenue_micros), sign * sum(fact.spend_micros::numeric * item.commission_rate_bps)
  FROM line_item_categories known JOIN line_items item ON item.id = known.line_item_id JOIN deliveries fact ON fact.line_item_id = known.line_item_id
  CROSS JOIN LATERAL (VALUES (known.advertiser_id), (known.publisher_id)) side (account_id)
  WHERE known.line_item_id = ANY (ids) GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (account_id, day, category, audience_id, channel) DO UPDATE SET facts = kept.facts + excluded.facts, impressions = kept.impressions + excluded.impressions,
    clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros,
    revenue_micros = kept.revenue_micros + excluded.revenue_micros, earned_units = kept.earned_units + excluded.earned_units
$$;
--> statement-breakpoint

-- Moves a line item's facts from the category that they are summed under to the category of its version.
CREATE FUNCTION move_category_days(item uuid) RETURNS void LANGUAGE sql AS $$
  SELECT add_category_days(ARRAY[item], -1);
  DELETE FROM account_category_days kept USING line_item_categories known
  WHERE known.line_item_id = item AND kept.account_id IN (known.advertiser_id, known.publisher_id) AND kept.category = known.summed_category AND kept.facts = 0
    AND kept.day BETWEEN (SELECT min(day) FROM line_item_days WHERE line_item_id = item) AND (SELECT max(day) FROM line_item_days WHERE line_item_id = item);
  UPDATE line_item_categories SET summed_category = category WHERE line_item_id = item;
  SELECT add_category_days(ARRAY[item], 1);
$$;
--> statement-breakpoint

-- Sums the facts that are older than the roll-ups, a part of the line items in each transaction. It continues where it was interrupted.
-- A part holds the locks that reports take before they write roll-ups (app/domain/delivery/upsert-facts.server.ts), all in their order,
-- and waits for no row: a line item whose version is changing is summed in the next round.
CREATE PROCEDURE fill_roll_ups() LANGUAGE plpgsql AS $$
DECLARE
  latest uuid := '00000000-0000-0000-0000-000000000000';
  ids uuid[];
BEGIN
  WHILE EXISTS (SELECT FROM line_item_categories WHERE category IS DISTINCT FROM summed_category AND summed_category IS NULL) LOOP
    PERFORM pg_advisory_xact_lock(1482116003, place) FROM generate_series(0, 63) place;
    ids := ARRAY(
      SELECT line_item_id FROM (
        SELECT line_item_id, sum(days) OVER (ORDER BY line_item_id) - days AS before FROM (
          SELECT line_item_id, (SELECT count(*) FROM line_item_days known WHERE known.line_item_id = next.line_item_id) AS days FROM (
            SELECT line_item_id FROM line_item_categories WHERE summed_category IS NULL AND line_item_id > latest ORDER BY 1 LIMIT 500 FOR UPDATE SKIP LOCKED
          ) next
        ) counted
      ) part WHERE before < 5000 ORDER BY 1);
    IF cardinality(ids) = 0 THEN
      COMMIT;
      IF latest = '00000000-0000-0000-0000-000000000000' THEN PERFORM pg_sleep(0.1); END IF;
      latest := '00000000-0000-0000-0000-000000000000';
    ELSE
      UPDATE line_item_categories SET summed_category = category WHERE line_item_id = ANY (ids);
      INSERT INTO line_item_audience_months (line_item_id, month, audience_id, channel, impressions, clicks, conversions, spend_micros, revenue_micros)
      SELECT line_item_id, date_trunc('month', day::timestamp)::date, audience_id, channel, sum(impressions), sum(clicks), sum(conversions), sum(spend_micros), sum(revenue_micros)
      FROM deliveries WHERE line_item_id = ANY (ids) GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4;
      PERFORM add_category_days(ids, 1);
      COMMIT;
      latest := ids[cardinality(ids)];
    END IF;
  END LOOP;
END $$;
