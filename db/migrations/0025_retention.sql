-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "mails_with_address" ON "mails" USING btree ("created_at") WHERE "mails"."address" <> '';--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "notifications_age" ON "notifications" USING btree ("created_at");
