-- Which campaigns show a creative is kept as it is for products: the page before its deletion, and its deletion, asked all versions that ever
-- had it (docs/decisions/0122).
CREATE TABLE "creative_uses" (
	"creative_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	CONSTRAINT "creative_uses_pk" PRIMARY KEY("creative_id","campaign_id")
);
--> statement-breakpoint
CREATE INDEX "creative_uses_campaign" ON "creative_uses" USING btree ("campaign_id");
--> statement-breakpoint

-- Stores the creatives of the versions that publishers approved or that await their decision. Whoever changes a campaign or its line items
-- has locked the campaign, so that its rows are written by one at a time.
CREATE FUNCTION store_creative_uses(ids uuid[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  known uuid;
  shown uuid[];
BEGIN
  -- Campaign by campaign, so that each statement is a look-up by key whatever the planner knows, and however many there are.
  FOREACH known IN ARRAY ids LOOP
    SELECT ARRAY(
      SELECT DISTINCT creative.id
      FROM line_items item
      CROSS JOIN LATERAL (
        SELECT creative_ids FROM campaign_versions version WHERE version.campaign_id = known
          AND version.number = ANY (ARRAY[item.approved_version, CASE WHEN item.approval_status = 'pending' THEN item.sent_version END]) OFFSET 0
      ) part
      CROSS JOIN LATERAL unnest(part.creative_ids) AS creative (id)
      WHERE item.campaign_id = known AND item.withdrawn_at IS NULL
    ) INTO shown FROM campaigns campaign WHERE campaign.id = known AND campaign.status IN ('pending', 'active', 'paused');
    DELETE FROM creative_uses WHERE campaign_id = known AND (creative_id = ANY (shown)) IS NOT TRUE;
    INSERT INTO creative_uses (creative_id, campaign_id) SELECT creative.id, known FROM unnest(shown) AS creative (id) ON CONFLICT DO NOTHING;
  END LOOP;
END $$;
--> statement-breakpoint

-- Lists what the campaigns show whose line items a statement inserts or deletes. What an update changes is seen row by row.
CREATE FUNCTION list_uses() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN SELECT array_agg(DISTINCT campaign_id) INTO ids FROM come;
  ELSE SELECT array_agg(DISTINCT campaign_id) INTO ids FROM gone;
  END IF;
  IF ids IS NULL THEN RETURN NULL; END IF;
  PERFORM store_product_uses(ids);
  PERFORM store_creative_uses(ids);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION list_uses_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
BEGIN
  IF TG_TABLE_NAME = 'campaigns' THEN ids := ARRAY[NEW.id]; ELSE ids := ARRAY[NEW.campaign_id]; END IF;
  PERFORM store_product_uses(ids);
  PERFORM store_creative_uses(ids);
  RETURN NULL;
END $$;
--> statement-breakpoint

-- Updates are counted row by row (0075).
CREATE OR REPLACE FUNCTION count_rejected_line_items() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  changed record;
BEGIN
  FOR changed IN EXECUTE format('SELECT campaign_id, count(*)::int AS items FROM %I WHERE approval_status = ''rejected'' GROUP BY 1 ORDER BY 1', CASE TG_OP WHEN 'INSERT' THEN 'come' ELSE 'gone' END) LOOP
    UPDATE campaigns SET rejected_line_items = rejected_line_items + CASE TG_OP WHEN 'INSERT' THEN changed.items ELSE -changed.items END WHERE id = changed.campaign_id;
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint

-- Stores what older campaigns show, part by part, under the lock of whoever changes them. It may be interrupted and repeated.
CREATE PROCEDURE fill_creative_uses() LANGUAGE plpgsql AS $$
DECLARE
  latest uuid := '00000000-0000-0000-0000-000000000000';
  part uuid[];
BEGIN
  LOOP
    part := ARRAY(SELECT id FROM campaigns WHERE id > latest AND status IN ('pending', 'active', 'paused') ORDER BY id LIMIT 500);
    EXIT WHEN cardinality(part) = 0;
    PERFORM FROM campaigns WHERE id = ANY (part) ORDER BY id FOR NO KEY UPDATE;
    PERFORM store_creative_uses(part);
    latest := part[cardinality(part)];
    COMMIT;
  END LOOP;
END $$;
