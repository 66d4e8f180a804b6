-- What an advertiser's campaigns can spend in a day is kept, so that its wallet need not ask each of them (docs/decisions/0112).
CREATE TABLE "spendable_campaigns" (
	"campaign_id" uuid PRIMARY KEY NOT NULL,
	"advertiser_id" uuid NOT NULL,
	"days" date[] NOT NULL,
	"cents" bigint[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "spendable_changes" (
	"advertiser_id" uuid NOT NULL,
	"day" date NOT NULL,
	"cents" bigint NOT NULL,
	CONSTRAINT "spendable_changes_pk" PRIMARY KEY("advertiser_id","day")
);
--> statement-breakpoint

-- Returns what each of these campaigns can spend in a day, as changes from day to day: for each of its line items that may deliver the
-- lower of the remaining total and daily budget, and the highest of them, because all publishers share a campaign's budgets. The only day
-- whose spend counts is the last one that has any: reports of later days than today are rejected, and earlier ones are not asked for.
CREATE FUNCTION list_spendable(ids uuid[]) RETURNS TABLE (campaign_id uuid, advertiser_id uuid, days date[], cents bigint[]) LANGUAGE sql STABLE AS $$
  SELECT campaign.id, campaign.advertiser_id, steps.days, steps.cents
  FROM unnest(ids) AS wanted (id)
  CROSS JOIN LATERAL (
    SELECT known.id, known.advertiser_id, known.spend_micros / 10000 AS spent FROM campaigns known WHERE known.id = wanted.id AND known.status = 'active' OFFSET 0
  ) campaign
  CROSS JOIN LATERAL (
    WITH items AS MATERIALIZED (
      SELECT id, status, approved_version, sent_version FROM line_items WHERE line_items.campaign_id = campaign.id
    ), bounds AS MATERIALIZED (
      SELECT approved.start_date, approved.end_date, least(approved.total_budget_cents, sent.total_budget_cents) - campaign.spent AS remaining,
        least(approved.daily_budget_cents, sent.daily_budget_cents) AS daily
      FROM items
      CROSS JOIN LATERAL (SELECT * FROM campaign_versions WHERE campaign_versions.campaign_id = campaign.id AND number = items.approved_version OFFSET 0) approved
      CROSS JOIN LATERAL (SELECT * FROM campaign_versions WHERE campaign_versions.campaign_id = campaign.id AND number = items.sent_version OFFSET 0) sent
      WHERE items.status = 'active'
    ), spent AS MATERIALIZED (
      SELECT latest.day, sum(latest.spend_micros)::bigint / 10000 AS cents
      FROM items CROSS JOIN LATERAL (SELECT day, spend_micros FROM line_item_days WHERE line_item_id = items.id ORDER BY day DESC LIMIT 1) latest
      GROUP BY 1 ORDER BY 1 DESC LIMIT 1
    ), points AS (
      SELECT start_date AS day FROM bounds UNION SELECT end_date + 1 FROM bounds UNION SELECT day FROM spent UNION SELECT day + 1 FROM spent
    ), amounts AS (
      SELECT points.day, max(greatest(least(bounds.remaining, bounds.daily - coalesce(spent.cents, 0)), 0)) AS cents
      FROM points LEFT JOIN bounds ON points.day BETWEEN bounds.start_date AND bounds.end_date LEFT JOIN spent ON spent.day = points.day GROUP BY 1
    )
    SELECT array_agg(changes.day ORDER BY changes.day) AS days, array_agg(changes.cents ORDER BY changes.day) AS cents
    FROM (SELECT amounts.day, amounts.cents - lag(amounts.cents, 1, 0::bigint) OVER (ORDER BY amounts.day) AS cents FROM amounts) changes WHERE changes.cents <> 0
  ) steps
  WHERE steps.days IS NOT NULL
$$;
--> statement-breakpoint

-- Stores what these campaigns can spend, and adds the difference to their advertisers' sums. Whoever changes a campaign, its line items or
-- their delivery has locked the campaign, so that its row is written by one at a time.
CREATE FUNCTION store_spendable(ids uuid[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owners uuid[];
  unchanged date[];
BEGIN
  WITH fresh AS MATERIALIZED (SELECT * FROM list_spendable(ids)),
  known AS MATERIALIZED (SELECT * FROM spendable_campaigns WHERE campaign_id = ANY (ids)),
  removed AS (
    DELETE FROM spendable_campaigns kept USING known
    WHERE kept.campaign_id = known.campaign_id AND NOT EXISTS (SELECT FROM fresh WHERE fresh.campaign_id = known.campaign_id)
  ), stored AS (
    INSERT INTO spendable_campaigns AS kept (campaign_id, advertiser_id, days, cents)
    SELECT fresh.* FROM fresh LEFT JOIN known USING (campaign_id) WHERE (fresh.days, fresh.cents) IS DISTINCT FROM (known.days, known.cents) ORDER BY 1
    ON CONFLICT (campaign_id) DO UPDATE SET days = excluded.days, cents = excluded.cents
  ), written AS (
    INSERT INTO spendable_changes AS kept (advertiser_id, day, cents)
    SELECT advertiser_id, change.day, sum(sign * change.cents)::bigint
    FROM (SELECT 1 AS sign, * FROM fresh UNION ALL SELECT -1, * FROM known) part CROSS JOIN LATERAL unnest(part.days, part.cents) AS change (day, cents)
    GROUP BY 1, 2 HAVING sum(sign * change.cents) <> 0 ORDER BY 1, 2
    ON CONFLICT (advertiser_id, day) DO UPDATE SET cents = kept.cents + excluded.cents
    RETURNING kept.advertiser_id, kept.day, kept.cents
  )
  SELECT array_agg(advertiser_id), array_agg(day) INTO owners, unchanged FROM written WHERE cents = 0;
  -- A day without a change has no row: an advertiser has as many as its running campaigns have first and last days.
  DELETE FROM spendable_changes kept USING unnest(owners, unchanged) AS one (advertiser_id, day)
  WHERE kept.advertiser_id = one.advertiser_id AND kept.day = one.day AND kept.cents = 0;
END $$;
--> statement-breakpoint

-- Finds the campaigns of which a statement changes what they can spend.
CREATE FUNCTION sum_spendable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
BEGIN
  IF TG_TABLE_NAME = 'line_item_days' THEN
    SELECT array_agg(DISTINCT item.campaign_id) INTO ids FROM come JOIN line_items item ON item.id = come.line_item_id;
  ELSIF TG_TABLE_NAME = 'campaigns' THEN
    SELECT array_agg(come.id) INTO ids FROM come JOIN gone USING (id) WHERE come.status <> gone.status AND 'active' IN (come.status, gone.status);
  ELSIF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT campaign_id) INTO ids FROM come WHERE status = 'active';
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT campaign_id) INTO ids FROM gone WHERE status = 'active';
  ELSE
    SELECT array_agg(DISTINCT come.campaign_id) INTO ids FROM come JOIN gone USING (id)
    WHERE (come.status, come.approved_version, come.sent_version) IS DISTINCT FROM (gone.status, gone.approved_version, gone.sent_version)
      AND 'active' IN (come.status, gone.status);
  END IF;
  IF ids IS NOT NULL THEN PERFORM store_spendable(ids); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Stores what older campaigns can spend, part by part, under the lock of whoever changes them. It may be interrupted and repeated.
CREATE PROCEDURE fill_spendable() LANGUAGE plpgsql AS $$
DECLARE
  latest uuid := '00000000-0000-0000-0000-000000000000';
  ids uuid[];
BEGIN
  LOOP
    SELECT array_agg(id) INTO ids FROM (SELECT id FROM campaigns WHERE id > latest AND status = 'active' ORDER BY id LIMIT 500) part;
    EXIT WHEN ids IS NULL;
    PERFORM FROM campaigns WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
    PERFORM store_spendable(ids);
    latest := ids[array_upper(ids, 1)];
    COMMIT;
  END LOOP;
END $$;
