-- Blocks of audiences in object storage (docs/decisions/0100).
CREATE TABLE "audience_object_deletions" (
	"object_id" uuid PRIMARY KEY NOT NULL,
	"audience_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audience_objects" (
	"audience_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"first_hash" "bytea" NOT NULL,
	"object_id" uuid NOT NULL,
	"hashes" integer NOT NULL,
	"block_index" "bytea" NOT NULL,
	"seal_prefix" "bytea" NOT NULL,
	CONSTRAINT "audience_objects_audience_id_generation_first_hash_pk" PRIMARY KEY("audience_id","generation","first_hash"),
	CONSTRAINT "audience_objects_object" UNIQUE("object_id"),
	CONSTRAINT "audience_objects_shape" CHECK (length("audience_objects"."block_index") % 40 = 0 and length("audience_objects"."block_index") between 40 and 40 * 240
        and substr("audience_objects"."block_index", 1, 32) = "audience_objects"."first_hash" and "audience_objects"."hashes" >= length("audience_objects"."block_index") / 40)
);
--> statement-breakpoint
ALTER TABLE "audiences" ADD COLUMN "object_generation" integer;--> statement-breakpoint
ALTER TABLE "audience_objects" ADD CONSTRAINT "audience_objects_audience_id_audiences_id_fk" FOREIGN KEY ("audience_id") REFERENCES "public"."audiences"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audiences" ADD CONSTRAINT "audiences_object_generation_current" CHECK ("audiences"."object_generation" is null or "audiences"."object_generation" = "audiences"."generation") NOT VALID;--> statement-breakpoint
-- Servers of the version before do not read objects. None is written until a day has passed, when no such server is left.
DO $$ BEGIN
  EXECUTE format('COMMENT ON COLUMN audiences.object_generation IS %L', 'written from ' ||
    CASE WHEN EXISTS (SELECT FROM audiences) THEN now() + interval '1 day' ELSE now() END);
END $$;
