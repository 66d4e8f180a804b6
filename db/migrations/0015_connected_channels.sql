CREATE TABLE "channel_audiences" (
	"audience_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"reference" text,
	"version" integer,
	"sent_at" timestamp (3) with time zone,
	"upload" jsonb,
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"last_error" text,
	"due_at" timestamp (3) with time zone NOT NULL,
	"busy_until" timestamp (3) with time zone,
	CONSTRAINT "channel_audiences_audience_id_channel_pk" PRIMARY KEY("audience_id","channel"),
	CONSTRAINT "channel_audiences_channel" CHECK ("channel" in ('google', 'meta')),
	CONSTRAINT "channel_audiences_problem" CHECK ("problem" in ('waiting', 'refused', 'not_allowed', 'busy', 'unreachable', 'unreadable', 'rejected', 'missing', 'sealed', 'other_currency')),
	CONSTRAINT "channel_audiences_there" CHECK (("channel_audiences"."version" is null) = ("channel_audiences"."sent_at" is null) and ("channel_audiences"."version" is null or "channel_audiences"."reference" is not null)),
	CONSTRAINT "channel_audiences_failures" CHECK ("channel_audiences"."failures" >= 0)
);
--> statement-breakpoint
CREATE TABLE "channel_connections" (
	"channel" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"credential" "bytea" NOT NULL,
	"account" text NOT NULL,
	"time_zone" text NOT NULL,
	"problem" text,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"connected_at" timestamp (3) with time zone NOT NULL,
	"connected_by" text NOT NULL,
	CONSTRAINT "channel_connections_channel" CHECK ("channel" in ('google', 'meta')),
	CONSTRAINT "channel_connections_problem" CHECK ("problem" in ('waiting', 'refused', 'not_allowed', 'busy', 'unreachable', 'unreadable', 'rejected', 'missing', 'sealed', 'other_currency')),
	CONSTRAINT "channel_connections_account" CHECK ("channel_connections"."account" ~ '^[0-9]{5,20}$'),
	CONSTRAINT "channel_connections_time_zone" CHECK ("channel_connections"."time_zone" ~ '^[A-Za-z0-9_+/-]{1,64}$')
);
--> statement-breakpoint
ALTER TABLE "channel_collections" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "channel_collections" ADD COLUMN "accepted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "channel_collections" ADD COLUMN "refused" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "channel_collections" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "channel_collections" ADD COLUMN "problem" text;--> statement-breakpoint
ALTER TABLE "channel_collections" ADD COLUMN "last_error" text;--> statement-breakpoint
ALTER TABLE "channel_collections" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "channel_orders" ADD COLUMN "problem" text;--> statement-breakpoint
ALTER TABLE "channel_audiences" ADD CONSTRAINT "channel_audiences_audience_id_audiences_id_fk" FOREIGN KEY ("audience_id") REFERENCES "public"."audiences"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "channel_audiences_due" ON "channel_audiences" USING btree ("due_at");--> statement-breakpoint
ALTER TABLE "channel_collections" ADD CONSTRAINT "channel_collections_problem" CHECK ("problem" in ('waiting', 'refused', 'not_allowed', 'busy', 'unreachable', 'unreadable', 'rejected', 'missing', 'sealed', 'other_currency'));--> statement-breakpoint
ALTER TABLE "channel_collections" ADD CONSTRAINT "channel_collections_numbers" CHECK ("channel_collections"."accepted" >= 0 and "channel_collections"."failures" >= 0);--> statement-breakpoint
ALTER TABLE "channel_orders" ADD CONSTRAINT "channel_orders_problem" CHECK ("problem" in ('waiting', 'refused', 'not_allowed', 'busy', 'unreachable', 'unreadable', 'rejected', 'missing', 'sealed', 'other_currency'));
--> statement-breakpoint
-- What an audience's channels have is looked at as soon as the audience is another.
CREATE FUNCTION look_at_channel_audiences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE channel_audiences SET due_at = least(due_at, coalesce(NEW.archived_at, NEW.refreshed_at, due_at)) WHERE audience_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audiences_look_at_channels AFTER UPDATE OF version, status ON audiences FOR EACH ROW
  WHEN (OLD.version <> NEW.version OR OLD.status <> NEW.status) EXECUTE FUNCTION look_at_channel_audiences();
