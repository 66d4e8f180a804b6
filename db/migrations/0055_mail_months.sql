-- Mails are partitioned by the month of their id, and what servers reported about them by that of the mail's (docs/decisions/0111).
-- In the order of whoever inserts what was reported: its foreign key locks the mail next.
LOCK TABLE mail_feedback, mails IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
SELECT partition_by_month('mails', 'id');
--> statement-breakpoint
SELECT partition_by_month('mail_feedback', 'mail_id');
--> statement-breakpoint

-- The months of facts have been there since 0032.
DO $$
DECLARE
  month date;
  part record;
  suffix text;
BEGIN
  FOR month IN SELECT generate_series(date_trunc('month', now() AT TIME ZONE 'UTC'), now() AT TIME ZONE 'UTC' + interval '3 months', interval '1 month') LOOP
    suffix := to_char(month, 'YYYY_MM');
    FOR part IN SELECT * FROM month_tables() WHERE name IN ('mails', 'mail_feedback') AND month >= starts ORDER BY place LOOP
      PERFORM prepare_partition(part.name, suffix);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part.name, part.name || '_' || suffix, month_bound(part.kind, month),
        month_bound(part.kind, (month + interval '1 month')::date));
    END LOOP;
  END LOOP;
END $$;
--> statement-breakpoint

-- Drops the partitions of mails of the months before one, with what was reported about them, and makes an empty one of all that time.
-- The server could delete the rows as well. Returns how many were dropped. It waits for a lock as create_month_partitions does, and fails.
CREATE FUNCTION drop_mail_months(before date) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  bound date := date_trunc('month', before::timestamp);
  part record;
  old text;
  dropped integer := 0;
BEGIN
  -- The lock of create_month_partitions. Another process is doing this.
  IF NOT pg_try_advisory_xact_lock(4206660816) THEN RETURN 0; END IF;
  IF NOT EXISTS (SELECT FROM month_tables() WHERE name = 'mails' AND starts < bound) THEN RETURN 0; END IF;
  LOCK TABLE mail_feedback, mails IN ACCESS EXCLUSIVE MODE;
  FOR part IN SELECT * FROM month_tables() WHERE name IN ('mails', 'mail_feedback') ORDER BY place DESC LOOP
    FOR old IN
      SELECT own.relname FROM pg_inherits JOIN pg_class own ON own.oid = inhrelid
      WHERE inhparent = part.name::regclass AND (own.relname LIKE '%\_before\_%' OR to_date(substring(own.relname FROM '_(\d+_\d\d)$'), 'YYYY_MM') < bound)
    LOOP
      EXECUTE format('DROP TABLE %I', old);
      dropped := dropped + 1;
    END LOOP;
    EXECUTE format('DELETE FROM %I WHERE %I < %L', part.name || '_default', part.key, month_bound(part.kind, bound));
  END LOOP;
  FOR part IN SELECT * FROM month_tables() WHERE name IN ('mails', 'mail_feedback') ORDER BY place LOOP
    PERFORM prepare_partition(part.name, 'before_' || to_char(bound, 'YYYY_MM'));
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', part.name, part.name || '_before_' || to_char(bound, 'YYYY_MM'),
      month_bound(part.kind, bound));
  END LOOP;
  RETURN dropped;
END $$;
