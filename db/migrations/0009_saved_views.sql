CREATE TABLE "saved_views" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"mode" text NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_views_mode" CHECK ("mode" in ('live', 'test')),
	CONSTRAINT "saved_views_list" CHECK ("list" in ('campaigns', 'audiences', 'products', 'creatives', 'transactions', 'earnings', 'analytics')),
	CONSTRAINT "saved_views_name" CHECK (char_length("saved_views"."name") between 1 and 60),
	CONSTRAINT "saved_views_query" CHECK (char_length("saved_views"."query") <= 1000 and "saved_views"."query" ~ '^[A-Za-z0-9*._+%=&-]*$')
);
--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name_per_list" ON "saved_views" USING btree ("user_id","account_id","mode","list",lower("name"));