-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "campaigns_with_products" ON "campaigns" USING btree ("advertiser_id","id") WHERE "campaigns"."product_ids" <> '{}' and "campaigns"."status" <> 'completed';
