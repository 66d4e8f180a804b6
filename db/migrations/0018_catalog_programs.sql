ALTER TABLE "product_import_column_mappings" DROP CONSTRAINT "product_import_column_mappings_dialect";--> statement-breakpoint
ALTER TABLE "product_imports" DROP CONSTRAINT "product_imports_dialect";--> statement-breakpoint
ALTER TABLE "product_imports" ADD COLUMN "chosen_header_row" integer;--> statement-breakpoint
ALTER TABLE "product_imports" ADD COLUMN "header_row" integer;--> statement-breakpoint
ALTER TABLE "product_imports" ADD COLUMN "first_rows" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "product_imports" ADD COLUMN "guessed_fields" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "product_imports" ADD COLUMN "currency" text;--> statement-breakpoint
ALTER TABLE "product_imports" ADD COLUMN "currency_source" text;--> statement-breakpoint
ALTER TABLE "product_import_column_mappings" ADD CONSTRAINT "product_import_column_mappings_dialect" CHECK ("dialect" in ('template', 'shopify-new', 'shopify-legacy', 'woocommerce', 'magento', 'bigcommerce', 'bigcommerce-legacy', 'prestashop', 'square', 'squarespace', 'wix', 'etsy', 'amazon-flat-file', 'amazon-report', 'ebay-report', 'ebay-template', 'merchant-feed', 'other'));--> statement-breakpoint
ALTER TABLE "product_imports" ADD CONSTRAINT "product_imports_currency_source" CHECK ("currency_source" in ('file', 'chosen', 'assumed'));--> statement-breakpoint
ALTER TABLE "product_imports" ADD CONSTRAINT "product_imports_currency" CHECK ("product_imports"."currency" ~ '^[A-Z]{3}$');--> statement-breakpoint
ALTER TABLE "product_imports" ADD CONSTRAINT "product_imports_header_rows" CHECK ("product_imports"."chosen_header_row" > 0 and "product_imports"."header_row" > 0);--> statement-breakpoint
ALTER TABLE "product_imports" ADD CONSTRAINT "product_imports_dialect" CHECK ("dialect" in ('template', 'shopify-new', 'shopify-legacy', 'woocommerce', 'magento', 'bigcommerce', 'bigcommerce-legacy', 'prestashop', 'square', 'squarespace', 'wix', 'etsy', 'amazon-flat-file', 'amazon-report', 'ebay-report', 'ebay-template', 'merchant-feed', 'other'));