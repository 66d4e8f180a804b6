CREATE TABLE "audience_blocks" (
	"audience_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"first" "bytea" NOT NULL,
	"hashes" "bytea" NOT NULL,
	"tags" "bytea" NOT NULL,
	"spellings" "bytea" NOT NULL,
	CONSTRAINT "audience_blocks_audience_id_generation_first_pk" PRIMARY KEY("audience_id","generation","first"),
	CONSTRAINT "audience_blocks_shape" CHECK (length("audience_blocks"."hashes") = 32 * length("audience_blocks"."tags") and length("audience_blocks"."tags") between 1 and 4096
        and substr("audience_blocks"."hashes", 1, 32) = "audience_blocks"."first" and length("audience_blocks"."spellings") % 32 = 0)
);
--> statement-breakpoint
CREATE TABLE "audience_uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"audience_id" uuid NOT NULL,
	"publisher_id" uuid NOT NULL,
	"mode" text NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"files" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"rows_read" bigint DEFAULT 0 NOT NULL,
	"rows_blank" bigint DEFAULT 0 NOT NULL,
	"rows_invalid" bigint DEFAULT 0 NOT NULL,
	"invalid_by_reason" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"problems" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"duplicates" bigint DEFAULT 0 NOT NULL,
	"people_added" bigint DEFAULT 0 NOT NULL,
	"people_removed" bigint DEFAULT 0 NOT NULL,
	"size" bigint,
	"dropped_columns" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"alive_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "audience_uploads_mode" CHECK ("mode" in ('add', 'replace', 'remove')),
	CONSTRAINT "audience_uploads_status" CHECK ("status" in ('running', 'succeeded', 'failed')),
	CONSTRAINT "audience_uploads_finished" CHECK (("audience_uploads"."status" = 'running') = ("audience_uploads"."finished_at" is null)
        and ("audience_uploads"."status" = 'failed') = ("audience_uploads"."error" is not null)
        and ("audience_uploads"."status" = 'succeeded') = ("audience_uploads"."size" is not null))
);
--> statement-breakpoint
CREATE TABLE "audience_versions" (
	"audience_id" uuid NOT NULL,
	"publisher_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"source" text NOT NULL,
	"mode" text,
	"upload_id" uuid,
	"people_added" bigint NOT NULL,
	"people_removed" bigint NOT NULL,
	"size" bigint NOT NULL,
	"rule_sets" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "audience_versions_audience_id_number_pk" PRIMARY KEY("audience_id","number"),
	CONSTRAINT "audience_versions_source" CHECK ("source" in ('upload', 'members', 'erasure')),
	CONSTRAINT "audience_versions_mode" CHECK ("mode" in ('add', 'replace', 'remove')),
	CONSTRAINT "audience_versions_numbers" CHECK ("audience_versions"."number" > 0 and "audience_versions"."people_added" >= 0 and "audience_versions"."people_removed" >= 0 and "audience_versions"."size" >= 0)
);
--> statement-breakpoint
ALTER TABLE "audiences" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audiences" ADD COLUMN "generation" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audiences" ADD COLUMN "default_country" text;--> statement-breakpoint
ALTER TABLE "audiences" ADD COLUMN "archived_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "audience_blocks" ADD CONSTRAINT "audience_blocks_audience_id_audiences_id_fk" FOREIGN KEY ("audience_id") REFERENCES "public"."audiences"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience_uploads" ADD CONSTRAINT "audience_uploads_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience_uploads" ADD CONSTRAINT "audience_uploads_audience_id_publisher_id_audiences_id_publisher_id_fk" FOREIGN KEY ("audience_id","publisher_id") REFERENCES "public"."audiences"("id","publisher_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience_versions" ADD CONSTRAINT "audience_versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience_versions" ADD CONSTRAINT "audience_versions_audience_id_publisher_id_audiences_id_publisher_id_fk" FOREIGN KEY ("audience_id","publisher_id") REFERENCES "public"."audiences"("id","publisher_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audience_uploads_audience" ON "audience_uploads" USING btree ("audience_id","created_at");--> statement-breakpoint
CREATE INDEX "audience_uploads_running" ON "audience_uploads" USING btree ("alive_at") WHERE "audience_uploads"."status" = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "audience_uploads_id_publisher" ON "audience_uploads" USING btree ("id","publisher_id");--> statement-breakpoint
ALTER TABLE "audiences" ADD CONSTRAINT "audiences_default_country" CHECK ("audiences"."default_country" ~ '^[A-Z]{2}$');--> statement-breakpoint
-- Hashes do not compress; trying costs more than the write.
ALTER TABLE "audience_blocks" ALTER COLUMN "hashes" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "audience_blocks" ALTER COLUMN "spellings" SET STORAGE EXTERNAL;--> statement-breakpoint
CREATE TRIGGER audience_versions_are_kept BEFORE UPDATE OR DELETE ON audience_versions FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Numbers the rewrites of audiences: no two share one, so that what one writes another never sees.
CREATE SEQUENCE audience_generations AS integer;
