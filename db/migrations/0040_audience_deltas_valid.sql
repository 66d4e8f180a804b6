-- outside a transaction
ALTER TABLE "audiences" VALIDATE CONSTRAINT "audiences_deltas_current";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audiences_with_deltas" ON "audiences" USING btree ("id") WHERE "audiences"."deltas" is not null;
