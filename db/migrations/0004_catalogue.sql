ALTER TABLE "products" DROP CONSTRAINT "products_id_account";--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_numbers";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "group_key" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "products_account_category" ON "products" USING btree ("account_id","category","name","id");--> statement-breakpoint
CREATE INDEX "products_account_price" ON "products" USING btree ("account_id","price_cents","id");--> statement-breakpoint
CREATE INDEX "products_account_inventory" ON "products" USING btree ("account_id",coalesce("inventory", 9007199254740991),"id");--> statement-breakpoint
CREATE INDEX "products_low_stock" ON "products" USING btree ("account_id","name","id") WHERE "products"."inventory" < 10;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_account_id" UNIQUE("account_id","id");--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_named" CHECK ("products"."name" <> '' and "products"."sku" <> '' and "products"."category" <> '');--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_numbers" CHECK ("products"."price_cents" between 0 and 1000000000 and "products"."inventory" between 0 and 1000000000);--> statement-breakpoint
-- One index finds both; no search can hold the line break between them.
CREATE INDEX products_search ON products USING gin (account_id, (name || E'\n' || sku) gin_trgm_ops);
