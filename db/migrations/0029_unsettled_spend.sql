CREATE TABLE "unsettled_line_items" (
	"line_item_id" uuid PRIMARY KEY NOT NULL,
	"cents" bigint NOT NULL,
	CONSTRAINT "unsettled_line_items_cents" CHECK ("unsettled_line_items"."cents" <> 0)
);
--> statement-breakpoint
CREATE TABLE "unsettled_spend" (
	"advertiser_id" uuid PRIMARY KEY NOT NULL,
	"cents" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "unsettled_line_items" ADD CONSTRAINT "unsettled_line_items_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unsettled_spend" ADD CONSTRAINT "unsettled_spend_advertiser_id_accounts_id_fk" FOREIGN KEY ("advertiser_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint

-- Keeps what is spent and not settled, by line item and by advertiser, when either side changes. Whoever changes a line item's spend
-- or settlement holds the line item's lock.
CREATE FUNCTION sum_unsettled_spend() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text := CASE TG_TABLE_NAME || ' ' || TG_OP
    WHEN 'line_items INSERT' THEN 'SELECT id AS line_item_id, spend_micros / 10000 AS cents FROM come'
    WHEN 'line_items UPDATE' THEN 'SELECT id AS line_item_id, come.spend_micros / 10000 - gone.spend_micros / 10000 AS cents FROM come JOIN gone USING (id)'
    WHEN 'line_item_settlements INSERT' THEN 'SELECT line_item_id, -spend_cents AS cents FROM come'
    WHEN 'line_item_settlements UPDATE' THEN 'SELECT line_item_id, gone.spend_cents - come.spend_cents AS cents FROM come JOIN gone USING (line_item_id)'
  END;
BEGIN
  EXECUTE format(
    'WITH changed AS MATERIALIZED (
       SELECT part.line_item_id, part.cents, coalesce(known.cents, 0) + part.cents AS remaining, campaign.advertiser_id
       FROM (%s) part JOIN line_items item ON item.id = part.line_item_id JOIN campaigns campaign ON campaign.id = item.campaign_id
       LEFT JOIN unsettled_line_items known ON known.line_item_id = part.line_item_id WHERE part.cents <> 0
     ), settled AS (
       DELETE FROM unsettled_line_items kept USING changed WHERE kept.line_item_id = changed.line_item_id AND changed.remaining = 0
     ), unsettled AS (
       INSERT INTO unsettled_line_items AS kept (line_item_id, cents) SELECT line_item_id, cents FROM changed WHERE remaining <> 0 ORDER BY 1
       ON CONFLICT (line_item_id) DO UPDATE SET cents = kept.cents + excluded.cents
     )
     INSERT INTO unsettled_spend AS kept (advertiser_id, cents) SELECT advertiser_id, sum(cents)::bigint FROM changed GROUP BY 1 HAVING sum(cents) <> 0 ORDER BY 1
     ON CONFLICT (advertiser_id) DO UPDATE SET cents = kept.cents + excluded.cents',
    changed);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The triggers lock both tables against writers until the rows below are there.
CREATE TRIGGER line_items_unsettled_insert AFTER INSERT ON line_items REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_unsettled_spend();
--> statement-breakpoint
CREATE TRIGGER line_items_unsettled_update AFTER UPDATE ON line_items REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_unsettled_spend();
--> statement-breakpoint
CREATE TRIGGER settlements_unsettled_insert AFTER INSERT ON line_item_settlements REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_unsettled_spend();
--> statement-breakpoint
CREATE TRIGGER settlements_unsettled_update AFTER UPDATE ON line_item_settlements REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_unsettled_spend();
--> statement-breakpoint
INSERT INTO unsettled_line_items (line_item_id, cents)
SELECT item.id, item.spend_micros / 10000 - coalesce(known.spend_cents, 0) FROM line_items item LEFT JOIN line_item_settlements known ON known.line_item_id = item.id
WHERE item.spend_micros / 10000 <> coalesce(known.spend_cents, 0);
--> statement-breakpoint
INSERT INTO unsettled_spend (advertiser_id, cents)
SELECT campaign.advertiser_id, sum(kept.cents)::bigint FROM unsettled_line_items kept
JOIN line_items item ON item.id = kept.line_item_id JOIN campaigns campaign ON campaign.id = item.campaign_id GROUP BY 1;
