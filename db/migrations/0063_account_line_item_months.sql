-- Which line items of an account delivered in a month, so that analytics by campaign do not ask all that it ever had (docs/decisions/0117).
CREATE TABLE "account_line_item_months" (
	"account_id" uuid NOT NULL,
	"month" date NOT NULL,
	"line_item_id" uuid NOT NULL,
	CONSTRAINT "account_line_item_months_pk" PRIMARY KEY("account_id","month","line_item_id")
);
--> statement-breakpoint

-- Adds the line items that deliver in a month for the first time, to their advertiser and to their publisher. Months are never deleted.
CREATE FUNCTION list_account_line_items() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO account_line_item_months (account_id, month, line_item_id)
  SELECT owner.id, come.month, come.line_item_id
  FROM come CROSS JOIN LATERAL (SELECT campaign_id, publisher_id FROM line_items WHERE id = come.line_item_id OFFSET 0) item
    CROSS JOIN LATERAL (SELECT advertiser_id FROM campaigns WHERE id = item.campaign_id OFFSET 0) campaign
    CROSS JOIN LATERAL (VALUES (campaign.advertiser_id), (item.publisher_id)) owner (id)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- It waits for transactions that have written months already: the next migration reads those.
CREATE TRIGGER line_item_months_listed AFTER INSERT ON line_item_months REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION list_account_line_items();
--> statement-breakpoint

-- Adds older months, those of 2,000 line items in each transaction. It locks nothing, and may be interrupted and repeated.
CREATE PROCEDURE fill_account_line_item_months() LANGUAGE plpgsql AS $$
DECLARE
  latest uuid := '00000000-0000-0000-0000-000000000000';
  ids uuid[];
BEGIN
  LOOP
    ids := ARRAY(SELECT id FROM line_items WHERE id > latest ORDER BY id LIMIT 2000);
    EXIT WHEN cardinality(ids) = 0;
    INSERT INTO account_line_item_months (account_id, month, line_item_id)
    SELECT owner.id, known.month, item.id
    FROM unnest(ids) part (id) CROSS JOIN LATERAL (SELECT id, campaign_id, publisher_id FROM line_items WHERE id = part.id OFFSET 0) item
      CROSS JOIN LATERAL (SELECT month FROM line_item_months WHERE line_item_id = item.id OFFSET 0) known
      CROSS JOIN LATERAL (SELECT advertiser_id FROM campaigns WHERE id = item.campaign_id OFFSET 0) campaign
      CROSS JOIN LATERAL (VALUES (campaign.advertiser_id), (item.publisher_id)) owner (id)
    ON CONFLICT DO NOTHING;
    latest := ids[cardinality(ids)];
    COMMIT;
  END LOOP;
END $$;
