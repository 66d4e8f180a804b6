ALTER TABLE "repayments" ALTER COLUMN "publisher_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "repayments" ADD COLUMN "advertiser_id" uuid;--> statement-breakpoint
ALTER TABLE "repayments" ADD CONSTRAINT "repayments_advertiser_id_accounts_id_fk" FOREIGN KEY ("advertiser_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "repayments" ADD CONSTRAINT "repayments_reversed" FOREIGN KEY ("reverses_id") REFERENCES "public"."repayments"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "repayments" ADD CONSTRAINT "repayments_one" CHECK (num_nonnulls("repayments"."publisher_id", "repayments"."advertiser_id") = 1) NOT VALID;