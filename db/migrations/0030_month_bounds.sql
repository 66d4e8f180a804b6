-- What exists, and what is written until the month after next, stays where it is: as the partition before the first month
-- (docs/decisions/0101). The constraint proves it, so that attaching reads no row.
DO $$
DECLARE
  latest date := (SELECT max(day) FROM line_item_days);
  first date := date_trunc('month', CASE WHEN latest IS NULL THEN now() AT TIME ZONE 'UTC' ELSE greatest(now() AT TIME ZONE 'UTC' + interval '2 months', latest + interval '1 month') END);
BEGIN
  EXECUTE format('ALTER TABLE deliveries ADD CONSTRAINT deliveries_past CHECK (day < %L) NOT VALID', first);
  EXECUTE format('ALTER TABLE delivery_revisions ADD CONSTRAINT delivery_revisions_past CHECK (day < %L) NOT VALID', first);
END $$;
