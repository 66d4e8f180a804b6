CREATE TABLE "line_item_months" (
	"line_item_id" uuid NOT NULL,
	"month" date NOT NULL,
	"impressions" bigint NOT NULL,
	"clicks" bigint NOT NULL,
	"conversions" bigint NOT NULL,
	"spend_micros" bigint NOT NULL,
	"revenue_micros" bigint NOT NULL,
	CONSTRAINT "line_item_months_line_item_id_month_pk" PRIMARY KEY("line_item_id","month"),
	CONSTRAINT "line_item_months_first" CHECK (extract(day from "line_item_months"."month") = 1)
);
--> statement-breakpoint
ALTER TABLE "campaign_versions" ADD COLUMN "product_category" text;--> statement-breakpoint
ALTER TABLE "line_item_months" ADD CONSTRAINT "line_item_months_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- What versions of before count as: by what their products are now.
ALTER TABLE campaign_versions DISABLE TRIGGER campaign_versions_are_kept;
--> statement-breakpoint
UPDATE campaign_versions version SET product_category = (
  SELECT product.category FROM products product WHERE product.id = ANY (version.product_ids) GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1)
  WHERE product_ids <> '{}';
--> statement-breakpoint
ALTER TABLE campaign_versions ENABLE TRIGGER campaign_versions_are_kept;
--> statement-breakpoint
-- A line item's days are few beside its facts, so that summing them once more costs a report next to nothing. Who writes a
-- line item's days holds its campaign's lock.
CREATE FUNCTION sum_line_item_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text := 'SELECT 1 AS sign, * FROM come';
BEGIN
  IF TG_OP = 'UPDATE' THEN changed := changed || ' UNION ALL SELECT -1, * FROM gone'; END IF;
  EXECUTE format(
    'INSERT INTO line_item_months AS kept (line_item_id, month, impressions, clicks, conversions, spend_micros, revenue_micros)
     SELECT line_item_id, date_trunc(''month'', day::timestamp)::date, sum(sign * impressions), sum(sign * clicks), sum(sign * conversions), sum(sign * spend_micros), sum(sign * revenue_micros)
     FROM (%s) changed GROUP BY 1, 2 ORDER BY 1, 2
     ON CONFLICT (line_item_id, month) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks,
       conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros,
       revenue_micros = kept.revenue_micros + excluded.revenue_micros',
    changed);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER line_item_days_summed_insert AFTER INSERT ON line_item_days REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_line_item_days();
--> statement-breakpoint
CREATE TRIGGER line_item_days_summed_update AFTER UPDATE ON line_item_days REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_line_item_days();
--> statement-breakpoint
INSERT INTO line_item_months SELECT line_item_id, date_trunc('month', day::timestamp)::date, sum(impressions), sum(clicks), sum(conversions), sum(spend_micros), sum(revenue_micros)
  FROM line_item_days GROUP BY 1, 2;
