CREATE TABLE "product_import_blocks" (
	"import_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"rows" jsonb NOT NULL,
	CONSTRAINT "product_import_blocks_import_id_number_pk" PRIMARY KEY("import_id","number")
);
--> statement-breakpoint
CREATE TABLE "product_import_columns" (
	"account_id" uuid NOT NULL,
	"dialect" text NOT NULL,
	"columns" jsonb NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "product_import_columns_account_id_dialect_pk" PRIMARY KEY("account_id","dialect"),
	CONSTRAINT "product_import_columns_dialect" CHECK ("dialect" in ('template', 'shopify-new', 'shopify-legacy', 'woocommerce', 'merchant-feed', 'other'))
);
--> statement-breakpoint
CREATE TABLE "product_import_pieces" (
	"import_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "product_import_pieces_import_id_number_pk" PRIMARY KEY("import_id","number")
);
--> statement-breakpoint
CREATE TABLE "product_import_problems" (
	"import_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"row" integer NOT NULL,
	"sku" text,
	"column_name" text NOT NULL,
	"message" text NOT NULL,
	CONSTRAINT "product_import_problems_import_id_number_pk" PRIMARY KEY("import_id","number"),
	CONSTRAINT "product_import_problems_kind" CHECK ("kind" in ('rejected', 'warning'))
);
--> statement-breakpoint
CREATE TABLE "product_imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"committed" boolean DEFAULT false NOT NULL,
	"store_id" uuid,
	"cursor" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"file_name" text,
	"bytes" bigint,
	"format" text,
	"dialect" text,
	"header" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"samples" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"chosen_columns" jsonb,
	"read_columns" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"missing_fields" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"derive_sku" boolean DEFAULT false NOT NULL,
	"default_category" text,
	"rows_read" integer DEFAULT 0 NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"rejected" integer DEFAULT 0 NOT NULL,
	"warned" integer DEFAULT 0 NOT NULL,
	"derived_skus" integer DEFAULT 0 NOT NULL,
	"default_categories" integer DEFAULT 0 NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"alive_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "product_imports_account_id" UNIQUE("account_id","id"),
	CONSTRAINT "product_imports_status" CHECK ("status" in ('running', 'previewed', 'succeeded', 'failed', 'discarded')),
	CONSTRAINT "product_imports_dialect" CHECK ("dialect" in ('template', 'shopify-new', 'shopify-legacy', 'woocommerce', 'merchant-feed', 'other')),
	CONSTRAINT "product_imports_finished" CHECK (("product_imports"."status" = 'running') = ("product_imports"."finished_at" is null)
        and ("product_imports"."status" = 'failed') = ("product_imports"."error" is not null)
        and ("product_imports"."status" <> 'succeeded' or "product_imports"."committed"))
);
--> statement-breakpoint
CREATE TABLE "product_stores" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"shop_url" text NOT NULL,
	"name" text NOT NULL,
	"credential" "bytea",
	"frequency" text DEFAULT 'daily' NOT NULL,
	"derive_sku" boolean DEFAULT false NOT NULL,
	"default_category" text,
	"problem" text,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"next_sync_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "product_stores_account_id" UNIQUE("account_id","id"),
	CONSTRAINT "product_stores_one_each" UNIQUE("account_id","shop_url"),
	CONSTRAINT "product_stores_kind" CHECK ("kind" in ('shopify', 'woocommerce')),
	CONSTRAINT "product_stores_frequency" CHECK ("frequency" in ('hourly', 'daily', 'weekly', 'manual')),
	CONSTRAINT "product_stores_problem" CHECK ("problem" in ('refused', 'not_allowed', 'not_a_shop', 'other_currency', 'busy', 'unreachable', 'unreadable', 'sealed'))
);
--> statement-breakpoint
ALTER TABLE "product_import_blocks" ADD CONSTRAINT "product_import_blocks_of" FOREIGN KEY ("account_id","import_id") REFERENCES "public"."product_imports"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_import_columns" ADD CONSTRAINT "product_import_columns_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_import_pieces" ADD CONSTRAINT "product_import_pieces_of" FOREIGN KEY ("account_id","import_id") REFERENCES "public"."product_imports"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_import_problems" ADD CONSTRAINT "product_import_problems_of" FOREIGN KEY ("account_id","import_id") REFERENCES "public"."product_imports"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_imports" ADD CONSTRAINT "product_imports_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_imports" ADD CONSTRAINT "product_imports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_imports" ADD CONSTRAINT "product_imports_store" FOREIGN KEY ("account_id","store_id") REFERENCES "public"."product_stores"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_stores" ADD CONSTRAINT "product_stores_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_stores" ADD CONSTRAINT "product_stores_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "product_imports_one_sync" ON "product_imports" USING btree ("store_id") WHERE "product_imports"."status" = 'running';--> statement-breakpoint
CREATE INDEX "product_imports_of_store" ON "product_imports" USING btree ("store_id","id");--> statement-breakpoint
CREATE INDEX "product_imports_running" ON "product_imports" USING btree ("alive_at") WHERE "product_imports"."status" = 'running';--> statement-breakpoint
CREATE INDEX "product_imports_waiting" ON "product_imports" USING btree ("finished_at") WHERE "product_imports"."status" = 'previewed';--> statement-breakpoint
CREATE INDEX "product_stores_due" ON "product_stores" USING btree ("next_sync_at");--> statement-breakpoint
-- A spreadsheet is packed already, and text is read once or twice: packing costs more than the write.
ALTER TABLE "product_import_pieces" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
