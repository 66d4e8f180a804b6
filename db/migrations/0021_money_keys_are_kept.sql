DROP INDEX "idempotency_keys_age";--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "moves_money" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at") WHERE not "idempotency_keys"."moves_money";