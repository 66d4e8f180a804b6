CREATE TABLE "report_recipients" (
	"schedule_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "report_recipients_schedule_id_user_id_pk" PRIMARY KEY("schedule_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "report_schedules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"report_id" uuid NOT NULL,
	"frequency" text NOT NULL,
	"weekday" text NOT NULL,
	"day_of_month" integer NOT NULL,
	"hour" integer NOT NULL,
	"time_zone" text NOT NULL,
	"range" text NOT NULL,
	"format" text NOT NULL,
	"is_paused" boolean DEFAULT false NOT NULL,
	"next_due_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "report_schedules_report" UNIQUE("report_id"),
	CONSTRAINT "report_schedules_id_account" UNIQUE("id","account_id"),
	CONSTRAINT "report_schedules_frequency" CHECK ("frequency" in ('daily', 'weekly', 'monthly')),
	CONSTRAINT "report_schedules_weekday" CHECK ("weekday" in ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')),
	CONSTRAINT "report_schedules_range" CHECK ("range" in ('yesterday', 'last_7_days', 'last_30_days', 'last_90_days', 'last_week', 'month_to_date', 'last_month')),
	CONSTRAINT "report_schedules_format" CHECK ("format" in ('csv', 'pdf')),
	CONSTRAINT "report_schedules_time" CHECK ("report_schedules"."hour" between 0 and 23 and "report_schedules"."day_of_month" between 1 and 31),
	CONSTRAINT "report_schedules_time_zone" CHECK ("report_schedules"."time_zone" ~ '^[A-Za-z0-9_+/-]{1,64}$'),
	CONSTRAINT "report_schedules_paused" CHECK ("report_schedules"."is_paused" = ("report_schedules"."next_due_at" is null))
);
--> statement-breakpoint
CREATE TABLE "report_sendings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"report_id" uuid NOT NULL,
	"schedule_id" uuid,
	"due_at" timestamp (3) with time zone,
	"missed" integer DEFAULT 0 NOT NULL,
	"first_day" date NOT NULL,
	"last_day" date NOT NULL,
	"query" text NOT NULL,
	"format" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "report_sendings_once" UNIQUE("schedule_id","due_at"),
	CONSTRAINT "report_sendings_format" CHECK ("format" in ('csv', 'pdf')),
	CONSTRAINT "report_sendings_days" CHECK ("report_sendings"."first_day" <= "report_sendings"."last_day" and "report_sendings"."missed" >= 0),
	CONSTRAINT "report_sendings_query" CHECK (char_length("report_sendings"."query") <= 1200 and "report_sendings"."query" ~ '^[A-Za-z0-9*._+%=&-]*$')
);
--> statement-breakpoint
ALTER TABLE "mail_settings" DROP CONSTRAINT "mail_settings_muted";--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_event";--> statement-breakpoint
ALTER TABLE "saved_views" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_id_account" UNIQUE("id","account_id");--> statement-breakpoint
ALTER TABLE "report_recipients" ADD CONSTRAINT "report_recipients_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_recipients" ADD CONSTRAINT "report_recipients_schedule" FOREIGN KEY ("schedule_id","account_id") REFERENCES "public"."report_schedules"("id","account_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_report_account" FOREIGN KEY ("report_id","account_id") REFERENCES "public"."saved_views"("id","account_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_sendings" ADD CONSTRAINT "report_sendings_schedule_id_report_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."report_schedules"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_sendings" ADD CONSTRAINT "report_sendings_report_account" FOREIGN KEY ("report_id","account_id") REFERENCES "public"."saved_views"("id","account_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_recipients_user" ON "report_recipients" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "report_schedules_due" ON "report_schedules" USING btree ("next_due_at") WHERE "report_schedules"."next_due_at" is not null;--> statement-breakpoint
CREATE INDEX "report_sendings_report" ON "report_sendings" USING btree ("report_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name_per_account" ON "saved_views" USING btree ("account_id","mode",lower("name")) WHERE "saved_views"."user_id" is null;--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_muted" CHECK ("muted" <@ array['account_registered', 'account_approved', 'account_suspended', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended', 'payment_reversed', 'payment_reinstated', 'report_ready']::text[]);--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_event" CHECK ("event" in ('account_registered', 'account_approved', 'account_suspended', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended', 'payment_reversed', 'payment_reinstated', 'report_ready'));--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_report" CHECK ("saved_views"."user_id" is not null or "saved_views"."list" = 'analytics');