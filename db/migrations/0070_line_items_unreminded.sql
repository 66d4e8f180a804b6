-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "line_items_unreminded" ON "line_items" USING btree ("sent_at") WHERE "line_items"."approval_status" = 'pending' and "line_items"."withdrawn_at" is null and "line_items"."completed_at" is null and "line_items"."reminded_version" is distinct from "line_items"."sent_version";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "line_items_waiting";
