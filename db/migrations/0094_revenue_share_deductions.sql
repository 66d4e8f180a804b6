-- outside a transaction
-- Finds the few line items whose held shares have deductions, whatever else a publisher earned (docs/decisions/0028).
CREATE INDEX CONCURRENTLY IF NOT EXISTS "revenue_shares_deductions" ON "revenue_shares" USING btree ("publisher_id","settled_through","line_item_id") WHERE "revenue_shares"."payout_id" is null and "revenue_shares"."earnings_cents" < 0;
