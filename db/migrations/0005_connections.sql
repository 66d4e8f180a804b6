CREATE TABLE "audience_connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"publisher_id" uuid NOT NULL,
	"program" text NOT NULL,
	"credential" "bytea" NOT NULL,
	"problem" text,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "audience_connections_one_each" UNIQUE("publisher_id","program"),
	CONSTRAINT "audience_connections_program" CHECK ("program" in ('salesforce', 'hubspot', 'klaviyo')),
	CONSTRAINT "audience_connections_problem" CHECK ("problem" in ('refused', 'not_allowed', 'unknown_list', 'busy', 'unreachable', 'unreadable', 'sealed'))
);
--> statement-breakpoint
ALTER TABLE "audience_uploads" ADD COLUMN "source" text DEFAULT 'file' NOT NULL;--> statement-breakpoint
ALTER TABLE "audiences" ADD COLUMN "remote_list_id" text;--> statement-breakpoint
ALTER TABLE "audiences" ADD COLUMN "remote_list_name" text;--> statement-breakpoint
ALTER TABLE "audiences" ADD COLUMN "next_refresh_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "audience_connections" ADD CONSTRAINT "audience_connections_publisher_id_accounts_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience_connections" ADD CONSTRAINT "audience_connections_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "audience_uploads_one_refresh" ON "audience_uploads" USING btree ("audience_id") WHERE "audience_uploads"."status" = 'running' and "audience_uploads"."source" <> 'file';--> statement-breakpoint
CREATE INDEX "audiences_next_refresh" ON "audiences" USING btree ("next_refresh_at") WHERE "audiences"."next_refresh_at" is not null;--> statement-breakpoint
ALTER TABLE "audience_uploads" ADD CONSTRAINT "audience_uploads_source" CHECK ("source" in ('file', 'salesforce', 'hubspot', 'klaviyo'));--> statement-breakpoint
ALTER TABLE "audiences" ADD CONSTRAINT "audiences_remote_list" CHECK (("audiences"."remote_list_id" is null) = ("audiences"."remote_list_name" is null)
        and ("audiences"."next_refresh_at" is null or ("audiences"."remote_list_id" is not null and "audiences"."status" <> 'archived')));