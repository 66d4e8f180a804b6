-- The number of line items that use an audience is kept, so that a publisher's pages need not count them (docs/decisions/0113).
CREATE TABLE "audience_uses" (
	"audience_id" uuid PRIMARY KEY NOT NULL,
	"line_items" bigint NOT NULL
);
--> statement-breakpoint

-- Adds the line items that a statement changes to their audiences, which are those of the approved version and of the one pending a
-- decision, and subtracts what they were. The audiences of a version are written before its line items and never change afterwards.
CREATE FUNCTION count_audience_uses() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  parts text[] := '{}';
BEGIN
  IF TG_OP = 'UPDATE' THEN
    -- Most updates are counters of delivery.
    PERFORM FROM come JOIN gone USING (id)
    WHERE (come.approved_version, come.sent_version, come.approval_status) IS DISTINCT FROM (gone.approved_version, gone.sent_version, gone.approval_status) LIMIT 1;
    IF NOT FOUND THEN RETURN NULL; END IF;
  END IF;
  IF TG_OP <> 'INSERT' THEN parts := parts || 'SELECT -1 AS sign, * FROM gone'::text; END IF;
  IF TG_OP <> 'DELETE' THEN parts := parts || 'SELECT 1 AS sign, * FROM come'::text; END IF;
  EXECUTE format(
    'INSERT INTO audience_uses AS kept (audience_id, line_items)
     SELECT used.audience_id, sum(changed.sign)::bigint
     FROM (%s) changed CROSS JOIN LATERAL (
       SELECT DISTINCT part.audience_id FROM version_audiences part
       WHERE part.campaign_id = changed.campaign_id AND part.publisher_id = changed.publisher_id
         AND (part.version = changed.approved_version OR part.version = changed.sent_version AND changed.approval_status = ''pending'') OFFSET 0
     ) used
     GROUP BY 1 HAVING sum(changed.sign) <> 0 ORDER BY 1
     ON CONFLICT (audience_id) DO UPDATE SET line_items = kept.line_items + excluded.line_items',
    array_to_string(parts, ' UNION ALL '));
  RETURN NULL;
END $$;
--> statement-breakpoint
-- They wait for transactions that have written line items already: the next migration counts those.
CREATE TRIGGER line_items_uses_insert AFTER INSERT ON line_items REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION count_audience_uses();
--> statement-breakpoint
CREATE TRIGGER line_items_uses_update AFTER UPDATE ON line_items REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION count_audience_uses();
--> statement-breakpoint
CREATE TRIGGER line_items_uses_delete AFTER DELETE ON line_items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_audience_uses();
--> statement-breakpoint

-- Counts older line items, an audience in each transaction. Holding the audience's row, it sees all line items whose triggers have
-- changed the row, and none of those whose triggers wait for it and add to what is counted. It may be interrupted and repeated.
CREATE PROCEDURE fill_audience_uses() LANGUAGE plpgsql AS $$
DECLARE
  latest uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  LOOP
    latest := (SELECT id FROM audiences WHERE id > latest AND EXISTS (SELECT FROM version_audiences WHERE audience_id = audiences.id) ORDER BY id LIMIT 1);
    EXIT WHEN latest IS NULL;
    INSERT INTO audience_uses AS kept (audience_id, line_items) VALUES (latest, 0) ON CONFLICT (audience_id) DO UPDATE SET line_items = kept.line_items;
    UPDATE audience_uses SET line_items = (
      SELECT count(DISTINCT item.id) FROM version_audiences part JOIN line_items item ON item.campaign_id = part.campaign_id AND item.publisher_id = part.publisher_id
        AND (part.version = item.approved_version OR part.version = item.sent_version AND item.approval_status = 'pending')
      WHERE part.audience_id = latest
    ) WHERE audience_id = latest;
    COMMIT;
  END LOOP;
END $$;
