CREATE TABLE "erasures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"account_id" uuid,
	"requested_by" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"blockers" text[] DEFAULT '{}' NOT NULL,
	"canceled_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "erasures_requested_by" CHECK ("requested_by" in ('person', 'operator')),
	CONSTRAINT "erasures_blockers" CHECK ("blockers" <@ array['running_campaigns', 'balance', 'debt', 'earnings', 'plan', 'payments']::text[]),
	CONSTRAINT "erasures_end_once" CHECK ("erasures"."canceled_at" is null or "erasures"."completed_at" is null)
);
--> statement-breakpoint
ALTER TABLE "mail_settings" DROP CONSTRAINT "mail_settings_muted";--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_event";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "erased_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "erasures_open" ON "erasures" USING btree ("user_id") WHERE "erasures"."canceled_at" is null and "erasures"."completed_at" is null;--> statement-breakpoint
CREATE INDEX "erasures_due" ON "erasures" USING btree ("due_at") WHERE "erasures"."canceled_at" is null and "erasures"."completed_at" is null;--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_muted" CHECK ("muted" <@ array['account_registered', 'account_approved', 'account_suspended', 'account_closing', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended', 'payment_reversed', 'payment_reinstated', 'report_ready']::text[]) NOT VALID;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_event" CHECK ("event" in ('account_registered', 'account_approved', 'account_suspended', 'account_closing', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended', 'payment_reversed', 'payment_reinstated', 'report_ready')) NOT VALID;