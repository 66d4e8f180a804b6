CREATE TABLE "mail_feedback" (
	"id" uuid PRIMARY KEY NOT NULL,
	"mail_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"status" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mail_feedback_once" UNIQUE("mail_id","kind"),
	CONSTRAINT "mail_feedback_kind" CHECK ("kind" in ('bounce', 'soft_bounce', 'complaint')),
	CONSTRAINT "mail_feedback_status" CHECK ("mail_feedback"."status" ~ '^[245][.][0-9]{1,3}[.][0-9]{1,3}$')
);
--> statement-breakpoint
CREATE TABLE "mail_suppressions" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"reason" text NOT NULL,
	"status" text,
	"suppressed_at" timestamp (3) with time zone NOT NULL,
	"lifted_at" timestamp (3) with time zone,
	CONSTRAINT "mail_suppressions_reason" CHECK ("reason" in ('complaint', 'soft_bounces', 'bounce')),
	CONSTRAINT "mail_suppressions_status" CHECK ("mail_suppressions"."status" ~ '^[245][.][0-9]{1,3}[.][0-9]{1,3}$')
);
--> statement-breakpoint
ALTER TABLE "mail_settings" DROP CONSTRAINT "mail_settings_muted";--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_event";--> statement-breakpoint
ALTER TABLE "mail_feedback" ADD CONSTRAINT "mail_feedback_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_suppressions" ADD CONSTRAINT "mail_suppressions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_suppressions_open" ON "mail_suppressions" USING btree ("suppressed_at") WHERE "mail_suppressions"."lifted_at" is null;--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_muted" CHECK ("muted" <@ array['account_registered', 'account_approved', 'account_suspended', 'account_closing', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended', 'payment_reversed', 'payment_reinstated', 'report_ready', 'email_confirmation']::text[]) NOT VALID;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_event" CHECK ("event" in ('account_registered', 'account_approved', 'account_suspended', 'account_closing', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended', 'payment_reversed', 'payment_reinstated', 'report_ready', 'email_confirmation')) NOT VALID;