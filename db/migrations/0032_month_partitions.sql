-- Facts and their revisions are partitioned by the month of their day (docs/decisions/0101).

-- Returns where a month begins in the order of a partition key: a day, or an id, which begins with its time (UUID version 7).
CREATE FUNCTION month_bound(kind regtype, month date) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE kind WHEN 'date'::regtype THEN month::text
    ELSE regexp_replace(lpad(to_hex((extract(epoch FROM month::timestamp) * 1000)::bigint), 12, '0'), '(.{8})(.{4})', '\1-\2-0000-0000-000000000000') END
$$;
--> statement-breakpoint

-- Returns the month of a value of a partition key.
CREATE FUNCTION month_of(kind regtype, value text) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT date_trunc('month', CASE kind WHEN 'date'::regtype THEN value::date::timestamp
    ELSE to_timestamp(('x' || left(replace(value, '-', ''), 12))::bit(48)::bigint / 1000.0) AT TIME ZONE 'UTC' END)::date
$$;
--> statement-breakpoint

-- Returns the partitioned tables, with their key and the first month that has a partition of its own; those that others refer to first.
CREATE FUNCTION month_tables() RETURNS TABLE (name text, key text, kind regtype, starts date, place bigint) LANGUAGE sql STABLE AS $$
  SELECT whole.relname, key.attname, key.atttypid::regtype, coalesce(to_date(substring(past.relname FROM '_before_(\d+_\d\d)$'), 'YYYY_MM'), '-infinity'),
    row_number() OVER (ORDER BY EXISTS (
      SELECT FROM pg_inherits mine JOIN pg_constraint fk ON fk.conrelid = mine.inhrelid AND fk.contype = 'f' JOIN pg_inherits theirs ON theirs.inhrelid = fk.confrelid
      WHERE mine.inhparent = whole.oid), whole.relname)
  FROM pg_partitioned_table part JOIN pg_class whole ON whole.oid = part.partrelid AND whole.relnamespace = 'public'::regnamespace
  JOIN pg_attribute key ON key.attrelid = whole.oid AND key.attnum = part.partattrs[0]
  LEFT JOIN (pg_inherits mine JOIN pg_class past ON past.oid = mine.inhrelid AND past.relname LIKE '%\_before\_%') ON mine.inhparent = whole.oid
$$;
--> statement-breakpoint

-- Creates a table that can be attached to a partitioned one: with its columns, keys and checks, its guard against TRUNCATE, and the
-- foreign keys of its other partitions. Where those refer to a partition, the new one refers to the partition of the same months; what
-- is unique in each of them without the partition key is so in the new one.
CREATE FUNCTION prepare_partition(parent text, suffix text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  part text := parent || '_' || suffix;
  found record;
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING INDEXES)', part, parent);
  FOR found IN
    SELECT DISTINCT ON (fk.conname) fk.conname, fk.confrelid::regclass::text AS target, theirs.inhparent::regclass::text AS whole, pg_get_constraintdef(fk.oid) AS definition
    FROM pg_inherits mine JOIN pg_constraint fk ON fk.conrelid = mine.inhrelid AND fk.contype = 'f' LEFT JOIN pg_inherits theirs ON theirs.inhrelid = fk.confrelid
    WHERE mine.inhparent = parent::regclass ORDER BY fk.conname, mine.inhrelid
  LOOP
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I ', part, found.conname)
      || replace(found.definition, ' ' || found.target || '(', ' ' || coalesce(found.whole || '_' || suffix, found.target) || '(');
  END LOOP;
  FOR found IN
    SELECT DISTINCT pg_get_constraintdef(key.oid) AS definition FROM pg_inherits mine JOIN pg_constraint key ON key.conrelid = mine.inhrelid
    WHERE mine.inhparent = parent::regclass AND key.contype = 'u' AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = key.conindid)
  LOOP
    EXECUTE format('ALTER TABLE %I ADD %s', part, found.definition);
  END LOOP;
  FOR found IN SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE tgrelid = parent::regclass AND tgtype & 32 <> 0 LOOP
    EXECUTE replace(found.definition, format(' ON public.%I ', parent), format(' ON public.%I ', part));
  END LOOP;
END $$;
--> statement-breakpoint

-- Creates the partitions of this month and of those until a day, at most a year ahead, where they are missing, and of months whose rows
-- are in the default partition, from which they are moved. Returns how many were created. It waits for a lock less long than
-- PostgreSQL waits before it looks for a deadlock, so that this fails and is repeated, and never a transaction that writes.
CREATE FUNCTION create_month_partitions(until date) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  today timestamp := now() AT TIME ZONE 'UTC';
  first date := date_trunc('month', today);
  earliest date;
  month date;
  suffix text;
  missing text[];
  created integer := 0;
  part record;
