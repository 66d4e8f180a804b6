-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "campaigns_with_creatives" ON "campaigns" USING gin ("creative_ids") WHERE "campaigns"."creative_ids" <> '{}' and "campaigns"."status" <> 'completed';
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "campaigns_creatives";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "campaign_versions_creatives";
