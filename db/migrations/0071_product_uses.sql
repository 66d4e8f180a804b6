-- Which campaigns show a product is kept, so that the page before its deletion need not ask all that are not over (docs/decisions/0122).
CREATE TABLE "product_uses" (
	"advertiser_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	CONSTRAINT "product_uses_pk" PRIMARY KEY("advertiser_id","product_id","campaign_id")
);
--> statement-breakpoint
CREATE INDEX "product_uses_campaign" ON "product_uses" USING btree ("campaign_id");
--> statement-breakpoint

-- Stores the products of the versions that publishers approved or that await their decision. Whoever changes a campaign or its line items
-- has locked the campaign, so that its rows are written by one at a time. A product may be gone that a version names.
CREATE FUNCTION store_product_uses(ids uuid[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  known uuid;
  owner uuid;
  shown uuid[];
BEGIN
  -- Campaign by campaign, so that each statement is a look-up by key whatever the planner knows, and however many there are.
  FOREACH known IN ARRAY ids LOOP
    SELECT campaign.advertiser_id, ARRAY(
      SELECT DISTINCT product.id
      FROM line_items item
      CROSS JOIN LATERAL (
        SELECT product_ids FROM campaign_versions version WHERE version.campaign_id = known
          AND version.number = ANY (ARRAY[item.approved_version, CASE WHEN item.approval_status = 'pending' THEN item.sent_version END]) OFFSET 0
      ) part
      CROSS JOIN LATERAL unnest(part.product_ids) AS product (id)
      WHERE item.campaign_id = known AND item.withdrawn_at IS NULL
    ) INTO owner, shown FROM campaigns campaign WHERE campaign.id = known AND campaign.status IN ('pending', 'active', 'paused');
    DELETE FROM product_uses WHERE campaign_id = known AND (product_id = ANY (shown)) IS NOT TRUE;
    INSERT INTO product_uses (advertiser_id, product_id, campaign_id) SELECT owner, product.id, known FROM unnest(shown) AS product (id) ON CONFLICT DO NOTHING;
  END LOOP;
END $$;
--> statement-breakpoint

-- Finds the campaigns of which a statement may change what they show. Most updates are counters of delivery and change nothing.
CREATE FUNCTION list_product_uses() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
BEGIN
  IF TG_TABLE_NAME = 'campaigns' THEN
    EXECUTE 'SELECT array_agg(come.id) FROM come JOIN gone USING (id)
    WHERE come.status <> gone.status AND (come.status IN (''pending'', ''active'', ''paused'')) <> (gone.status IN (''pending'', ''active'', ''paused''))' INTO ids;
  ELSIF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT campaign_id) INTO ids FROM come;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT campaign_id) INTO ids FROM gone;
  ELSE
    EXECUTE 'SELECT array_agg(DISTINCT come.campaign_id) FROM come JOIN gone USING (id)
    WHERE (come.approved_version, come.sent_version, come.approval_status, come.withdrawn_at IS NULL)
      IS DISTINCT FROM (gone.approved_version, gone.sent_version, gone.approval_status, gone.withdrawn_at IS NULL)' INTO ids;
  END IF;
  IF ids IS NOT NULL THEN PERFORM store_product_uses(ids); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint

-- Stores what older campaigns show, part by part, under the lock of whoever changes them. It may be interrupted and repeated.
CREATE PROCEDURE fill_product_uses() LANGUAGE plpgsql AS $$
DECLARE
  latest uuid := '00000000-0000-0000-0000-000000000000';
  part uuid[];
BEGIN
  LOOP
    part := ARRAY(SELECT id FROM campaigns WHERE id > latest AND status IN ('pending', 'active', 'paused') ORDER BY id LIMIT 500);
    EXIT WHEN cardinality(part) = 0;
    PERFORM FROM campaigns WHERE id = ANY (part) ORDER BY id FOR NO KEY UPDATE;
    PERFORM store_product_uses(part);
    latest := part[cardinality(part)];
    COMMIT;
  END LOOP;
END $$;
