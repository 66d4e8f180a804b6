-- outside a transaction
-- After the column, in transactions of their own: servers write line items and then their campaigns. Each waits for transactions that have
-- written line items already.
CREATE OR REPLACE TRIGGER line_items_rejected_insert AFTER INSERT ON line_items REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION count_rejected_line_items();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER line_items_rejected_update AFTER UPDATE ON line_items REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION count_rejected_line_items();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER line_items_rejected_delete AFTER DELETE ON line_items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_rejected_line_items();
--> statement-breakpoint
CALL fill_rejected_line_items();
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "campaigns_rejected" ON "campaigns" USING btree ("advertiser_id","id") WHERE "campaigns"."rejected_line_items" > 0 and "campaigns"."status" <> 'completed';
