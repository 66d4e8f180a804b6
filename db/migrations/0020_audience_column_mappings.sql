CREATE TABLE "audience_column_mappings" (
	"publisher_id" uuid NOT NULL,
	"layout" text NOT NULL,
	"mapping" jsonb NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audience_column_mappings_publisher_id_layout_pk" PRIMARY KEY("publisher_id","layout")
);
--> statement-breakpoint
ALTER TABLE "audience_column_mappings" ADD CONSTRAINT "audience_column_mappings_publisher_id_accounts_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;