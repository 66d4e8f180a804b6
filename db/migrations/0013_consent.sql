ALTER TABLE "audience_uploads" ADD COLUMN "rows_opted_out" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audience_uploads" ADD COLUMN "opt_outs" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "audience_uploads" ADD COLUMN "includes_opt_outs" boolean DEFAULT false NOT NULL;