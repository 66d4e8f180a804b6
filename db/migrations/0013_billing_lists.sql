CREATE INDEX "revenue_shares_time" ON "revenue_shares" USING btree ("publisher_id","created_at");--> statement-breakpoint
CREATE INDEX "transactions_of_type" ON "transactions" USING btree ("account_id","type","id");--> statement-breakpoint
CREATE INDEX "transactions_time" ON "transactions" USING btree ("account_id","created_at");