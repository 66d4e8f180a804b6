-- The changes of an audience since its blocks were written (docs/decisions/0099).
ALTER TABLE "audiences" ADD COLUMN "deltas" jsonb;--> statement-breakpoint
ALTER TABLE "audiences" ADD CONSTRAINT "audiences_deltas_current" CHECK ("audiences"."deltas" is null or coalesce(("audiences"."deltas" ->> 'version')::integer, -1) = "audiences"."version") NOT VALID;--> statement-breakpoint
-- Servers of the version before do not read deltas. None is written until a day has passed, when no such server is left.
DO $$ BEGIN
  EXECUTE format('COMMENT ON COLUMN audiences.deltas IS %L', 'written from ' ||
    CASE WHEN EXISTS (SELECT FROM audiences) THEN now() + interval '1 day' ELSE now() END);
END $$;
