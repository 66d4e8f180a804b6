CREATE TABLE "balance_returns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"occurrence" integer NOT NULL,
	"reverses_id" uuid,
	"amount_cents" bigint NOT NULL,
	"ledger_transaction_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "balance_returns_account" UNIQUE("account_id","id"),
	CONSTRAINT "balance_returns_amount" CHECK ("balance_returns"."amount_cents" <> 0 and ("balance_returns"."amount_cents" < 0) = ("balance_returns"."reverses_id" is not null)),
	CONSTRAINT "balance_returns_occurrence" CHECK ("balance_returns"."occurrence" > 0),
	CONSTRAINT "balance_returns_named" CHECK ("balance_returns"."reference" <> '')
);
--> statement-breakpoint
CREATE TRIGGER balance_returns_are_kept BEFORE UPDATE OR DELETE ON balance_returns FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("event" in ('campaign_spend', 'top_up', 'receivable_settled', 'invoice_paid', 'refund', 'payout_started', 'payout_settled', 'payout_failed', 'payout_returned', 'repayment', 'repayment_reversed', 'balance_returned', 'balance_return_reversed', 'subscription', 'payment_reversed', 'payment_reinstated')) NOT VALID;--> statement-breakpoint
ALTER TABLE "balance_returns" ADD CONSTRAINT "balance_returns_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "balance_returns" ADD CONSTRAINT "balance_returns_ledger_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("ledger_transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "balance_returns" ADD CONSTRAINT "balance_returns_reversal" FOREIGN KEY ("account_id","reverses_id") REFERENCES "public"."balance_returns"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "balance_returns_recorded_once" ON "balance_returns" USING btree ("reference","occurrence") WHERE "balance_returns"."reverses_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "balance_returns_reversed_once" ON "balance_returns" USING btree ("reverses_id") WHERE "balance_returns"."reverses_id" is not null;