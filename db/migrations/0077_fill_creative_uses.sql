-- outside a transaction
-- Each replaces a trigger under its name, at once, and waits for transactions that have written its table without listing creatives.
CREATE OR REPLACE TRIGGER campaigns_product_uses_update AFTER UPDATE OF status ON campaigns FOR EACH ROW
  WHEN ((OLD.status IN ('pending', 'active', 'paused')) <> (NEW.status IN ('pending', 'active', 'paused'))) EXECUTE FUNCTION list_uses_of_row();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER line_items_product_uses_insert AFTER INSERT ON line_items REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION list_uses();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER line_items_product_uses_update AFTER UPDATE OF approved_version, sent_version, approval_status, withdrawn_at ON line_items FOR EACH ROW
  WHEN ((OLD.approved_version, OLD.sent_version, OLD.approval_status, OLD.withdrawn_at IS NULL) IS DISTINCT FROM (NEW.approved_version, NEW.sent_version, NEW.approval_status, NEW.withdrawn_at IS NULL))
  EXECUTE FUNCTION list_uses_of_row();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER line_items_product_uses_delete AFTER DELETE ON line_items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION list_uses();
--> statement-breakpoint
CALL fill_creative_uses();
