-- How many line items of a campaign are rejected, so that a dashboard need not look for one among all campaigns (docs/decisions/0119).
ALTER TABLE "campaigns" ADD COLUMN "rejected_line_items" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint

-- Adds the line items that a statement rejects to their campaigns, and subtracts those that no longer are. Whoever changes a line item has
-- locked its campaign. Rejections are rare, and what a statement only counts otherwise is passed over.
CREATE FUNCTION count_rejected_line_items() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  parts text[] := '{}';
  changed record;
BEGIN
  IF TG_OP <> 'INSERT' THEN parts := parts || 'SELECT -1 AS sign, campaign_id FROM gone WHERE approval_status = ''rejected'''::text; END IF;
  IF TG_OP <> 'DELETE' THEN parts := parts || 'SELECT 1 AS sign, campaign_id FROM come WHERE approval_status = ''rejected'''::text; END IF;
  FOR changed IN EXECUTE format('SELECT campaign_id, sum(sign)::int AS items FROM (%s) part GROUP BY 1 HAVING sum(sign) <> 0 ORDER BY 1', array_to_string(parts, ' UNION ALL ')) LOOP
    UPDATE campaigns SET rejected_line_items = rejected_line_items + changed.items WHERE id = changed.campaign_id;
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Counts older rejections, a campaign in each transaction, under the lock of whoever changes its line items. A campaign whose older rejection
-- is over by now has the number -1, and is counted too. It may be interrupted and repeated.
CREATE PROCEDURE fill_rejected_line_items() LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT campaign_id FROM line_items WHERE approval_status = 'rejected' UNION SELECT id FROM campaigns WHERE rejected_line_items <> 0 ORDER BY 1);
  known uuid;
BEGIN
  FOREACH known IN ARRAY ids LOOP
    PERFORM FROM campaigns WHERE id = known FOR NO KEY UPDATE;
    UPDATE campaigns SET rejected_line_items = (SELECT count(*) FROM line_items WHERE campaign_id = known AND approval_status = 'rejected') WHERE id = known;
    COMMIT;
  END LOOP;
END $$;
