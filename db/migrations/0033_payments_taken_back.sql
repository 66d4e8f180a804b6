ALTER TABLE "plan_changes" ADD CONSTRAINT "plan_changes_account_id" UNIQUE("account_id","id");
--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_account_id" UNIQUE("account_id","id");
--> statement-breakpoint
CREATE TABLE "payments_taken_back" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"top_up_id" uuid,
	"plan_change_id" uuid,
	"provider" text NOT NULL,
	"reference" text NOT NULL,
	"number" integer NOT NULL,
	"reason" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"reopened_cents" bigint DEFAULT 0 NOT NULL,
	"ledger_transaction_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payments_taken_back_entries" UNIQUE("ledger_transaction_id"),
	CONSTRAINT "payments_taken_back_once" UNIQUE("provider","reference","number"),
	CONSTRAINT "payments_taken_back_provider" CHECK ("provider" in ('sandbox', 'stripe')),
	CONSTRAINT "payments_taken_back_reason" CHECK ("reason" in ('dispute', 'refund')),
	CONSTRAINT "payments_taken_back_payment" CHECK (("payments_taken_back"."top_up_id" is null) <> ("payments_taken_back"."plan_change_id" is null)),
	CONSTRAINT "payments_taken_back_numbers" CHECK ("payments_taken_back"."number" > 0 and "payments_taken_back"."amount_cents" <> 0
        and "payments_taken_back"."reopened_cents" between least(0, "payments_taken_back"."amount_cents") and greatest(0, "payments_taken_back"."amount_cents"))
);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";
--> statement-breakpoint
ALTER TABLE "mail_settings" DROP CONSTRAINT "mail_settings_muted";
--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_event";
--> statement-breakpoint
ALTER TABLE "plan_changes" ADD COLUMN "taken_back_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "taken_back_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "reopened_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "taken_back_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "payments_taken_back" ADD CONSTRAINT "payments_taken_back_ledger_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("ledger_transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payments_taken_back" ADD CONSTRAINT "payments_taken_back_top_up" FOREIGN KEY ("account_id","top_up_id") REFERENCES "public"."top_ups"("account_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payments_taken_back" ADD CONSTRAINT "payments_taken_back_plan_change" FOREIGN KEY ("account_id","plan_change_id") REFERENCES "public"."plan_changes"("account_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "payments_taken_back_of_top_up" ON "payments_taken_back" USING btree ("top_up_id") WHERE "payments_taken_back"."top_up_id" is not null;
--> statement-breakpoint
CREATE INDEX "payments_taken_back_of_plan_change" ON "payments_taken_back" USING btree ("plan_change_id") WHERE "payments_taken_back"."plan_change_id" is not null;
--> statement-breakpoint
CREATE INDEX "payments_taken_back_account" ON "payments_taken_back" USING btree ("account_id","created_at");
--> statement-breakpoint
ALTER TABLE "plan_changes" ADD CONSTRAINT "plan_changes_taken_back" CHECK ("plan_changes"."taken_back_cents" between 0 and case "plan_changes"."status" when 'succeeded' then "plan_changes"."amount_cents" else 0 end);
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_taken_back" CHECK ("subscriptions"."taken_back_at" is null or "subscriptions"."status" = 'canceled' or "subscriptions"."past_due_since" is not null);
--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_reopened" CHECK ("invoices"."reopened_cents" >= 0);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("event" in ('campaign_spend', 'top_up', 'debt_paid', 'invoice_paid', 'refund', 'payout_started', 'payout_settled', 'payout_failed', 'subscription', 'payment_taken_back', 'payment_reinstated'));
--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_muted" CHECK ("muted" <@ array['account_registered', 'account_approved', 'account_suspended', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended', 'payment_taken_back', 'payment_reinstated']::text[]);
--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_event" CHECK ("event" in ('account_registered', 'account_approved', 'account_suspended', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended', 'payment_taken_back', 'payment_reinstated'));
--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_taken_back" CHECK ("top_ups"."taken_back_cents" between 0 and case "top_ups"."status" when 'succeeded' then "top_ups"."amount_cents" else 0 end);
--> statement-breakpoint
-- What is open of an invoice becomes less, or more by what was taken back of its payments; what is paid stays so but for that.
DROP TRIGGER invoices_stay_paid ON invoices;
--> statement-breakpoint
CREATE TRIGGER invoices_stay_paid BEFORE UPDATE OF open_cents, paid_at, reopened_cents ON invoices FOR EACH ROW WHEN (OLD.paid_at IS NOT NULL
  AND (NEW.open_cents, NEW.paid_at, NEW.reopened_cents) IS DISTINCT FROM (OLD.open_cents, OLD.paid_at, OLD.reopened_cents) AND NEW.reopened_cents <= OLD.reopened_cents) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER invoices_open_less BEFORE UPDATE OF open_cents, reopened_cents ON invoices FOR EACH ROW
  WHEN (NEW.open_cents - OLD.open_cents > NEW.reopened_cents - OLD.reopened_cents) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER payments_taken_back_are_kept BEFORE UPDATE OR DELETE ON payments_taken_back FOR EACH ROW EXECUTE FUNCTION refuse_change();
