CREATE TABLE "creatives" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"file_key" text NOT NULL,
	"path" text GENERATED ALWAYS AS ('/creatives/' || file_key || case type when 'image/jpeg' then '.jpg' when 'image/png' then '.png' when 'image/gif' then '.gif' when 'video/mp4' then '.mp4' end) STORED NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"duration_ms" integer,
	"bytes" bigint NOT NULL,
	"preview_bytes" integer,
	"sha256" text NOT NULL,
	"source_sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "creatives_account_id" UNIQUE("account_id","id"),
	CONSTRAINT "creatives_type" CHECK ("type" in ('image/jpeg', 'image/png', 'image/gif', 'video/mp4')),
	CONSTRAINT "creatives_numbers" CHECK ("creatives"."width" > 0 and "creatives"."height" > 0 and "creatives"."duration_ms" >= 0 and "creatives"."bytes" > 0 and "creatives"."preview_bytes" > 0),
	CONSTRAINT "creatives_file_key_form" CHECK ("creatives"."file_key" ~ '^[A-Za-z0-9_-]{32}$'),
	CONSTRAINT "creatives_sha256" CHECK ("creatives"."sha256" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "creatives_source_sha256" CHECK ("creatives"."source_sha256" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "campaign_versions" ADD COLUMN "creative_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "creative_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "creatives" ADD CONSTRAINT "creatives_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creatives" ADD CONSTRAINT "creatives_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "creatives_account_sha256" ON "creatives" USING btree ("account_id","sha256");--> statement-breakpoint
CREATE UNIQUE INDEX "creatives_account_source" ON "creatives" USING btree ("account_id","source_sha256");--> statement-breakpoint
CREATE UNIQUE INDEX "creatives_file_key" ON "creatives" USING btree ("file_key");--> statement-breakpoint
CREATE INDEX "campaign_versions_creatives" ON "campaign_versions" USING gin ("creative_ids") WHERE "campaign_versions"."creative_ids" <> '{}';--> statement-breakpoint
CREATE INDEX "campaigns_creatives" ON "campaigns" USING gin ("creative_ids") WHERE "campaigns"."creative_ids" <> '{}';