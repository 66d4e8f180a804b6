-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhooks_previous_secret_expires" ON "webhooks" USING btree ("previous_secret_expires_at") WHERE "webhooks"."previous_secret_expires_at" is not null;--> statement-breakpoint
ALTER TABLE "webhooks" VALIDATE CONSTRAINT "webhooks_previous_secret";
