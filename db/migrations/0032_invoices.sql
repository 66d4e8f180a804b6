CREATE TABLE "invoice_credits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"invoice_id" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invoice_credits_amount" CHECK ("invoice_credits"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "invoice_lines" (
	"invoice_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"campaign_id" uuid,
	"description" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	CONSTRAINT "invoice_lines_invoice_id_number_pk" PRIMARY KEY("invoice_id","number"),
	CONSTRAINT "invoice_lines_amount" CHECK ("invoice_lines"."amount_cents" <> 0)
);
--> statement-breakpoint
CREATE TABLE "invoice_numbers" (
	"id" integer PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoice_runs" (
	"month" date PRIMARY KEY NOT NULL,
	"ran_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"advertiser_id" uuid NOT NULL,
	"month" date NOT NULL,
	"amount_cents" bigint NOT NULL,
	"open_cents" bigint NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"due_on" date NOT NULL,
	"paid_at" timestamp (3) with time zone,
	CONSTRAINT "invoices_number" UNIQUE("number"),
	CONSTRAINT "invoices_of_month" UNIQUE("advertiser_id","month"),
	CONSTRAINT "invoices_advertiser" UNIQUE("advertiser_id","id"),
	CONSTRAINT "invoices_amounts" CHECK ("invoices"."amount_cents" > 0 and "invoices"."open_cents" between 0 and "invoices"."amount_cents"),
	CONSTRAINT "invoices_paid" CHECK (("invoices"."paid_at" is null) = ("invoices"."open_cents" > 0))
);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "mail_settings" DROP CONSTRAINT "mail_settings_muted";--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_event";--> statement-breakpoint
ALTER TABLE "top_ups" DROP CONSTRAINT "top_ups_amount";--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "invoice_id" uuid;--> statement-breakpoint
ALTER TABLE "invoice_credits" ADD CONSTRAINT "invoice_credits_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_advertiser_id_accounts_id_fk" FOREIGN KEY ("advertiser_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invoice_credits_invoice" ON "invoice_credits" USING btree ("invoice_id");--> statement-breakpoint
CREATE INDEX "invoices_open" ON "invoices" USING btree ("advertiser_id") WHERE "invoices"."open_cents" > 0;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_invoice" FOREIGN KEY ("account_id","invoice_id") REFERENCES "public"."invoices"("advertiser_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "top_ups_of_invoice" ON "top_ups" USING btree ("invoice_id") WHERE "top_ups"."invoice_id" is not null;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("event" in ('campaign_spend', 'top_up', 'debt_paid', 'invoice_paid', 'refund', 'payout_started', 'payout_settled', 'payout_failed', 'subscription'));--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_muted" CHECK ("muted" <@ array['account_registered', 'account_approved', 'account_suspended', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended']::text[]);--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_event" CHECK ("event" in ('account_registered', 'account_approved', 'account_suspended', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended'));--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_amount" CHECK (case when invoice_id is null then amount_cents between 1000 and 10000000 else amount_cents > 0 end);--> statement-breakpoint
-- An invoice says for good what it asked for; what is open of it becomes less, and is paid once.
CREATE TRIGGER invoices_are_fixed BEFORE UPDATE OF id, number, advertiser_id, month, amount_cents, issued_at, due_on ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER invoices_stay_paid BEFORE UPDATE OF open_cents, paid_at ON invoices FOR EACH ROW WHEN (OLD.paid_at IS NOT NULL AND (NEW.open_cents, NEW.paid_at) IS DISTINCT FROM (OLD.open_cents, OLD.paid_at)) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER invoice_lines_are_kept BEFORE UPDATE OR DELETE ON invoice_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER invoice_credits_are_kept BEFORE UPDATE OR DELETE ON invoice_credits FOR EACH ROW EXECUTE FUNCTION refuse_change();
