CREATE TABLE "mail_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"delivery" text DEFAULT 'at_once' NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"muted" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "mail_settings_delivery" CHECK ("delivery" in ('at_once', 'daily')),
	CONSTRAINT "mail_settings_muted" CHECK ("muted" <@ array['account_registered', 'account_approved', 'account_suspended', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled']::text[]),
	CONSTRAINT "mail_settings_time_zone" CHECK ("mail_settings"."time_zone" ~ '^[A-Za-z0-9_+/-]{1,64}$')
);
--> statement-breakpoint
ALTER TABLE "mails" DROP CONSTRAINT "mails_state";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "digest_id" uuid;--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_digest_id_mails_id_fk" FOREIGN KEY ("digest_id") REFERENCES "public"."mails"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mails_digest" ON "mails" USING btree ("digest_id") WHERE "mails"."digest_id" is not null;--> statement-breakpoint
CREATE INDEX "mails_gathering" ON "mails" USING btree ("user_id","id") WHERE "mails"."state" = 'gathering';--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_gathered" CHECK (("mails"."state" = 'gathered') = coalesce("mails"."digest_id" <> "mails"."id", false));--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_state" CHECK ("state" in ('waiting', 'gathering', 'gathered', 'sending', 'sent', 'kept', 'parked'));