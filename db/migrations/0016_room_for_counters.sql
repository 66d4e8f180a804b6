-- Counters that change with each report find room beside their row, so that no index has to hear of it.
ALTER TABLE line_items SET (fillfactor = 85);
--> statement-breakpoint
ALTER TABLE line_item_days SET (fillfactor = 90);
--> statement-breakpoint
ALTER TABLE line_item_months SET (fillfactor = 80);
--> statement-breakpoint
-- As before, from the rows themselves: summing them once more by all that their sums are kept by made as many groups as rows.
CREATE OR REPLACE FUNCTION sum_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text := 'SELECT line_item_id, day, audience_id, channel, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros FROM come';
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changed := changed || ' UNION ALL SELECT line_item_id, day, audience_id, channel, -impressions, -clicks, -conversions, -spend_micros, -revenue_micros, -reported_micros FROM gone';
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
       FROM per_item part WHERE item.id = part.line_item_id RETURNING item.campaign_id, item.publisher_id, item.commission_rate_bps, part.*
     ), per_campaign AS (
       SELECT campaign_id, sum(impressions)::bigint AS impressions, sum(clicks)::bigint AS clicks, sum(conversions)::bigint AS conversions, sum(spend_micros)::bigint AS spend_micros, sum(revenue_micros)::bigint AS revenue_micros FROM items GROUP BY 1
     ), owners AS (
       UPDATE campaigns campaign SET impressions = campaign.impressions + part.impressions, clicks = campaign.clicks + part.clicks, conversions = campaign.conversions + part.conversions, spend_micros = campaign.spend_micros + part.spend_micros, revenue_micros = campaign.revenue_micros + part.revenue_micros
       FROM per_campaign part WHERE campaign.id = part.campaign_id RETURNING campaign.id, campaign.advertiser_id
     ), per_audience AS MATERIALIZED (
       SELECT advertiser_id, publisher_id, audience_id, day, channel, sum(changed.impressions)::bigint AS impressions, sum(changed.clicks)::bigint AS clicks, sum(changed.conversions)::bigint AS conversions, sum(changed.spend_micros)::bigint AS spend_micros, sum(changed.revenue_micros)::bigint AS revenue_micros, sum(changed.spend_micros::numeric * commission_rate_bps) AS earned_units
       FROM (%1$s) changed JOIN items USING (line_item_id) JOIN owners ON owners.id = items.campaign_id GROUP BY 1, 2, 3, 4, 5
     ), accounts AS MATERIALIZED (
       SELECT advertiser_id AS account_id, audience_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units FROM per_audience
       UNION ALL SELECT publisher_id, audience_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units FROM per_audience
     ), audience_days AS (
       INSERT INTO account_audience_days AS kept (account_id, audience_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
       SELECT account_id, audience_id, day, channel, sum(impressions)::bigint, sum(clicks)::bigint, sum(conversions)::bigint, sum(spend_micros)::bigint, sum(revenue_micros)::bigint, sum(earned_units)
       FROM accounts GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
       ON CONFLICT (account_id, audience_id, day, channel) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros, revenue_micros = kept.revenue_micros + excluded.revenue_micros, earned_units = kept.earned_units + excluded.earned_units
     )
     INSERT INTO account_days AS kept (account_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
     SELECT account_id, day, channel, sum(impressions)::bigint, sum(clicks)::bigint, sum(conversions)::bigint, sum(spend_micros)::bigint, sum(revenue_micros)::bigint, sum(earned_units)
     FROM accounts GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (account_id, day, channel) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros, revenue_micros = kept.revenue_micros + excluded.revenue_micros, earned_units = kept.earned_units + excluded.earned_units',
    changed);
  RETURN NULL;
END $$;
