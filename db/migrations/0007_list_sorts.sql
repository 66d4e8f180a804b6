CREATE INDEX "revenue_shares_by_spend" ON "revenue_shares" USING btree ("publisher_id","spend_cents","id");--> statement-breakpoint
CREATE INDEX "revenue_shares_by_fee" ON "revenue_shares" USING btree ("publisher_id","fee_cents","id");--> statement-breakpoint
CREATE INDEX "revenue_shares_by_earnings" ON "revenue_shares" USING btree ("publisher_id","earnings_cents","id");--> statement-breakpoint
CREATE INDEX "transactions_by_amount" ON "transactions" USING btree ("account_id","amount_cents","id");--> statement-breakpoint
CREATE INDEX "transactions_by_signed_amount" ON "transactions" USING btree ("account_id",(case when "type" = 'campaign_spend' then -"amount_cents" else "amount_cents" end),"id");