ALTER TABLE "refunds" DROP CONSTRAINT "refunds_numbers";--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "revision" integer;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_restated" UNIQUE("line_item_id","revision");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_numbers" CHECK (case when "refunds"."amount_cents" > 0 then "refunds"."earnings_cents" between 0 and "refunds"."amount_cents"
        else "refunds"."revision" is not null and "refunds"."amount_cents" < 0 and "refunds"."earnings_cents" between "refunds"."amount_cents" and 0 end);