-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "version_audiences_of_audience" ON "version_audiences" USING btree ("audience_id","campaign_id");
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "version_audiences_audience";
