CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event" text NOT NULL,
	"body" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_status" integer,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempted_at" timestamp (3) with time zone,
	"next_try_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_deliveries_once" UNIQUE("webhook_id","event_id"),
	CONSTRAINT "webhook_deliveries_state" CHECK ("state" in ('waiting', 'sending', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_delivered" CHECK (("webhook_deliveries"."state" = 'delivered') = ("webhook_deliveries"."delivered_at" is not null)),
	CONSTRAINT "webhook_deliveries_next" CHECK (("webhook_deliveries"."state" = 'waiting') = ("webhook_deliveries"."next_try_at" is not null)),
	CONSTRAINT "webhook_deliveries_attempts" CHECK ("webhook_deliveries"."attempts" >= 0)
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" "bytea" NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"given_up" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "webhooks_of_account" UNIQUE("id","account_id"),
	CONSTRAINT "webhooks_state" CHECK ("state" in ('active', 'disabled')),
	CONSTRAINT "webhooks_url" CHECK ("webhooks"."url" ~ '^https?://'),
	CONSTRAINT "webhooks_events" CHECK (cardinality("webhooks"."events") > 0),
	CONSTRAINT "webhooks_given_up" CHECK ("webhooks"."given_up" >= 0)
);
--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_event";--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook" FOREIGN KEY ("webhook_id","account_id") REFERENCES "public"."webhooks"("id","account_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_newest" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_open" ON "webhook_deliveries" USING btree ("state","attempted_at") WHERE "webhook_deliveries"."state" in ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhooks_account" ON "webhooks" USING btree ("account_id","id");--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_event" CHECK ("event" in ('account_registered', 'account_approved', 'account_suspended', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled'));