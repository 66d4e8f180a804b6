CREATE TABLE "payment_methods" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"type" text NOT NULL,
	"brand" text NOT NULL,
	"last_four" text NOT NULL,
	"expires_month" smallint NOT NULL,
	"expires_year" smallint NOT NULL,
	"token" "bytea",
	"is_default" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_methods_account_id" UNIQUE("account_id","id"),
	CONSTRAINT "payment_methods_provider" CHECK ("provider" in ('sandbox', 'stripe')),
	CONSTRAINT "payment_methods_type" CHECK ("type" in ('card')),
	CONSTRAINT "payment_methods_card" CHECK ("payment_methods"."last_four" ~ '^[0-9]{4}$' and "payment_methods"."expires_month" between 1 and 12 and "payment_methods"."expires_year" between 2000 and 2199),
	CONSTRAINT "payment_methods_default_is_there" CHECK ("payment_methods"."token" is not null or not "payment_methods"."is_default")
);
--> statement-breakpoint
CREATE TABLE "payment_setups" (
	"provider" text NOT NULL,
	"reference" text NOT NULL,
	"account_id" uuid NOT NULL,
	"payment_method_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_setups_provider" CHECK ("provider" in ('sandbox', 'stripe'))
);
--> statement-breakpoint
CREATE TABLE "sandbox_pages" (
	"id" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"return_path" text NOT NULL,
	"cancel_path" text NOT NULL,
	"card" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_pages_card" CHECK ("card" in ('tok_visa', 'tok_mastercard', 'tok_confirmation', 'tok_declined', 'tok_insufficient_funds', 'tok_expired'))
);
--> statement-breakpoint
CREATE TABLE "sandbox_payments" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"description" text NOT NULL,
	"card" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"return_path" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_payments_key" UNIQUE("key"),
	CONSTRAINT "sandbox_payments_card" CHECK ("card" in ('tok_visa', 'tok_mastercard', 'tok_confirmation', 'tok_declined', 'tok_insufficient_funds', 'tok_expired')),
	CONSTRAINT "sandbox_payments_state" CHECK ("state" in ('succeeded', 'declined', 'needs_confirmation')),
	CONSTRAINT "sandbox_payments_amount" CHECK ("sandbox_payments"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_refunds" (
	"key" text PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"amount_cents" integer NOT NULL,
	CONSTRAINT "sandbox_refunds_amount" CHECK ("sandbox_refunds"."amount_cents" > 0)
);
--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_setups" ADD CONSTRAINT "payment_setups_account" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_setups" ADD CONSTRAINT "payment_setups_method" FOREIGN KEY ("account_id","payment_method_id") REFERENCES "public"."payment_methods"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_refunds" ADD CONSTRAINT "sandbox_refunds_payment_id_sandbox_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."sandbox_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_methods_default" ON "payment_methods" USING btree ("account_id") WHERE "payment_methods"."is_default";--> statement-breakpoint
CREATE UNIQUE INDEX "payment_setups_reference" ON "payment_setups" USING btree ("provider","reference");