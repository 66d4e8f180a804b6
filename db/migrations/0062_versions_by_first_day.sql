-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "campaign_versions_start" ON "campaign_versions" USING btree ("start_date");
