CREATE TABLE "campaign_edits" (
	"campaign_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"step" smallint NOT NULL,
	"user_id" uuid,
	"entrypoint" text NOT NULL,
	"before" jsonb,
	"saved_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "campaign_edits_campaign_id_session_id_pk" PRIMARY KEY("campaign_id","session_id"),
	CONSTRAINT "campaign_edits_entrypoint" CHECK ("entrypoint" in ('screen', 'api', 'test_mode', 'command', 'job', 'seed')),
	CONSTRAINT "campaign_edits_step" CHECK ("campaign_edits"."step" between 1 and 5 and "campaign_edits"."revision" >= 0)
);
--> statement-breakpoint
ALTER TABLE "campaign_edits" ADD CONSTRAINT "campaign_edits_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_edits_open" ON "campaign_edits" USING btree ("campaign_id") WHERE "campaign_edits"."before" is not null;--> statement-breakpoint
CREATE INDEX "campaign_edits_saved_at" ON "campaign_edits" USING btree ("saved_at");