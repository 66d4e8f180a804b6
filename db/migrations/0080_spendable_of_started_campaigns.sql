-- A campaign that stops being active takes its line items with it in the next statement, whose trigger stores what the campaign can spend.
-- Its own trigger did so before them: it locked the sum of the advertiser before the counters of the publishers, which everything else locks
-- first, so that an advertiser's pause and a publisher's deadlocked (docs/decisions/0112).
CREATE OR REPLACE FUNCTION sum_spendable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
BEGIN
  IF TG_TABLE_NAME = 'line_item_days' THEN
    SELECT array_agg(DISTINCT item.campaign_id) INTO ids FROM come JOIN line_items item ON item.id = come.line_item_id;
  ELSIF TG_TABLE_NAME = 'campaigns' THEN
    EXECUTE 'SELECT array_agg(come.id) FROM come JOIN gone USING (id) WHERE come.status = ''active'' AND gone.status <> ''active''' INTO ids;
  ELSIF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT campaign_id) INTO ids FROM come WHERE status = 'active';
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT campaign_id) INTO ids FROM gone WHERE status = 'active';
  ELSE
    EXECUTE 'SELECT array_agg(DISTINCT come.campaign_id) FROM come JOIN gone USING (id)
    WHERE (come.status, come.approved_version, come.sent_version) IS DISTINCT FROM (gone.status, gone.approved_version, gone.sent_version)
      AND ''active'' IN (come.status, gone.status)' INTO ids;
  END IF;
  IF ids IS NOT NULL THEN PERFORM store_spendable(ids); END IF;
  RETURN NULL;
END $$;
