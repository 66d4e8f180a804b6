ALTER TABLE "campaign_counts" ADD COLUMN "archived" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "archived_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "line_item_counts" ADD COLUMN "archived" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "line_items" ADD COLUMN "archived_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "campaign_counts" DROP CONSTRAINT "campaign_counts_advertiser_id_status_pk";
--> statement-breakpoint
ALTER TABLE "line_item_counts" DROP CONSTRAINT "line_item_counts_publisher_id_approval_status_status_managed_by_retailer_pk";
--> statement-breakpoint
ALTER TABLE "campaign_counts" ADD CONSTRAINT "campaign_counts_advertiser_id_status_archived_pk" PRIMARY KEY("advertiser_id","status","archived");
--> statement-breakpoint
ALTER TABLE "line_item_counts" ADD CONSTRAINT "line_item_counts_pk" PRIMARY KEY("publisher_id","approval_status","status","managed_by_retailer","archived");
--> statement-breakpoint
CREATE INDEX "campaigns_archived" ON "campaigns" USING btree ("advertiser_id","id") WHERE "campaigns"."archived_at" is not null;
--> statement-breakpoint
CREATE INDEX "line_items_publisher_archived" ON "line_items" USING btree ("publisher_id","id") WHERE "line_items"."archived_at" is not null;
--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_archived_not_running" CHECK ("campaigns"."archived_at" is null or "campaigns"."status" <> 'active');
--> statement-breakpoint
ALTER TABLE "line_items" ADD CONSTRAINT "line_items_archived_not_running" CHECK ("line_items"."archived_at" is null or ("line_items"."status" <> 'active' and "line_items"."approval_status" <> 'pending'));
--> statement-breakpoint
-- The counters have the archived rows apart: lists, tabs and attention items leave them out, and sums of money do not.
CREATE OR REPLACE FUNCTION count_line_items() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parts text[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN parts := parts || 'SELECT -1 AS sign, * FROM gone'::text; END IF;
  IF TG_OP <> 'DELETE' THEN parts := parts || 'SELECT 1 AS sign, * FROM come'::text; END IF;
  EXECUTE format(
    'INSERT INTO line_item_counts AS counts (publisher_id, approval_status, status, managed_by_retailer, archived, line_items, impressions, commission_cents, ctr_sum)
     SELECT publisher_id, approval_status, status, managed_by_retailer, archived_at IS NOT NULL, sum(sign)::bigint, sum(sign * impressions)::bigint,
            sum(sign * commission_cents(spend_micros, commission_rate_bps))::bigint, sum(sign * ctr_units(clicks, impressions))::bigint
     FROM (%s) changed
     GROUP BY 1, 2, 3, 4, 5
     HAVING sum(sign) <> 0 OR sum(sign * impressions) <> 0 OR sum(sign * commission_cents(spend_micros, commission_rate_bps)) <> 0 OR sum(sign * ctr_units(clicks, impressions)) <> 0
     ORDER BY 1, 2, 3, 4, 5
     ON CONFLICT (publisher_id, approval_status, status, managed_by_retailer, archived) DO UPDATE SET
       line_items = counts.line_items + excluded.line_items, impressions = counts.impressions + excluded.impressions,
       commission_cents = counts.commission_cents + excluded.commission_cents, ctr_sum = counts.ctr_sum + excluded.ctr_sum',
    array_to_string(parts, ' UNION ALL '));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_campaigns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parts text[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN parts := parts || 'SELECT -1 AS sign, advertiser_id, status, archived_at FROM gone'::text; END IF;
  IF TG_OP <> 'DELETE' THEN parts := parts || 'SELECT 1 AS sign, advertiser_id, status, archived_at FROM come'::text; END IF;
  EXECUTE format(
    'INSERT INTO campaign_counts AS counts (advertiser_id, status, archived, campaigns)
     SELECT advertiser_id, status, archived_at IS NOT NULL, sum(sign)::bigint FROM (%s) changed
     GROUP BY 1, 2, 3 HAVING sum(sign) <> 0 ORDER BY 1, 2, 3
     ON CONFLICT (advertiser_id, status, archived) DO UPDATE SET campaigns = counts.campaigns + excluded.campaigns',
    array_to_string(parts, ' UNION ALL '));
  RETURN NULL;
END $$;
