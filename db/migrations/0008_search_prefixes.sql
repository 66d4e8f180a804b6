CREATE INDEX "audiences_ready_prefix" ON "audiences" USING btree ((lower("name") collate "C"),"id") WHERE "audiences"."status" = 'ready';--> statement-breakpoint
CREATE INDEX "campaigns_name_prefix" ON "campaigns" USING btree ("advertiser_id",(lower("name") collate "C"),"id");--> statement-breakpoint
CREATE INDEX "line_items_name_prefix" ON "line_items" USING btree ("publisher_id",(lower("campaign_name") collate "C"),"id");--> statement-breakpoint
CREATE INDEX "products_name_prefix" ON "products" USING btree ("account_id",(lower("name") collate "C"),"id");