-- No trigger has called them since 0077.
DROP FUNCTION list_product_uses_of_row();
--> statement-breakpoint
DROP FUNCTION list_product_uses();
