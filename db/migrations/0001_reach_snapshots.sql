CREATE TABLE "audience_snapshots" (
	"audience_id" uuid PRIMARY KEY NOT NULL,
	"taken_on" date NOT NULL,
	"version" integer NOT NULL,
	"erasures" integer DEFAULT 0 NOT NULL,
	"size" bigint NOT NULL,
	"level" smallint NOT NULL,
	"people" "bytea" NOT NULL,
	CONSTRAINT "audience_snapshots_shape" CHECK ("audience_snapshots"."version" >= 0 and "audience_snapshots"."erasures" >= 0 and "audience_snapshots"."size" >= 0 and "audience_snapshots"."level" between 0 and 31
        and length("audience_snapshots"."people") % 8 = 0)
);
--> statement-breakpoint
CREATE TABLE "reach_questions" (
	"account_id" uuid NOT NULL,
	"day" date NOT NULL,
	"number" smallint NOT NULL,
	"choice" "bytea" NOT NULL,
	"reach_from" bigint NOT NULL,
	"reach_to" bigint NOT NULL,
	CONSTRAINT "reach_questions_account_id_day_number_pk" PRIMARY KEY("account_id","day","number"),
	CONSTRAINT "reach_questions_choice" UNIQUE("account_id","day","choice"),
	CONSTRAINT "reach_questions_numbers" CHECK ("reach_questions"."number" between 1 and 200 and "reach_questions"."reach_from" >= 0 and "reach_questions"."reach_to" > "reach_questions"."reach_from"
        and length("reach_questions"."choice") = 32)
);
--> statement-breakpoint
ALTER TABLE "audience_snapshots" ADD CONSTRAINT "audience_snapshots_audience_id_audiences_id_fk" FOREIGN KEY ("audience_id") REFERENCES "public"."audiences"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reach_questions" ADD CONSTRAINT "reach_questions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Hashes cannot be compressed.
ALTER TABLE audience_snapshots ALTER COLUMN people SET STORAGE EXTERNAL;
