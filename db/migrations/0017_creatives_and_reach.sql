CREATE TABLE "line_item_creatives" (
	"line_item_id" uuid NOT NULL,
	"creative_id" uuid NOT NULL,
	"impressions" bigint NOT NULL,
	"clicks" bigint NOT NULL,
	"conversions" bigint NOT NULL,
	"spend_micros" bigint NOT NULL,
	"revenue_micros" bigint NOT NULL,
	CONSTRAINT "line_item_creatives_line_item_id_creative_id_pk" PRIMARY KEY("line_item_id","creative_id")
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "reach" bigint;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "creatives" jsonb;--> statement-breakpoint
ALTER TABLE "delivery_revisions" ADD COLUMN "reach" bigint;--> statement-breakpoint
ALTER TABLE "delivery_revisions" ADD COLUMN "creatives" jsonb;--> statement-breakpoint
-- What a fact says of its creatives: each once, with figures that could be a fact's, together no more than the fact's own.
CREATE FUNCTION creatives_fit(creatives jsonb, of_impressions bigint, of_clicks bigint, of_conversions bigint, of_spend bigint, of_revenue bigint, of_reported bigint) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(count(*) > 0 AND count(*) = count(DISTINCT creative_id) AND sum(impressions) <= of_impressions AND sum(clicks) <= of_clicks AND sum(conversions) <= of_conversions
    AND sum(spend_micros) <= of_spend AND sum(revenue_micros) <= of_revenue AND sum(reported_micros) <= of_reported
    AND bool_and(clicks BETWEEN 0 AND impressions AND conversions >= 0 AND spend_micros >= 0 AND revenue_micros >= 0 AND reported_micros >= 0), false)
  FROM jsonb_to_recordset(creatives) AS part (creative_id uuid, impressions bigint, clicks bigint, conversions bigint, spend_micros bigint, revenue_micros bigint, reported_micros bigint)
$$;
--> statement-breakpoint
ALTER TABLE "line_item_creatives" ADD CONSTRAINT "line_item_creatives_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_reach" CHECK ("deliveries"."reach" between least("deliveries"."impressions", 1) and "deliveries"."impressions");--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_creatives" CHECK ("deliveries"."creatives" is null or creatives_fit("deliveries"."creatives", "deliveries"."impressions", "deliveries"."clicks", "deliveries"."conversions", "deliveries"."spend_micros", "deliveries"."revenue_micros", "deliveries"."reported_micros"));
--> statement-breakpoint
-- What a line item's creatives delivered: those of its facts, in the facts' transaction. Who writes a line item's facts holds its
-- campaign's lock.
CREATE FUNCTION sum_delivery_creatives() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text := 'SELECT 1 AS sign, line_item_id, creatives FROM come WHERE creatives IS NOT NULL';
BEGIN
  IF TG_OP = 'UPDATE' THEN changed := changed || ' UNION ALL SELECT -1, line_item_id, creatives FROM gone WHERE creatives IS NOT NULL'; END IF;
  EXECUTE format(
    'INSERT INTO line_item_creatives AS kept (line_item_id, creative_id, impressions, clicks, conversions, spend_micros, revenue_micros)
     SELECT line_item_id, creative_id, sum(sign * impressions), sum(sign * clicks), sum(sign * conversions), sum(sign * spend_micros), sum(sign * revenue_micros)
     FROM (%s) changed CROSS JOIN LATERAL jsonb_to_recordset(creatives) AS part (creative_id uuid, impressions bigint, clicks bigint, conversions bigint, spend_micros bigint, revenue_micros bigint)
     GROUP BY 1, 2 ORDER BY 1, 2
     ON CONFLICT (line_item_id, creative_id) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks,
       conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros,
       revenue_micros = kept.revenue_micros + excluded.revenue_micros',
    changed);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_summed_creatives_insert AFTER INSERT ON deliveries REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_delivery_creatives();
--> statement-breakpoint
CREATE TRIGGER deliveries_summed_creatives_update AFTER UPDATE ON deliveries REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_delivery_creatives();
--> statement-breakpoint
-- The history has reach and creatives too.
CREATE OR REPLACE FUNCTION keep_delivery_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO delivery_revisions (line_item_id, publisher_id, day, audience_id, channel, source, revision, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, reach, creatives, report_id, replaced_by)
    SELECT line_item_id, gone.publisher_id, day, audience_id, channel, source, gone.revision, gone.impressions, gone.clicks, gone.conversions, gone.spend_micros, gone.revenue_micros, gone.reported_micros, gone.reach, gone.creatives, gone.report_id, come.report_id
    FROM gone LEFT JOIN come USING (line_item_id, day, audience_id, channel, source) WHERE come.revision = gone.revision + 1;
  IF (SELECT count(*) FROM gone) <> (SELECT count(*) FROM come JOIN delivery_revisions kept USING (line_item_id, day, audience_id, channel, source) WHERE kept.revision = come.revision - 1) THEN
    RAISE EXCEPTION 'a restatement is the next revision of the same fact' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
