CREATE TABLE "payment_customers" (
	"provider" text NOT NULL,
	"account_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_customers_provider" CHECK ("provider" in ('sandbox', 'stripe'))
);
--> statement-breakpoint
ALTER TABLE "payment_customers" ADD CONSTRAINT "payment_customers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_customers_account" ON "payment_customers" USING btree ("provider","account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_customers_reference" ON "payment_customers" USING btree ("provider","reference");