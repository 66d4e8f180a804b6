CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
CREATE INDEX campaigns_name_search ON campaigns USING gin (advertiser_id, name gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX line_items_name_search ON line_items USING gin (publisher_id, campaign_name gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX audiences_name_search ON audiences USING gin (name gin_trgm_ops);
--> statement-breakpoint
-- Rows that are a record of what was: inserted, never changed. Versions and decisions go only with a campaign that goes as a whole.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows are never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_entries_are_kept BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_entries_are_not_emptied BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER campaign_versions_are_kept BEFORE UPDATE ON campaign_versions FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER decisions_are_kept BEFORE UPDATE ON decisions FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- A CPM is frozen by the approval: once set it stays.
CREATE FUNCTION refuse_cpm_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.cpm_cents IS NOT NULL AND NEW.cpm_cents IS DISTINCT FROM OLD.cpm_cents THEN
    RAISE EXCEPTION 'the CPM of an approved audience is frozen' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER version_audiences_cpm_is_frozen BEFORE UPDATE ON version_audiences FOR EACH ROW EXECUTE FUNCTION refuse_cpm_change();
--> statement-breakpoint
-- What a publisher earned on a line item: whole cents of the spend, its share rounded down (cumulative, so cents never drift).
CREATE FUNCTION commission_cents(spend_micros bigint, rate_bps integer) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (spend_micros / 10000) * rate_bps / 10000
$$;
--> statement-breakpoint
-- CTR as an integer, clicks per 100 million impressions, so that sums of it are exact.
CREATE FUNCTION ctr_units(clicks bigint, impressions bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN impressions = 0 THEN 0 ELSE clicks * 100000000 / impressions END
$$;
--> statement-breakpoint
-- Both sides of a statement are summed per group first and applied in the groups' order: one write a group, and no deadlock between two statements.
CREATE FUNCTION count_line_items() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parts text[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN parts := parts || 'SELECT -1 AS sign, * FROM gone'::text; END IF;
  IF TG_OP <> 'DELETE' THEN parts := parts || 'SELECT 1 AS sign, * FROM come'::text; END IF;
  EXECUTE format(
    'INSERT INTO line_item_counts AS counts (publisher_id, approval_status, status, managed_by_retailer, line_items, impressions, commission_cents, ctr_sum)
     SELECT publisher_id, approval_status, status, managed_by_retailer, sum(sign)::bigint, sum(sign * impressions)::bigint,
            sum(sign * commission_cents(spend_micros, commission_rate_bps))::bigint, sum(sign * ctr_units(clicks, impressions))::bigint
     FROM (%s) changed
     GROUP BY 1, 2, 3, 4
     HAVING sum(sign) <> 0 OR sum(sign * impressions) <> 0 OR sum(sign * commission_cents(spend_micros, commission_rate_bps)) <> 0 OR sum(sign * ctr_units(clicks, impressions)) <> 0
     ORDER BY 1, 2, 3, 4
     ON CONFLICT (publisher_id, approval_status, status, managed_by_retailer) DO UPDATE SET
       line_items = counts.line_items + excluded.line_items, impressions = counts.impressions + excluded.impressions,
       commission_cents = counts.commission_cents + excluded.commission_cents, ctr_sum = counts.ctr_sum + excluded.ctr_sum',
    array_to_string(parts, ' UNION ALL '));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER line_items_counted_insert AFTER INSERT ON line_items REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION count_line_items();
--> statement-breakpoint
CREATE TRIGGER line_items_counted_update AFTER UPDATE ON line_items REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION count_line_items();
--> statement-breakpoint
CREATE TRIGGER line_items_counted_delete AFTER DELETE ON line_items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_line_items();
--> statement-breakpoint
CREATE FUNCTION count_campaigns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parts text[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN parts := parts || 'SELECT -1 AS sign, advertiser_id, status FROM gone'::text; END IF;
  IF TG_OP <> 'DELETE' THEN parts := parts || 'SELECT 1 AS sign, advertiser_id, status FROM come'::text; END IF;
  EXECUTE format(
    'INSERT INTO campaign_counts AS counts (advertiser_id, status, campaigns)
     SELECT advertiser_id, status, sum(sign)::bigint FROM (%s) changed
     GROUP BY 1, 2 HAVING sum(sign) <> 0 ORDER BY 1, 2
     ON CONFLICT (advertiser_id, status) DO UPDATE SET campaigns = counts.campaigns + excluded.campaigns',
    array_to_string(parts, ' UNION ALL '));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER campaigns_counted_insert AFTER INSERT ON campaigns REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();
--> statement-breakpoint
CREATE TRIGGER campaigns_counted_update AFTER UPDATE ON campaigns REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();
--> statement-breakpoint
CREATE TRIGGER campaigns_counted_delete AFTER DELETE ON campaigns REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();
--> statement-breakpoint
-- The counters of a line item and of its campaign are the sums of its deliveries, in the same transaction.
CREATE FUNCTION sum_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parts text[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN parts := parts || 'SELECT -1 AS sign, * FROM gone'::text; END IF;
  IF TG_OP <> 'DELETE' THEN parts := parts || 'SELECT 1 AS sign, * FROM come'::text; END IF;
  EXECUTE format(
    'WITH delta AS (
       SELECT line_item_id, sum(sign * impressions)::bigint AS impressions, sum(sign * clicks)::bigint AS clicks, sum(sign * conversions)::bigint AS conversions,
              sum(sign * spend_micros)::bigint AS spend_micros, sum(sign * revenue_micros)::bigint AS revenue_micros
       FROM (%s) changed GROUP BY 1
     ), items AS (
       UPDATE line_items item SET impressions = item.impressions + delta.impressions, clicks = item.clicks + delta.clicks, conversions = item.conversions + delta.conversions,
              spend_micros = item.spend_micros + delta.spend_micros, revenue_micros = item.revenue_micros + delta.revenue_micros
       FROM delta WHERE item.id = delta.line_item_id RETURNING item.campaign_id, delta.*
     ), per_campaign AS (
       SELECT campaign_id, sum(impressions)::bigint AS impressions, sum(clicks)::bigint AS clicks, sum(conversions)::bigint AS conversions,
              sum(spend_micros)::bigint AS spend_micros, sum(revenue_micros)::bigint AS revenue_micros FROM items GROUP BY 1
     )
     UPDATE campaigns campaign SET impressions = campaign.impressions + part.impressions, clicks = campaign.clicks + part.clicks, conversions = campaign.conversions + part.conversions,
            spend_micros = campaign.spend_micros + part.spend_micros, revenue_micros = campaign.revenue_micros + part.revenue_micros
     FROM per_campaign part WHERE campaign.id = part.campaign_id',
    array_to_string(parts, ' UNION ALL '));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_summed_insert AFTER INSERT ON deliveries REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_deliveries();
--> statement-breakpoint
CREATE TRIGGER deliveries_summed_update AFTER UPDATE ON deliveries REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_deliveries();
--> statement-breakpoint
CREATE TRIGGER deliveries_summed_delete AFTER DELETE ON deliveries REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION sum_deliveries();