BEGIN
  -- An arbitrary number that no other code locks. Another process is doing this.
  IF NOT pg_try_advisory_xact_lock(4206660816) THEN RETURN 0; END IF;
  FOR part IN SELECT * FROM month_tables() LOOP
    EXECUTE format('SELECT month_of(%L, %I::text) FROM %I ORDER BY %I LIMIT 1', part.kind, part.key, part.name || '_default', part.key) INTO earliest;
    first := least(first, earliest);
  END LOOP;
  FOR month IN SELECT generate_series(first, least(until, today + interval '1 year'), interval '1 month') LOOP
    suffix := to_char(month, 'YYYY_MM');
    missing := ARRAY(SELECT name FROM month_tables() WHERE month >= starts AND to_regclass(format('public.%I', name || '_' || suffix)) IS NULL ORDER BY place);
    -- All other locks are held before those of the default partitions, which readers of several months need.
    FOR part IN SELECT * FROM month_tables() WHERE name = ANY (missing) ORDER BY place LOOP
      PERFORM prepare_partition(part.name, suffix);
    END LOOP;
    FOR part IN SELECT * FROM month_tables() WHERE name = ANY (missing) ORDER BY place LOOP
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', part.name || '_default');
      EXECUTE format('INSERT INTO %1$I SELECT * FROM %2$I WHERE %3$I >= %4$L AND %3$I < %5$L', part.name || '_' || suffix, part.name || '_default', part.key,
        month_bound(part.kind, month), month_bound(part.kind, (month + interval '1 month')::date));
    END LOOP;
    FOR part IN SELECT * FROM month_tables() WHERE name = ANY (missing) ORDER BY place DESC LOOP
      EXECUTE format('ALTER TABLE %I DISABLE TRIGGER USER', part.name || '_default');
      EXECUTE format('DELETE FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L', part.name || '_default', part.key, month_bound(part.kind, month),
        month_bound(part.kind, (month + interval '1 month')::date));
      EXECUTE format('ALTER TABLE %I ENABLE TRIGGER USER', part.name || '_default');
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part.name, part.name || '_' || suffix,
        month_bound(part.kind, month), month_bound(part.kind, (month + interval '1 month')::date));
      created := created + 1;
    END LOOP;
  END LOOP;
  RETURN created;
END $$;
--> statement-breakpoint

-- Creates the statistics of whole partitioned tables, which autovacuum does not.
CREATE FUNCTION analyze_month_tables() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE part record;
BEGIN
  FOR part IN SELECT * FROM month_tables() LOOP EXECUTE format('ANALYZE %I', part.name); END LOOP;
END $$;
--> statement-breakpoint

-- Makes a table the partition before the first month of a partitioned table that has its name, columns, keys, checks, foreign keys,
-- triggers and privileges, and creates the default partition. No row is read or written. Foreign keys to another partition remain
-- those of the partition, and so does what is unique without the partition key.
-- replaced under its name: statements of every version find the partitioned table
CREATE FUNCTION partition_by_month(whole text, key text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bound text := (SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''') FROM pg_constraint WHERE conrelid = whole::regclass AND conname = whole || '_past');
  kind regtype := (SELECT atttypid FROM pg_attribute WHERE attrelid = whole::regclass AND attname = key);
  past text := whole || '_before_' || to_char(month_of(kind, bound), 'YYYY_MM');
  found record;
BEGIN
  EXECUTE format('ALTER TABLE %I RENAME TO %I', whole, past);
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE) PARTITION BY RANGE (%I)', whole, past, key);
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', whole, whole || '_past');
  FOR found IN
    SELECT own.relname AS name, pg_get_constraintdef(same.oid) AS definition, pg_get_indexdef(own.oid) AS text
    FROM pg_index known JOIN pg_class own ON own.oid = known.indexrelid LEFT JOIN pg_constraint same ON same.conindid = own.oid AND same.contype IN ('p', 'u')
    WHERE known.indrelid = past::regclass AND NOT (known.indisunique AND (SELECT attnum FROM pg_attribute WHERE attrelid = past::regclass AND attname = key) <> ALL (known.indkey))
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', found.name, left(found.name, 56) || '_before');
    EXECUTE CASE WHEN found.definition IS NULL THEN replace(found.text, format(' ON public.%I ', past), format(' ON public.%I ', whole))
      ELSE format('ALTER TABLE %I ADD CONSTRAINT %I %s', whole, found.name, found.definition) END;
  END LOOP;
  FOR found IN
    SELECT fk.conname, pg_get_constraintdef(fk.oid) AS definition FROM pg_constraint fk
    WHERE fk.conrelid = past::regclass AND fk.contype = 'f' AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = fk.confrelid)
  LOOP
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I %s', whole, found.conname, found.definition);
  END LOOP;
  FOR found IN SELECT tgname, tgtype & 32 <> 0 AS of_truncate, pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE tgrelid = past::regclass AND NOT tgisinternal LOOP
    EXECUTE replace(found.definition, format(' ON public.%I ', past), format(' ON public.%I ', whole));
    IF NOT found.of_truncate THEN EXECUTE format('DROP TRIGGER %I ON %I', found.tgname, past); END IF;
  END LOOP;
  FOR found IN
    SELECT acl.privilege_type, acl.grantee::regrole AS grantee FROM pg_class own, aclexplode(own.relacl) acl
    WHERE own.oid = past::regclass AND acl.grantee NOT IN (0, own.relowner)
  LOOP
    EXECUTE format('GRANT %s ON %I TO %s', found.privilege_type, whole, found.grantee);
    EXECUTE format('REVOKE ALL ON %I FROM %s', past, found.grantee);
  END LOOP;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', whole, past, bound);
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', past, whole || '_past');
  PERFORM prepare_partition(whole, 'default');
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I DEFAULT', whole, whole || '_default');
END $$;
--> statement-breakpoint

SELECT partition_by_month('deliveries', 'day');
--> statement-breakpoint
SELECT partition_by_month('delivery_revisions', 'day');
--> statement-breakpoint
SELECT create_month_partitions((now() AT TIME ZONE 'UTC' + interval '3 months')::date);
