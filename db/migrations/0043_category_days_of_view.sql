-- By the view instead of the facts, which may be distributed (docs/decisions/0107).
CREATE OR REPLACE FUNCTION add_category_days(ids uuid[], sign integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO account_category_days AS kept (account_id, day, category, audience_id, channel, facts, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
  SELECT side.account_id, fact.day, known.summed_category, fact.audience_id, fact.channel, sign * count(*), sign * sum(fact.impressions), sign * sum(fact.clicks), sign * sum(fact.conversions),
    sign * sum(fact.spend_micros), sign * sum(fact.revenue_micros), sign * sum(fact.spend_micros::numeric * item.commission_rate_bps)
  FROM line_item_categories known JOIN line_items item ON item.id = known.line_item_id JOIN line_item_audience_days fact ON fact.line_item_id = known.line_item_id
  CROSS JOIN LATERAL (VALUES (known.advertiser_id), (known.publisher_id)) side (account_id)
  WHERE known.line_item_id = ANY (ids) GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (account_id, day, category, audience_id, channel) DO UPDATE SET facts = kept.facts + excluded.facts, impressions = kept.impressions + excluded.impressions,
    clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros,
    revenue_micros = kept.revenue_micros + excluded.revenue_micros, earned_units = kept.earned_units + excluded.earned_units
$$;
