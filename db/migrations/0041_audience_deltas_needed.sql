-- contract since 0039: a version that does not read deltas does not start any more.
COMMENT ON CONSTRAINT "audiences_deltas_current" ON "audiences" IS 'rejects changes by a version that does not know deltas';
