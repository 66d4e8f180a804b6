ALTER TABLE "invoice_lines" ADD COLUMN "adjusts_month" date;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "adjusts_month" date;--> statement-breakpoint
ALTER TABLE "line_item_settlements" ADD COLUMN "spend_by_month" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD COLUMN "adjusts_month" date;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "adjusts_month" date;--> statement-breakpoint
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_adjusts" CHECK ("invoice_lines"."adjusts_month" is null or ("invoice_lines"."campaign_id" is not null and date_trunc('month', "invoice_lines"."adjusts_month"::timestamp) = "invoice_lines"."adjusts_month"::timestamp)) NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_adjusts" CHECK ("ledger_transactions"."adjusts_month" is null or ("ledger_transactions"."event" = 'campaign_spend' and date_trunc('month', "ledger_transactions"."adjusts_month"::timestamp) = "ledger_transactions"."adjusts_month"::timestamp)) NOT VALID;--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD CONSTRAINT "revenue_shares_adjusts" CHECK ("revenue_shares"."adjusts_month" is null or ("revenue_shares"."revision" is not null and date_trunc('month', "revenue_shares"."adjusts_month"::timestamp) = "revenue_shares"."adjusts_month"::timestamp)) NOT VALID;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_adjusts" CHECK ("transactions"."adjusts_month" is null or ("transactions"."type" = 'campaign_spend' and date_trunc('month', "transactions"."adjusts_month"::timestamp) = "transactions"."adjusts_month"::timestamp)) NOT VALID;--> statement-breakpoint
-- bounded: one row for each line item that was settled.
-- What is settled by month of delivery; what was reported since the last settlement counts in the month of its last day.
with delivered as (
  select day.line_item_id, to_char(day.day, 'YYYY-MM') as month, sum(day.spend_micros) as micros
  from line_item_days day join line_item_settlements known on known.line_item_id = day.line_item_id and day.day <= known.settled_through group by 1, 2
), totals as (
  select line_item_id, sum(micros) as micros from delivered group by 1
), months as (
  select line_item_id, month, sum(micros) as micros from (
    select line_item_id, month, micros from delivered
    union all select known.line_item_id, to_char(known.settled_through, 'YYYY-MM'), known.spend_micros - coalesce(totals.micros, 0)
      from line_item_settlements known left join totals on totals.line_item_id = known.line_item_id
  ) parts group by 1, 2
)
update line_item_settlements known set spend_by_month = sums.by_month
from (select line_item_id, jsonb_object_agg(month, micros::text) as by_month from months where micros <> 0 group by 1) sums
where sums.line_item_id = known.line_item_id;
