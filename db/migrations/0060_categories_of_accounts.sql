-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "line_item_categories_of_advertiser" ON "line_item_categories" USING btree ("advertiser_id","category");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "line_item_categories_of_publisher" ON "line_item_categories" USING btree ("publisher_id","category");
