CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"company_name" text NOT NULL,
	"website" text,
	"business_vertical" text,
	"monthly_budget_cents" bigint,
	"monthly_visitors" bigint,
	"monthly_pageviews" bigint,
	"allows_managed_campaigns" boolean DEFAULT false NOT NULL,
	"is_demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "accounts_type" CHECK ("type" in ('advertiser', 'publisher')),
	CONSTRAINT "accounts_status" CHECK ("status" in ('pending', 'approved', 'suspended')),
	CONSTRAINT "accounts_business_vertical" CHECK ("business_vertical" in ('ecommerce', 'saas', 'finance', 'healthcare', 'education', 'travel', 'automotive', 'real_estate', 'other')),
	CONSTRAINT "accounts_numbers" CHECK ("accounts"."monthly_budget_cents" >= 0 and "accounts"."monthly_visitors" >= 0 and "accounts"."monthly_pageviews" >= 0)
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid,
	"role" text NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"prefix" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_secret_hash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "api_keys_role" CHECK ("role" in ('tenant', 'operator')),
	CONSTRAINT "api_keys_owner" CHECK (("api_keys"."role" = 'operator') = ("api_keys"."account_id" is null))
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"caller" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"response_status" integer,
	"response_body" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"bucket" text PRIMARY KEY NOT NULL,
	"tokens" integer NOT NULL,
	"refilled_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"browser_hash" text NOT NULL,
	"code_verifier" text NOT NULL,
	"nonce" text NOT NULL,
	"redirect_to" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid,
	"google_subject" text NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"picture" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_google_subject_unique" UNIQUE("google_subject")
);
--> statement-breakpoint
CREATE TABLE "audiences" (
	"id" uuid PRIMARY KEY NOT NULL,
	"publisher_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"segment" text NOT NULL,
	"estimated_size" bigint,
	"size" bigint DEFAULT 0 NOT NULL,
	"cpm_cents" bigint,
	"data_source" text DEFAULT 'file' NOT NULL,
	"refresh_frequency" text DEFAULT 'weekly' NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"refreshed_at" timestamp (3) with time zone,
	CONSTRAINT "audiences_id_publisher" UNIQUE("id","publisher_id"),
	CONSTRAINT "audiences_segment" CHECK ("segment" in ('high-value', 'frequent-buyers', 'category-enthusiasts', 'seasonal-shoppers', 'new-customers', 'lapsed-customers')),
	CONSTRAINT "audiences_data_source" CHECK ("data_source" in ('file', 'api', 'salesforce', 'hubspot', 'klaviyo', 'segment')),
	CONSTRAINT "audiences_refresh_frequency" CHECK ("refresh_frequency" in ('daily', 'weekly', 'monthly', 'manual')),
	CONSTRAINT "audiences_status" CHECK ("status" in ('building', 'below_minimum', 'ready', 'archived')),
	CONSTRAINT "audiences_numbers" CHECK ("audiences"."estimated_size" >= 0 and "audiences"."size" >= 0 and "audiences"."cpm_cents" between 0 and 10000000),
	CONSTRAINT "audiences_ready_has_minimum" CHECK ("audiences"."status" <> 'ready' or ("audiences"."size" >= 1000 and "audiences"."cpm_cents" is not null))
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"action" text NOT NULL,
	"entity" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"campaign_id" uuid,
	"owner_id" uuid,
	"account_id" uuid,
	"actor_kind" text NOT NULL,
	"actor_account_id" uuid,
	"actor_user_id" uuid,
	"actor_api_key_id" uuid,
	"actor_name" text NOT NULL,
	"door" text NOT NULL,
	"request_id" text,
	"before" jsonb,
	"after" jsonb,
	CONSTRAINT "audit_entries_door" CHECK ("door" in ('screen', 'api', 'test_mode', 'command', 'job', 'seed'))
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"plan_type" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscriptions_plan_type" CHECK ("plan_type" in ('starter', 'professional', 'enterprise')),
	CONSTRAINT "subscriptions_status" CHECK ("status" in ('active', 'past_due', 'canceled'))
);
--> statement-breakpoint
CREATE TABLE "campaign_counts" (
	"advertiser_id" uuid NOT NULL,
	"status" text NOT NULL,
	"campaigns" bigint NOT NULL,
	CONSTRAINT "campaign_counts_advertiser_id_status_pk" PRIMARY KEY("advertiser_id","status")
);
--> statement-breakpoint
CREATE TABLE "campaign_versions" (
	"campaign_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"objective" text,
	"ad_format" text,
	"landing_url" text,
	"creative_preview_url" text,
	"product_ids" uuid[] DEFAULT '{}' NOT NULL,
	"geolocations" text[] DEFAULT '{}' NOT NULL,
	"frequency_cap_impressions" smallint DEFAULT 3 NOT NULL,
	"frequency_cap_period" text DEFAULT 'day' NOT NULL,
	"channel_type" text DEFAULT 'dsp' NOT NULL,
	"channels" text[] DEFAULT '{}' NOT NULL,
	"total_budget_cents" bigint,
	"daily_budget_cents" bigint,
	"start_date" date,
	"end_date" date,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"sent_by" uuid,
	CONSTRAINT "campaign_versions_campaign_id_number_pk" PRIMARY KEY("campaign_id","number"),
	CONSTRAINT "campaign_versions_objective" CHECK ("objective" in ('awareness', 'traffic', 'conversions')),
	CONSTRAINT "campaign_versions_ad_format" CHECK ("ad_format" in ('display', 'video', 'native', 'social')),
	CONSTRAINT "campaign_versions_frequency_cap_period" CHECK ("frequency_cap_period" in ('hour', 'day', 'week', 'month')),
	CONSTRAINT "campaign_versions_channel_type" CHECK ("channel_type" in ('dsp', 'walled_garden')),
	CONSTRAINT "campaign_versions_channels" CHECK ("channels" <@ array['dv360', 'amazon_dsp', 'trade_desk', 'adobe_advertising', 'meta', 'google', 'tiktok', 'youtube', 'pinterest', 'snapchat']::text[]),
	CONSTRAINT "campaign_versions_geolocations" CHECK ("geolocations" <@ array['us', 'ca', 'uk', 'de', 'fr', 'au', 'jp', 'br']::text[]),
	CONSTRAINT "campaign_versions_frequency_cap" CHECK ("campaign_versions"."frequency_cap_impressions" between 1 and 10),
	CONSTRAINT "campaign_versions_budgets" CHECK ("campaign_versions"."total_budget_cents" >= 0 and "campaign_versions"."daily_budget_cents" >= 0),
	CONSTRAINT "campaign_versions_dates" CHECK (isfinite("campaign_versions"."start_date") and isfinite("campaign_versions"."end_date")),
	CONSTRAINT "campaign_versions_complete" CHECK ("campaign_versions"."objective" is not null and "campaign_versions"."ad_format" is not null and "campaign_versions"."total_budget_cents" > 0 and "campaign_versions"."daily_budget_cents" between 1 and "campaign_versions"."total_budget_cents" and "campaign_versions"."start_date" <= "campaign_versions"."end_date" and cardinality("campaign_versions"."channels") > 0)
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"advertiser_id" uuid NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"objective" text,
	"ad_format" text,
	"landing_url" text,
	"creative_preview_url" text,
	"product_ids" uuid[] DEFAULT '{}' NOT NULL,
	"geolocations" text[] DEFAULT '{}' NOT NULL,
	"frequency_cap_impressions" smallint DEFAULT 3 NOT NULL,
	"frequency_cap_period" text DEFAULT 'day' NOT NULL,
	"channel_type" text DEFAULT 'dsp' NOT NULL,
	"channels" text[] DEFAULT '{}' NOT NULL,
	"total_budget_cents" bigint,
	"daily_budget_cents" bigint,
	"start_date" date,
	"end_date" date,
	"audience_ids" uuid[] DEFAULT '{}' NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"has_unsent_changes" boolean DEFAULT false NOT NULL,
	"launched_at" timestamp (3) with time zone,
	"paused_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"runs_until" date,
	"managed_by_publisher_id" uuid,
	"impressions" bigint DEFAULT 0 NOT NULL,
	"clicks" bigint DEFAULT 0 NOT NULL,
	"conversions" bigint DEFAULT 0 NOT NULL,
	"spend_micros" bigint DEFAULT 0 NOT NULL,
	"revenue_micros" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "campaigns_objective" CHECK ("objective" in ('awareness', 'traffic', 'conversions')),
	CONSTRAINT "campaigns_ad_format" CHECK ("ad_format" in ('display', 'video', 'native', 'social')),
	CONSTRAINT "campaigns_frequency_cap_period" CHECK ("frequency_cap_period" in ('hour', 'day', 'week', 'month')),
	CONSTRAINT "campaigns_channel_type" CHECK ("channel_type" in ('dsp', 'walled_garden')),
	CONSTRAINT "campaigns_channels" CHECK ("channels" <@ array['dv360', 'amazon_dsp', 'trade_desk', 'adobe_advertising', 'meta', 'google', 'tiktok', 'youtube', 'pinterest', 'snapchat']::text[]),
	CONSTRAINT "campaigns_geolocations" CHECK ("geolocations" <@ array['us', 'ca', 'uk', 'de', 'fr', 'au', 'jp', 'br']::text[]),
	CONSTRAINT "campaigns_frequency_cap" CHECK ("campaigns"."frequency_cap_impressions" between 1 and 10),
	CONSTRAINT "campaigns_budgets" CHECK ("campaigns"."total_budget_cents" >= 0 and "campaigns"."daily_budget_cents" >= 0),
	CONSTRAINT "campaigns_dates" CHECK (isfinite("campaigns"."start_date") and isfinite("campaigns"."end_date")),
	CONSTRAINT "campaigns_status" CHECK ("status" in ('draft', 'pending', 'active', 'paused', 'completed')),
	CONSTRAINT "campaigns_status_facts" CHECK (("campaigns"."status" = 'completed') = ("campaigns"."completed_at" is not null) and ("campaigns"."status" <> 'paused' or "campaigns"."paused_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "decisions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"line_item_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"action" text NOT NULL,
	"notes" text,
	"reasons" text[] DEFAULT '{}' NOT NULL,
	"decided_by_user_id" uuid,
	"decided_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "decisions_action" CHECK ("action" in ('approve', 'reject'))
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"line_item_id" uuid NOT NULL,
	"day" date NOT NULL,
	"audience_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"impressions" bigint NOT NULL,
	"clicks" bigint NOT NULL,
	"conversions" bigint NOT NULL,
	"spend_micros" bigint NOT NULL,
	"revenue_micros" bigint NOT NULL,
	CONSTRAINT "deliveries_line_item_id_day_audience_id_channel_pk" PRIMARY KEY("line_item_id","day","audience_id","channel"),
	CONSTRAINT "deliveries_channel" CHECK ("channel" in ('dv360', 'amazon_dsp', 'trade_desk', 'adobe_advertising', 'meta', 'google', 'tiktok', 'youtube', 'pinterest', 'snapchat')),
	CONSTRAINT "deliveries_numbers" CHECK ("deliveries"."impressions" >= 0 and "deliveries"."clicks" between 0 and "deliveries"."impressions" and "deliveries"."conversions" >= 0 and "deliveries"."spend_micros" >= 0 and "deliveries"."revenue_micros" >= 0),
	CONSTRAINT "deliveries_day" CHECK (isfinite("deliveries"."day"))
);
--> statement-breakpoint
CREATE TABLE "line_item_counts" (
	"publisher_id" uuid NOT NULL,
	"approval_status" text NOT NULL,
	"status" text NOT NULL,
	"managed_by_retailer" boolean NOT NULL,
	"line_items" bigint NOT NULL,
	"impressions" bigint NOT NULL,
	"commission_cents" bigint NOT NULL,
	"ctr_sum" bigint NOT NULL,
	CONSTRAINT "line_item_counts_publisher_id_approval_status_status_managed_by_retailer_pk" PRIMARY KEY("publisher_id","approval_status","status","managed_by_retailer")
);
--> statement-breakpoint
CREATE TABLE "line_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"campaign_id" uuid NOT NULL,
	"publisher_id" uuid NOT NULL,
	"campaign_name" text NOT NULL,
	"advertiser_name" text NOT NULL,
	"sent_version" integer NOT NULL,
	"approval_status" text DEFAULT 'pending' NOT NULL,
	"approved_version" integer,
	"notes" text,
	"decided_at" timestamp (3) with time zone,
	"publisher_paused_at" timestamp (3) with time zone,
	"advertiser_paused_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"withdrawn_at" timestamp (3) with time zone,
	"status" text GENERATED ALWAYS AS (case when withdrawn_at is not null then 'withdrawn' when approved_version is null then 'pending' when completed_at is not null then 'completed' when publisher_paused_at is not null or advertiser_paused_at is not null then 'paused' else 'active' end) STORED NOT NULL,
	"managed_by_retailer" boolean DEFAULT false NOT NULL,
	"commission_rate_bps" integer NOT NULL,
	"impressions" bigint DEFAULT 0 NOT NULL,
	"clicks" bigint DEFAULT 0 NOT NULL,
	"conversions" bigint DEFAULT 0 NOT NULL,
	"spend_micros" bigint DEFAULT 0 NOT NULL,
	"revenue_micros" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "line_items_campaign_publisher" UNIQUE("campaign_id","publisher_id"),
	CONSTRAINT "line_items_id_publisher" UNIQUE("id","publisher_id"),
	CONSTRAINT "line_items_approval_status" CHECK ("approval_status" in ('pending', 'approved', 'rejected', 'withdrawn')),
	CONSTRAINT "line_items_commission" CHECK ("line_items"."commission_rate_bps" between 0 and 8000),
	CONSTRAINT "line_items_approved_means_version" CHECK ("line_items"."approval_status" <> 'approved' or "line_items"."approved_version" = "line_items"."sent_version"),
	CONSTRAINT "line_items_version_order" CHECK ("line_items"."approved_version" <= "line_items"."sent_version")
);
--> statement-breakpoint
CREATE TABLE "version_audiences" (
	"campaign_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"audience_id" uuid NOT NULL,
	"publisher_id" uuid NOT NULL,
	"cpm_cents" bigint,
	CONSTRAINT "version_audiences_campaign_id_version_audience_id_pk" PRIMARY KEY("campaign_id","version","audience_id")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"name" text NOT NULL,
	"sku" text NOT NULL,
	"category" text NOT NULL,
	"price_cents" bigint NOT NULL,
	"inventory" bigint,
	"image_url" text,
	"description" text,
	"brand" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_id_account" UNIQUE("id","account_id"),
	CONSTRAINT "products_numbers" CHECK ("products"."price_cents" >= 0 and "products"."inventory" >= 0)
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audiences" ADD CONSTRAINT "audiences_publisher_id_accounts_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_versions" ADD CONSTRAINT "campaign_versions_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_advertiser_id_accounts_id_fk" FOREIGN KEY ("advertiser_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_managed_by_publisher_id_accounts_id_fk" FOREIGN KEY ("managed_by_publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_audience_id_audiences_id_fk" FOREIGN KEY ("audience_id") REFERENCES "public"."audiences"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_items" ADD CONSTRAINT "line_items_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_items" ADD CONSTRAINT "line_items_publisher_id_accounts_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_items" ADD CONSTRAINT "line_items_sent_version" FOREIGN KEY ("campaign_id","sent_version") REFERENCES "public"."campaign_versions"("campaign_id","number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_items" ADD CONSTRAINT "line_items_approved_version" FOREIGN KEY ("campaign_id","approved_version") REFERENCES "public"."campaign_versions"("campaign_id","number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_audiences" ADD CONSTRAINT "version_audiences_version" FOREIGN KEY ("campaign_id","version") REFERENCES "public"."campaign_versions"("campaign_id","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_audiences" ADD CONSTRAINT "version_audiences_audience" FOREIGN KEY ("audience_id","publisher_id") REFERENCES "public"."audiences"("id","publisher_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_managed_by_name" ON "accounts" USING btree ("company_name","id") WHERE "accounts"."allows_managed_campaigns" and "accounts"."type" = 'advertiser' and "accounts"."status" = 'approved';--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_id_type" ON "accounts" USING btree ("id","type");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "idempotency_keys_caller_key" ON "idempotency_keys" USING btree ("caller","key");--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_browser" ON "sign_in_attempts" USING btree ("browser_hash","created_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_age" ON "sign_in_attempts" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "users_account" ON "users" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "audiences_publisher" ON "audiences" USING btree ("publisher_id","created_at");--> statement-breakpoint
CREATE INDEX "audiences_ready" ON "audiences" USING btree ("name","id") WHERE "audiences"."status" = 'ready';--> statement-breakpoint
CREATE INDEX "audit_entries_campaign" ON "audit_entries" USING btree ("campaign_id","id");--> statement-breakpoint
CREATE INDEX "audit_entries_account" ON "audit_entries" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "audit_entries_owner" ON "audit_entries" USING btree ("owner_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_current" ON "subscriptions" USING btree ("account_id") WHERE "subscriptions"."status" <> 'canceled';--> statement-breakpoint
CREATE INDEX "campaigns_advertiser" ON "campaigns" USING btree ("advertiser_id","id");--> statement-breakpoint
CREATE INDEX "campaigns_by_name" ON "campaigns" USING btree ("advertiser_id","name","id");--> statement-breakpoint
CREATE INDEX "campaigns_by_budget" ON "campaigns" USING btree ("advertiser_id",coalesce("total_budget_cents", 0),"id");--> statement-breakpoint
CREATE INDEX "campaigns_by_impressions" ON "campaigns" USING btree ("advertiser_id","impressions","id");--> statement-breakpoint
CREATE INDEX "campaigns_advertiser_status" ON "campaigns" USING btree ("advertiser_id","status","id");--> statement-breakpoint
CREATE INDEX "campaigns_running_end" ON "campaigns" USING btree ("runs_until") WHERE "campaigns"."status" in ('active', 'paused');--> statement-breakpoint
CREATE UNIQUE INDEX "decisions_line_item_version" ON "decisions" USING btree ("line_item_id","version");--> statement-breakpoint
CREATE INDEX "line_items_publisher" ON "line_items" USING btree ("publisher_id","id");--> statement-breakpoint
CREATE INDEX "line_items_publisher_approval" ON "line_items" USING btree ("publisher_id","approval_status","id");--> statement-breakpoint
CREATE INDEX "line_items_publisher_status" ON "line_items" USING btree ("publisher_id","status","id");--> statement-breakpoint
CREATE INDEX "line_items_publisher_managed" ON "line_items" USING btree ("publisher_id","id") WHERE "line_items"."managed_by_retailer";--> statement-breakpoint
CREATE INDEX "version_audiences_audience" ON "version_audiences" USING btree ("audience_id");--> statement-breakpoint
CREATE UNIQUE INDEX "products_account_sku" ON "products" USING btree ("account_id","sku");--> statement-breakpoint
CREATE INDEX "products_account_name" ON "products" USING btree ("account_id","name","id");