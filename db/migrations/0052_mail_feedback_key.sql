-- outside a transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "mail_feedback_pk" ON "mail_feedback" USING btree ("mail_id","kind");
