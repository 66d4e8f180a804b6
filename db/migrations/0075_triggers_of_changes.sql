-- outside a transaction
-- Each replaces the trigger of whole statements under its name, at once. No column that they read is set by a trigger before the row is written.
CREATE OR REPLACE TRIGGER line_items_rejected_update AFTER UPDATE OF approval_status ON line_items FOR EACH ROW
  WHEN ((OLD.approval_status = 'rejected') <> (NEW.approval_status = 'rejected')) EXECUTE FUNCTION count_rejected_line_item();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER line_items_product_uses_update AFTER UPDATE OF approved_version, sent_version, approval_status, withdrawn_at ON line_items FOR EACH ROW
  WHEN ((OLD.approved_version, OLD.sent_version, OLD.approval_status, OLD.withdrawn_at IS NULL) IS DISTINCT FROM (NEW.approved_version, NEW.sent_version, NEW.approval_status, NEW.withdrawn_at IS NULL))
  EXECUTE FUNCTION list_product_uses_of_row();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER campaigns_product_uses_update AFTER UPDATE OF status ON campaigns FOR EACH ROW
  WHEN ((OLD.status IN ('pending', 'active', 'paused')) <> (NEW.status IN ('pending', 'active', 'paused'))) EXECUTE FUNCTION list_product_uses_of_row();
