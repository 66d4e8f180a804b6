CREATE TABLE "netted_plans" (
	"id" uuid PRIMARY KEY NOT NULL,
	"publisher_id" uuid NOT NULL,
	"plan_change_id" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	"payout_id" uuid,
	"ledger_transaction_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "netted_plans_once" UNIQUE("plan_change_id"),
	CONSTRAINT "netted_plans_publisher" UNIQUE("publisher_id","id"),
	CONSTRAINT "netted_plans_amount" CHECK ("netted_plans"."amount_cents" > 0)
);
--> statement-breakpoint
ALTER TABLE "plan_changes" DROP CONSTRAINT "plan_changes_paid";
--> statement-breakpoint
ALTER TABLE "payout_lines" ALTER COLUMN "revenue_share_id" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "plan_paid_from" text DEFAULT 'payment_method' NOT NULL;
--> statement-breakpoint
ALTER TABLE "plan_changes" ADD COLUMN "netted" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "payout_lines" ADD COLUMN "netted_plan_id" uuid;
--> statement-breakpoint
ALTER TABLE "netted_plans" ADD CONSTRAINT "netted_plans_ledger_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("ledger_transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "netted_plans" ADD CONSTRAINT "netted_plans_plan_change" FOREIGN KEY ("publisher_id","plan_change_id") REFERENCES "public"."plan_changes"("account_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "netted_plans" ADD CONSTRAINT "netted_plans_payout" FOREIGN KEY ("publisher_id","payout_id") REFERENCES "public"."payouts"("publisher_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "netted_plans_free" ON "netted_plans" USING btree ("publisher_id") WHERE "netted_plans"."payout_id" is null;
--> statement-breakpoint
CREATE INDEX "netted_plans_of_payout" ON "netted_plans" USING btree ("payout_id") WHERE "netted_plans"."payout_id" is not null;
--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_plan" FOREIGN KEY ("publisher_id","netted_plan_id") REFERENCES "public"."netted_plans"("publisher_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_plan_once" UNIQUE("payout_id","netted_plan_id");
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_plan_paid_from" CHECK ("plan_paid_from" in ('payment_method', 'earnings'));
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_earns" CHECK ("accounts"."plan_paid_from" = 'payment_method' or "accounts"."type" = 'publisher');
--> statement-breakpoint
ALTER TABLE "plan_changes" ADD CONSTRAINT "plan_changes_netted" CHECK (not "plan_changes"."netted" or "plan_changes"."provider" is null and "plan_changes"."payment_id" is null);
--> statement-breakpoint
ALTER TABLE "plan_changes" ADD CONSTRAINT "plan_changes_paid" CHECK ("plan_changes"."status" <> 'succeeded' or "plan_changes"."subscription_id" is not null and ("plan_changes"."amount_cents" = 0 or "plan_changes"."netted" or "plan_changes"."payment_id" is not null));
--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_one" CHECK (("payout_lines"."revenue_share_id" is null) <> ("payout_lines"."netted_plan_id" is null));
--> statement-breakpoint
CREATE TRIGGER netted_plans_are_fixed BEFORE UPDATE OF id, publisher_id, plan_change_id, amount_cents, ledger_transaction_id, created_at ON netted_plans FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER netted_plans_are_kept BEFORE DELETE ON netted_plans FOR EACH ROW EXECUTE FUNCTION refuse_change();
