-- What a statement changed is joined with what it was by statements that are planned anew each time. A function keeps the plans of its own
-- statements for the connection, and one that was planned for a single row compares each row of a large statement with each other.
CREATE OR REPLACE FUNCTION keep_delivery_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'INSERT INTO delivery_revisions (line_item_id, publisher_id, day, audience_id, channel, source, revision, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, reach, creatives, report_id, replaced_by)
    SELECT line_item_id, gone.publisher_id, day, audience_id, channel, source, gone.revision, gone.impressions, gone.clicks, gone.conversions, gone.spend_micros, gone.revenue_micros, gone.reported_micros, gone.reach, gone.creatives, gone.report_id, come.report_id
    FROM gone LEFT JOIN come USING (line_item_id, day, audience_id, channel, source) WHERE come.revision = gone.revision + 1';
  IF (SELECT count(*) FROM gone) <> (SELECT count(*) FROM come JOIN delivery_revisions kept USING (line_item_id, day, audience_id, channel, source) WHERE kept.revision = come.revision - 1) THEN
    RAISE EXCEPTION 'a restatement is the next revision of the same fact' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sum_revenue_share_days() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO revenue_share_days AS kept (publisher_id, day, settled_cents, refunded_cents, unpaid_cents, unpaid_deductions_cents)
    SELECT publisher_id, settled_through, coalesce(sum(earnings_cents) FILTER (WHERE refund_id IS NULL), 0),
      coalesce(sum(earnings_cents) FILTER (WHERE refund_id IS NOT NULL), 0),
      coalesce(sum(earnings_cents) FILTER (WHERE payout_id IS NULL AND earnings_cents >= 0), 0),
      coalesce(sum(earnings_cents) FILTER (WHERE payout_id IS NULL AND earnings_cents < 0), 0)
    FROM come GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (publisher_id, day) DO UPDATE SET settled_cents = kept.settled_cents + excluded.settled_cents,
      refunded_cents = kept.refunded_cents + excluded.refunded_cents, unpaid_cents = kept.unpaid_cents + excluded.unpaid_cents,
      unpaid_deductions_cents = kept.unpaid_deductions_cents + excluded.unpaid_deductions_cents;
  ELSE
    EXECUTE 'UPDATE revenue_share_days kept SET unpaid_cents = kept.unpaid_cents + moved.shares, unpaid_deductions_cents = kept.unpaid_deductions_cents + moved.deductions
    FROM (
      SELECT publisher_id, settled_through, coalesce(sum(cents) FILTER (WHERE NOT is_deduction), 0) AS shares, coalesce(sum(cents) FILTER (WHERE is_deduction), 0) AS deductions
      FROM (
        SELECT come.publisher_id, come.settled_through, come.earnings_cents < 0 AS is_deduction,
          CASE WHEN come.payout_id IS NULL THEN come.earnings_cents ELSE -come.earnings_cents END AS cents
        FROM come JOIN gone USING (id) WHERE (come.payout_id IS NULL) <> (gone.payout_id IS NULL)
      ) share GROUP BY 1, 2
    ) moved WHERE kept.publisher_id = moved.publisher_id AND kept.day = moved.settled_through';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sum_spendable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
BEGIN
  IF TG_TABLE_NAME = 'line_item_days' THEN
    SELECT array_agg(DISTINCT item.campaign_id) INTO ids FROM come JOIN line_items item ON item.id = come.line_item_id;
  ELSIF TG_TABLE_NAME = 'campaigns' THEN
    EXECUTE 'SELECT array_agg(come.id) FROM come JOIN gone USING (id) WHERE come.status <> gone.status AND ''active'' IN (come.status, gone.status)' INTO ids;
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
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_audience_uses() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  parts text[] := '{}';
  moved bigint;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    -- Most updates are counters of delivery. All rows are joined: a search for the first would be planned as if it came soon.
    EXECUTE 'SELECT count(*) FROM come JOIN gone USING (id)
    WHERE (come.approved_version, come.sent_version, come.approval_status) IS DISTINCT FROM (gone.approved_version, gone.sent_version, gone.approval_status)' INTO moved;
    IF moved = 0 THEN RETURN NULL; END IF;
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
