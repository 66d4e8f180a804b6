-- outside a transaction
-- One table at a time: servers write these tables in different orders. Each statement waits for transactions that have written its table.
CREATE OR REPLACE TRIGGER campaigns_product_uses_update AFTER UPDATE ON campaigns REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION list_product_uses();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER line_items_product_uses_insert AFTER INSERT ON line_items REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION list_product_uses();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER line_items_product_uses_update AFTER UPDATE ON line_items REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION list_product_uses();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER line_items_product_uses_delete AFTER DELETE ON line_items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION list_product_uses();
--> statement-breakpoint
CALL fill_product_uses();
