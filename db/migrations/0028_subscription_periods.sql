CREATE TABLE "plan_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"subscription_id" uuid,
	"kind" text NOT NULL,
	"plan_type" text NOT NULL,
	"status" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"period_started_at" timestamp (3) with time zone,
	"payment_method_id" uuid,
	"provider" text,
	"idempotency_key" text NOT NULL,
	"payment_id" text,
	"confirm_url" text,
	"failure" text,
	"return_path" text NOT NULL,
	"answer" text,
	"transaction_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	CONSTRAINT "plan_changes_transaction" UNIQUE("transaction_id"),
	CONSTRAINT "plan_changes_once" UNIQUE("account_id","idempotency_key"),
	CONSTRAINT "plan_changes_payment" UNIQUE("payment_id"),
	CONSTRAINT "plan_changes_kind" CHECK ("kind" in ('start', 'upgrade', 'downgrade', 'keep', 'renewal')),
	CONSTRAINT "plan_changes_plan_type" CHECK ("plan_type" in ('starter', 'professional', 'enterprise')),
	CONSTRAINT "plan_changes_status" CHECK ("status" in ('pending', 'needs_confirmation', 'succeeded', 'failed', 'canceled')),
	CONSTRAINT "plan_changes_provider" CHECK ("provider" in ('sandbox', 'stripe')),
	CONSTRAINT "plan_changes_amount" CHECK (amount_cents between 0 and 99900),
	CONSTRAINT "plan_changes_line" CHECK (("plan_changes"."amount_cents" > 0) = ("plan_changes"."transaction_id" is not null)),
	CONSTRAINT "plan_changes_due" CHECK (("plan_changes"."status" in ('pending', 'needs_confirmation')) = ("plan_changes"."due_at" is not null)),
	CONSTRAINT "plan_changes_paid" CHECK ("plan_changes"."status" <> 'succeeded' or "plan_changes"."subscription_id" is not null and ("plan_changes"."amount_cents" = 0 or "plan_changes"."payment_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "anchor_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "period_started_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "period_ends_at" timestamp (3) with time zone DEFAULT now() + interval '1 month' NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "next_plan_type" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "cancel_at_period_end" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "past_due_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "due_at" timestamp (3) with time zone DEFAULT now() + interval '1 month';--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "plan_changes" ADD CONSTRAINT "plan_changes_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_changes" ADD CONSTRAINT "plan_changes_account" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id" UNIQUE("account_id","id");--> statement-breakpoint
ALTER TABLE "plan_changes" ADD CONSTRAINT "plan_changes_subscription" FOREIGN KEY ("account_id","subscription_id") REFERENCES "public"."subscriptions"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_changes" ADD CONSTRAINT "plan_changes_method" FOREIGN KEY ("account_id","payment_method_id") REFERENCES "public"."payment_methods"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "plan_changes_open" ON "plan_changes" USING btree ("account_id") WHERE status in ('pending', 'needs_confirmation');--> statement-breakpoint
CREATE INDEX "plan_changes_subscription" ON "plan_changes" USING btree ("subscription_id","id");--> statement-breakpoint
CREATE INDEX "plan_changes_account" ON "plan_changes" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "plan_changes_due" ON "plan_changes" USING btree ("due_at") WHERE "plan_changes"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_due" ON "subscriptions" USING btree ("due_at") WHERE "subscriptions"."status" <> 'canceled';--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_next_plan_type" CHECK ("next_plan_type" in ('starter', 'professional', 'enterprise'));--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_period" CHECK ("subscriptions"."period_ends_at" > "subscriptions"."period_started_at");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_past_due" CHECK (("subscriptions"."past_due_since" is not null) or "subscriptions"."status" <> 'past_due');--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_one_end" CHECK (not ("subscriptions"."cancel_at_period_end" and "subscriptions"."next_plan_type" is not null));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("event" in ('campaign_spend', 'top_up', 'debt_paid', 'refund', 'payout_started', 'payout_settled', 'payout_failed', 'subscription'));