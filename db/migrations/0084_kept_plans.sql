-- What a function executes as text is planned at each call, which took longer than the statement itself. These are the same statements as
-- before, as the functions' own: a connection keeps their plans. What came is not joined with what went, and tables are looked up by key, so
-- that a plan made for one row serves a report of 40,000, and the other way round.
DO $do$
DECLARE
  one record;
BEGIN
  FOR one IN VALUES
    ('count_line_items', '', '',
    $$INSERT INTO line_item_counts AS counts (publisher_id, approval_status, status, managed_by_retailer, archived, line_items, impressions, commission_cents, ctr_sum)
    SELECT publisher_id, approval_status, status, managed_by_retailer, archived_at IS NOT NULL, sum(sign)::bigint, sum(sign * impressions)::bigint,
      sum(sign * commission_cents(spend_micros, commission_rate_bps))::bigint, sum(sign * ctr_units(clicks, impressions))::bigint
    FROM (%s) changed
    GROUP BY 1, 2, 3, 4, 5
    HAVING sum(sign) <> 0 OR sum(sign * impressions) <> 0 OR sum(sign * commission_cents(spend_micros, commission_rate_bps)) <> 0 OR sum(sign * ctr_units(clicks, impressions)) <> 0
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (publisher_id, approval_status, status, managed_by_retailer, archived) DO UPDATE SET
      line_items = counts.line_items + excluded.line_items, impressions = counts.impressions + excluded.impressions,
      commission_cents = counts.commission_cents + excluded.commission_cents, ctr_sum = counts.ctr_sum + excluded.ctr_sum$$),
    ('count_campaigns', '', '',
    $$INSERT INTO campaign_counts AS counts (advertiser_id, status, archived, campaigns)
    SELECT advertiser_id, status, archived_at IS NOT NULL, sum(sign)::bigint FROM (%s) changed
    GROUP BY 1, 2, 3 HAVING sum(sign) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (advertiser_id, status, archived) DO UPDATE SET campaigns = counts.campaigns + excluded.campaigns$$),
    ('count_audience_uses', ' SECURITY DEFINER SET search_path = public, pg_temp', '
    -- Most updates are counters of delivery.
    IF NOT EXISTS (SELECT id, approved_version, sent_version, approval_status FROM come EXCEPT SELECT id, approved_version, sent_version, approval_status FROM gone) THEN RETURN NULL; END IF;',
    $$INSERT INTO audience_uses AS kept (audience_id, line_items)
    SELECT used.audience_id, sum(changed.sign)::bigint
    FROM (%s) changed CROSS JOIN LATERAL (
      SELECT DISTINCT part.audience_id FROM version_audiences part
      WHERE part.campaign_id = changed.campaign_id AND part.publisher_id = changed.publisher_id
        AND (part.version = changed.approved_version OR part.version = changed.sent_version AND changed.approval_status = 'pending') OFFSET 0
    ) used
    GROUP BY 1 HAVING sum(changed.sign) <> 0 ORDER BY 1
    ON CONFLICT (audience_id) DO UPDATE SET line_items = kept.line_items + excluded.line_items$$),
    ('sum_line_item_days', '', '',
    $$INSERT INTO line_item_months AS kept (line_item_id, month, impressions, clicks, conversions, spend_micros, revenue_micros)
    SELECT line_item_id, date_trunc('month', day::timestamp)::date, sum(sign * impressions), sum(sign * clicks), sum(sign * conversions), sum(sign * spend_micros), sum(sign * revenue_micros)
    FROM (%s) changed GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (line_item_id, month) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks,
      conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros,
      revenue_micros = kept.revenue_micros + excluded.revenue_micros$$),
    ('sum_category_days', '', '',
    $$INSERT INTO account_category_months AS kept (account_id, month, category, audience_id, channel, facts, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
    SELECT account_id, date_trunc('month', day::timestamp)::date, category, audience_id, channel, sum(sign * facts), sum(sign * impressions), sum(sign * clicks), sum(sign * conversions), sum(sign * spend_micros), sum(sign * revenue_micros), sum(sign * earned_units)
    FROM (%s) changed GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (account_id, month, category, audience_id, channel) DO UPDATE SET facts = kept.facts + excluded.facts, impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros, revenue_micros = kept.revenue_micros + excluded.revenue_micros, earned_units = kept.earned_units + excluded.earned_units$$),
    ('sum_delivery_creatives', '', '',
    $$INSERT INTO line_item_creatives AS kept (line_item_id, creative_id, impressions, clicks, conversions, spend_micros, revenue_micros)
    SELECT line_item_id, part.creative_id, sum(sign * part.impressions), sum(sign * part.clicks), sum(sign * part.conversions), sum(sign * part.spend_micros), sum(sign * part.revenue_micros)
    FROM (%s) changed CROSS JOIN LATERAL jsonb_to_recordset(creatives) AS part (creative_id uuid, impressions bigint, clicks bigint, conversions bigint, spend_micros bigint, revenue_micros bigint)
    WHERE creatives IS NOT NULL
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (line_item_id, creative_id) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks,
      conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros,
      revenue_micros = kept.revenue_micros + excluded.revenue_micros$$),
    ('sum_settled_spend', ' SECURITY DEFINER SET search_path = public, pg_temp', '',
    $$INSERT INTO settled_spend AS kept (advertiser_id, cents)
    SELECT account_id, sum(sign * amount_cents)::bigint FROM (%s) changed WHERE type = 'campaign_spend' AND status = 'succeeded'
    GROUP BY 1 HAVING sum(sign * amount_cents) <> 0 ORDER BY 1
    ON CONFLICT (advertiser_id) DO UPDATE SET cents = kept.cents + excluded.cents$$)
  LOOP
    EXECUTE format($function$
CREATE OR REPLACE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql%s AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    %s;
  ELSIF TG_OP = 'DELETE' THEN
    %s;
  ELSE%s
    %s;
  END IF;
  RETURN NULL;
END $$$function$, one.column1, one.column2, format(one.column4, 'SELECT 1 AS sign, * FROM come'), format(one.column4, 'SELECT -1 AS sign, * FROM gone'),
      one.column3, format(one.column4, 'SELECT -1 AS sign, * FROM gone UNION ALL SELECT 1, * FROM come'));
  END LOOP;
END $do$;
--> statement-breakpoint
-- A plan for the very campaigns seemed cheaper than one for any, and was made again each time. All is looked up by keys, also in a table that
-- is small when it is planned, so that one plan serves any number of campaigns.
CREATE OR REPLACE FUNCTION store_spendable(ids uuid[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  owners uuid[];
  unchanged date[];
BEGIN
  WITH fresh AS MATERIALIZED (SELECT * FROM list_spendable(ids)),
  known AS MATERIALIZED (SELECT * FROM spendable_campaigns WHERE campaign_id = ANY (ids)),
  removed AS (
    DELETE FROM spendable_campaigns WHERE campaign_id = ANY (ARRAY(SELECT campaign_id FROM known EXCEPT SELECT campaign_id FROM fresh))
  ), stored AS (
    INSERT INTO spendable_campaigns AS kept (campaign_id, advertiser_id, days, cents)
    SELECT fresh.* FROM fresh LEFT JOIN LATERAL (SELECT days, cents FROM spendable_campaigns known WHERE known.campaign_id = fresh.campaign_id OFFSET 0) before ON true
    WHERE (fresh.days, fresh.cents) IS DISTINCT FROM (before.days, before.cents) ORDER BY 1
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
CREATE OR REPLACE FUNCTION sum_spendable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
BEGIN
  IF TG_TABLE_NAME = 'line_item_days' THEN
    SELECT array_agg(DISTINCT item.campaign_id) INTO ids
    FROM come CROSS JOIN LATERAL (SELECT campaign_id FROM line_items WHERE id = come.line_item_id OFFSET 0) item;
  ELSIF TG_TABLE_NAME = 'campaigns' THEN
    SELECT array_agg(id) INTO ids FROM (SELECT id FROM come WHERE status = 'active' EXCEPT SELECT id FROM gone WHERE status = 'active') started;
  ELSIF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT campaign_id) INTO ids FROM come WHERE status = 'active';
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT campaign_id) INTO ids FROM gone WHERE status = 'active';
  ELSE
    -- An active line item is here twice where nothing changed.
    SELECT array_agg(DISTINCT campaign_id) INTO ids
    FROM (
      SELECT campaign_id FROM (SELECT id, campaign_id, approved_version, sent_version, status FROM gone UNION ALL SELECT id, campaign_id, approved_version, sent_version, status FROM come) item
      WHERE status = 'active' GROUP BY id, campaign_id, approved_version, sent_version HAVING count(*) = 1
    ) changed;
  END IF;
  IF ids IS NOT NULL THEN PERFORM store_spendable(ids); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- One plan for any number of line items, as above.
CREATE FUNCTION store_unsettled_spend(items uuid[], changes bigint[]) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  WITH changed AS MATERIALIZED (
    SELECT part.line_item_id, part.cents, coalesce(known.cents, 0) + part.cents AS remaining, campaign.advertiser_id
    FROM unnest(items, changes) AS part (line_item_id, cents)
    CROSS JOIN LATERAL (SELECT campaign_id FROM line_items WHERE id = part.line_item_id OFFSET 0) item
    CROSS JOIN LATERAL (SELECT advertiser_id FROM campaigns WHERE id = item.campaign_id OFFSET 0) campaign
    LEFT JOIN LATERAL (SELECT cents FROM unsettled_line_items WHERE line_item_id = part.line_item_id OFFSET 0) known ON true
  ), settled AS (
    DELETE FROM unsettled_line_items WHERE line_item_id = ANY (ARRAY(SELECT line_item_id FROM changed WHERE remaining = 0))
  ), unsettled AS (
    INSERT INTO unsettled_line_items AS kept (line_item_id, cents) SELECT line_item_id, cents FROM changed WHERE remaining <> 0 ORDER BY 1
    ON CONFLICT (line_item_id) DO UPDATE SET cents = kept.cents + excluded.cents
  )
  INSERT INTO unsettled_spend AS kept (advertiser_id, cents) SELECT advertiser_id, sum(cents)::bigint FROM changed GROUP BY 1 HAVING sum(cents) <> 0 ORDER BY 1
  ON CONFLICT (advertiser_id) DO UPDATE SET cents = kept.cents + excluded.cents;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sum_unsettled_spend() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  items uuid[];
  changes bigint[];
BEGIN
  IF TG_TABLE_NAME = 'line_items' AND TG_OP = 'INSERT' THEN
    SELECT array_agg(id), array_agg(spend_micros / 10000) INTO items, changes FROM come WHERE spend_micros / 10000 <> 0;
  ELSIF TG_TABLE_NAME = 'line_items' THEN
    SELECT array_agg(id), array_agg(cents) INTO items, changes
    FROM (
      SELECT id, sum(part.cents)::bigint AS cents
      FROM (SELECT id, spend_micros / 10000 AS cents FROM come UNION ALL SELECT id, -(spend_micros / 10000) FROM gone) part
      GROUP BY 1 HAVING sum(part.cents) <> 0
    ) changed;
  ELSIF TG_OP = 'INSERT' THEN
    SELECT array_agg(line_item_id), array_agg(-spend_cents) INTO items, changes FROM come WHERE spend_cents <> 0;
  ELSE
    SELECT array_agg(line_item_id), array_agg(cents) INTO items, changes
    FROM (
      SELECT line_item_id, sum(part.cents)::bigint AS cents
      FROM (SELECT line_item_id, spend_cents AS cents FROM gone UNION ALL SELECT line_item_id, -spend_cents FROM come) part
      GROUP BY 1 HAVING sum(part.cents) <> 0
    ) changed;
  END IF;
  IF items IS NOT NULL THEN PERFORM store_unsettled_spend(items, changes); END IF;
  RETURN NULL;
END $$;
