-- Triggers for each changed row, which PostgreSQL passes over where a statement sets none of their columns: reports of delivery and pauses,
-- which are most updates of line items, no longer join what came with what went (docs/decisions/0119, 0122).
CREATE FUNCTION count_rejected_line_item() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE campaigns SET rejected_line_items = rejected_line_items + CASE WHEN NEW.approval_status = 'rejected' THEN 1 ELSE -1 END WHERE id = NEW.campaign_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION list_product_uses_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'campaigns' THEN PERFORM store_product_uses(ARRAY[NEW.id]);
  ELSE PERFORM store_product_uses(ARRAY[NEW.campaign_id]);
  END IF;
  RETURN NULL;
END $$;
