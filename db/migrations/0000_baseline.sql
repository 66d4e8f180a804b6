CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint

-- Numbers the rewrites of audiences. No two rewrites share a number, so neither sees the blocks that the other writes.
CREATE SEQUENCE audience_generations AS integer;
--> statement-breakpoint

-- Returns whether a delivery's figures by creative are valid: each creative once, figures that a delivery could have, and sums
-- that do not exceed the delivery's own.
CREATE FUNCTION creatives_fit(creatives jsonb, of_impressions bigint, of_clicks bigint, of_conversions bigint, of_spend bigint, of_revenue bigint, of_reported bigint) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(count(*) > 0 AND count(*) = count(DISTINCT creative_id) AND sum(impressions) <= of_impressions AND sum(clicks) <= of_clicks AND sum(conversions) <= of_conversions
    AND sum(spend_micros) <= of_spend AND sum(revenue_micros) <= of_revenue AND sum(reported_micros) <= of_reported
    AND bool_and(clicks BETWEEN 0 AND impressions AND conversions >= 0 AND spend_micros >= 0 AND revenue_micros >= 0 AND reported_micros >= 0), false)
  FROM jsonb_to_recordset(creatives) AS part (creative_id uuid, impressions bigint, clicks bigint, conversions bigint, spend_micros bigint, revenue_micros bigint, reported_micros bigint)
$$;
--> statement-breakpoint

-- Tables, in the order of db/schema.
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
	"credit_limit_cents" bigint DEFAULT 0 NOT NULL,
	"plan_paid_from" text DEFAULT 'payment_method' NOT NULL,
	CONSTRAINT "accounts_type" CHECK ("type" in ('advertiser', 'publisher')),
	CONSTRAINT "accounts_status" CHECK ("status" in ('pending', 'approved', 'suspended')),
	CONSTRAINT "accounts_business_vertical" CHECK ("business_vertical" in ('ecommerce', 'saas', 'finance', 'healthcare', 'education', 'travel', 'automotive', 'real_estate', 'other')),
	CONSTRAINT "accounts_numbers" CHECK ("accounts"."monthly_budget_cents" >= 0 and "accounts"."monthly_visitors" >= 0 and "accounts"."monthly_pageviews" >= 0),
	CONSTRAINT "accounts_plan_paid_from" CHECK ("plan_paid_from" in ('payment_method', 'earnings')),
	CONSTRAINT "accounts_earns" CHECK ("accounts"."plan_paid_from" = 'payment_method' or "accounts"."type" = 'publisher'),
	CONSTRAINT "accounts_credit_limit" CHECK ("accounts"."credit_limit_cents" between 0 and case when "accounts"."type" = 'advertiser' then 1000000000 else 0 end)
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
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"moves_money" boolean DEFAULT false NOT NULL
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
CREATE TABLE "sign_in_devices" (
	"user_id" uuid NOT NULL,
	"device_hash" text NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sign_in_devices_user_id_device_hash_pk" PRIMARY KEY("user_id","device_hash")
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
CREATE TABLE "audience_connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"publisher_id" uuid NOT NULL,
	"program" text NOT NULL,
	"credential" "bytea" NOT NULL,
	"problem" text,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "audience_connections_one_each" UNIQUE("publisher_id","program"),
	CONSTRAINT "audience_connections_program" CHECK ("program" in ('salesforce', 'hubspot', 'klaviyo')),
	CONSTRAINT "audience_connections_problem" CHECK ("problem" in ('refused', 'not_allowed', 'unknown_list', 'busy', 'unreachable', 'unreadable', 'sealed'))
);
--> statement-breakpoint
CREATE TABLE "audience_blocks" (
	"audience_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"first" "bytea" NOT NULL,
	"hashes" "bytea" NOT NULL,
	"tags" "bytea" NOT NULL,
	"spellings" "bytea" NOT NULL,
	CONSTRAINT "audience_blocks_audience_id_generation_first_pk" PRIMARY KEY("audience_id","generation","first"),
	CONSTRAINT "audience_blocks_shape" CHECK (length("audience_blocks"."hashes") = 32 * length("audience_blocks"."tags") and length("audience_blocks"."tags") between 1 and 4096
        and substr("audience_blocks"."hashes", 1, 32) = "audience_blocks"."first" and length("audience_blocks"."spellings") % 32 = 0)
);
--> statement-breakpoint
CREATE TABLE "audience_uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"audience_id" uuid NOT NULL,
	"publisher_id" uuid NOT NULL,
	"mode" text NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"files" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"rows_read" bigint DEFAULT 0 NOT NULL,
	"rows_blank" bigint DEFAULT 0 NOT NULL,
	"rows_invalid" bigint DEFAULT 0 NOT NULL,
	"invalid_by_reason" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"problems" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"duplicates" bigint DEFAULT 0 NOT NULL,
	"people_added" bigint DEFAULT 0 NOT NULL,
	"people_removed" bigint DEFAULT 0 NOT NULL,
	"size" bigint,
	"dropped_columns" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"alive_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"source" text DEFAULT 'file' NOT NULL,
	CONSTRAINT "audience_uploads_mode" CHECK ("mode" in ('add', 'replace', 'remove')),
	CONSTRAINT "audience_uploads_source" CHECK ("source" in ('file', 'salesforce', 'hubspot', 'klaviyo')),
	CONSTRAINT "audience_uploads_status" CHECK ("status" in ('running', 'succeeded', 'failed')),
	CONSTRAINT "audience_uploads_finished" CHECK (("audience_uploads"."status" = 'running') = ("audience_uploads"."finished_at" is null)
        and ("audience_uploads"."status" = 'failed') = ("audience_uploads"."error" is not null)
        and ("audience_uploads"."status" = 'succeeded') = ("audience_uploads"."size" is not null))
);
--> statement-breakpoint
CREATE TABLE "audience_versions" (
	"audience_id" uuid NOT NULL,
	"publisher_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"source" text NOT NULL,
	"mode" text,
	"upload_id" uuid,
	"people_added" bigint NOT NULL,
	"people_removed" bigint NOT NULL,
	"size" bigint NOT NULL,
	"rule_sets" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "audience_versions_audience_id_number_pk" PRIMARY KEY("audience_id","number"),
	CONSTRAINT "audience_versions_source" CHECK ("source" in ('upload', 'members', 'erasure')),
	CONSTRAINT "audience_versions_mode" CHECK ("mode" in ('add', 'replace', 'remove')),
	CONSTRAINT "audience_versions_numbers" CHECK ("audience_versions"."number" > 0 and "audience_versions"."people_added" >= 0 and "audience_versions"."people_removed" >= 0 and "audience_versions"."size" >= 0)
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
	"version" integer DEFAULT 0 NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"default_country" text,
	"archived_at" timestamp (3) with time zone,
	"remote_list_id" text,
	"remote_list_name" text,
	"next_refresh_at" timestamp (3) with time zone,
	CONSTRAINT "audiences_id_publisher" UNIQUE("id","publisher_id"),
	CONSTRAINT "audiences_segment" CHECK ("segment" in ('high-value', 'frequent-buyers', 'category-enthusiasts', 'seasonal-shoppers', 'new-customers', 'lapsed-customers')),
	CONSTRAINT "audiences_data_source" CHECK ("data_source" in ('file', 'api', 'salesforce', 'hubspot', 'klaviyo', 'segment')),
	CONSTRAINT "audiences_refresh_frequency" CHECK ("refresh_frequency" in ('daily', 'weekly', 'monthly', 'manual')),
	CONSTRAINT "audiences_status" CHECK ("status" in ('building', 'below_minimum', 'ready', 'archived')),
	CONSTRAINT "audiences_default_country" CHECK ("audiences"."default_country" ~ '^[A-Z]{2}$'),
	CONSTRAINT "audiences_numbers" CHECK ("audiences"."estimated_size" >= 0 and "audiences"."size" >= 0 and "audiences"."cpm_cents" between 0 and 10000000),
	CONSTRAINT "audiences_ready_has_minimum" CHECK ("audiences"."status" <> 'ready' or ("audiences"."size" >= 1000 and "audiences"."cpm_cents" is not null)),
	CONSTRAINT "audiences_remote_list" CHECK (("audiences"."remote_list_id" is null) = ("audiences"."remote_list_name" is null)
        and ("audiences"."next_refresh_at" is null or ("audiences"."remote_list_id" is not null and "audiences"."status" <> 'archived')))
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
CREATE TABLE "plan_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"subscription_id" uuid,
	"kind" text NOT NULL,
	"plan_type" text NOT NULL,
	"status" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"period_started_at" timestamp (3) with time zone,
	"payment_method_id" uuid,
	"provider" text,
	"idempotency_key" text NOT NULL,
	"payment_id" text,
	"confirm_url" text,
	"failure" text,
	"return_path" text NOT NULL,
	"answer" text,
	"transaction_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	"taken_back_cents" bigint DEFAULT 0 NOT NULL,
	"netted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "plan_changes_transaction" UNIQUE("transaction_id"),
	CONSTRAINT "plan_changes_once" UNIQUE("account_id","idempotency_key"),
	CONSTRAINT "plan_changes_payment" UNIQUE("payment_id"),
	CONSTRAINT "plan_changes_account_id" UNIQUE("account_id","id"),
	CONSTRAINT "plan_changes_taken_back" CHECK ("plan_changes"."taken_back_cents" between 0 and case "plan_changes"."status" when 'succeeded' then "plan_changes"."amount_cents" else 0 end),
	CONSTRAINT "plan_changes_kind" CHECK ("kind" in ('start', 'upgrade', 'downgrade', 'keep', 'renewal')),
	CONSTRAINT "plan_changes_plan_type" CHECK ("plan_type" in ('starter', 'professional', 'enterprise')),
	CONSTRAINT "plan_changes_status" CHECK ("status" in ('pending', 'needs_confirmation', 'succeeded', 'failed', 'canceled')),
	CONSTRAINT "plan_changes_provider" CHECK ("provider" in ('sandbox', 'stripe')),
	CONSTRAINT "plan_changes_amount" CHECK (amount_cents between 0 and 99900),
	CONSTRAINT "plan_changes_line" CHECK (("plan_changes"."amount_cents" > 0) = ("plan_changes"."transaction_id" is not null)),
	CONSTRAINT "plan_changes_due" CHECK (("plan_changes"."status" in ('pending', 'needs_confirmation')) = ("plan_changes"."due_at" is not null)),
	CONSTRAINT "plan_changes_paid" CHECK ("plan_changes"."status" <> 'succeeded' or "plan_changes"."subscription_id" is not null and ("plan_changes"."amount_cents" = 0 or "plan_changes"."netted" or "plan_changes"."payment_id" is not null)),
	CONSTRAINT "plan_changes_netted" CHECK (not "plan_changes"."netted" or "plan_changes"."provider" is null and "plan_changes"."payment_id" is null)
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"plan_type" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"anchor_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"period_started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"period_ends_at" timestamp (3) with time zone DEFAULT now() + interval '1 month' NOT NULL,
	"next_plan_type" text,
	"cancel_at_period_end" boolean DEFAULT false NOT NULL,
	"past_due_since" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone DEFAULT now() + interval '1 month',
	"ended_at" timestamp (3) with time zone,
	"taken_back_at" timestamp (3) with time zone,
	CONSTRAINT "subscriptions_account_id" UNIQUE("account_id","id"),
	CONSTRAINT "subscriptions_plan_type" CHECK ("plan_type" in ('starter', 'professional', 'enterprise')),
	CONSTRAINT "subscriptions_next_plan_type" CHECK ("next_plan_type" in ('starter', 'professional', 'enterprise')),
	CONSTRAINT "subscriptions_status" CHECK ("status" in ('active', 'past_due', 'canceled')),
	CONSTRAINT "subscriptions_period" CHECK ("subscriptions"."period_ends_at" > "subscriptions"."period_started_at"),
	CONSTRAINT "subscriptions_past_due" CHECK (("subscriptions"."past_due_since" is not null) or "subscriptions"."status" <> 'past_due'),
	CONSTRAINT "subscriptions_taken_back" CHECK ("subscriptions"."taken_back_at" is null or "subscriptions"."status" = 'canceled' or "subscriptions"."past_due_since" is not null),
	CONSTRAINT "subscriptions_one_end" CHECK (not ("subscriptions"."cancel_at_period_end" and "subscriptions"."next_plan_type" is not null))
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
	"creative_ids" uuid[] DEFAULT '{}' NOT NULL,
	"product_category" text,
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
	CONSTRAINT "campaign_versions_complete" CHECK (("campaign_versions"."objective" is not null and "campaign_versions"."ad_format" is not null and "campaign_versions"."total_budget_cents" > 0 and "campaign_versions"."daily_budget_cents" between 1 and "campaign_versions"."total_budget_cents" and "campaign_versions"."start_date" <= "campaign_versions"."end_date" and cardinality("campaign_versions"."channels") > 0) is true)
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
	"creative_ids" uuid[] DEFAULT '{}' NOT NULL,
	"pacing" text DEFAULT 'even' NOT NULL,
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
	CONSTRAINT "campaigns_pacing" CHECK ("pacing" in ('even', 'asap')),
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
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "line_items_campaign_publisher" UNIQUE("campaign_id","publisher_id"),
	CONSTRAINT "line_items_id_publisher" UNIQUE("id","publisher_id"),
	CONSTRAINT "line_items_approval_status" CHECK ("approval_status" in ('pending', 'approved', 'rejected', 'withdrawn')),
	CONSTRAINT "line_items_commission" CHECK ("line_items"."commission_rate_bps" between 0 and 8000),
	CONSTRAINT "line_items_approved_means_version" CHECK (("line_items"."approval_status" <> 'approved' or "line_items"."approved_version" = "line_items"."sent_version") is true),
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
	"group_key" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_account_id" UNIQUE("account_id","id"),
	CONSTRAINT "products_numbers" CHECK ("products"."price_cents" between 0 and 1000000000 and "products"."inventory" between 0 and 1000000000),
	CONSTRAINT "products_named" CHECK ("products"."name" <> '' and "products"."sku" <> '' and "products"."category" <> '')
);
--> statement-breakpoint
CREATE TABLE "product_import_blocks" (
	"import_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"rows" jsonb NOT NULL,
	CONSTRAINT "product_import_blocks_import_id_number_pk" PRIMARY KEY("import_id","number")
);
--> statement-breakpoint
CREATE TABLE "product_import_columns" (
	"account_id" uuid NOT NULL,
	"dialect" text NOT NULL,
	"columns" jsonb NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "product_import_columns_account_id_dialect_pk" PRIMARY KEY("account_id","dialect"),
	CONSTRAINT "product_import_columns_dialect" CHECK ("dialect" in ('template', 'shopify-new', 'shopify-legacy', 'woocommerce', 'merchant-feed', 'other'))
);
--> statement-breakpoint
CREATE TABLE "product_import_pieces" (
	"import_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "product_import_pieces_import_id_number_pk" PRIMARY KEY("import_id","number")
);
--> statement-breakpoint
CREATE TABLE "product_import_problems" (
	"import_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"row" integer NOT NULL,
	"sku" text,
	"column_name" text NOT NULL,
	"message" text NOT NULL,
	CONSTRAINT "product_import_problems_import_id_number_pk" PRIMARY KEY("import_id","number"),
	CONSTRAINT "product_import_problems_kind" CHECK ("kind" in ('rejected', 'warning'))
);
--> statement-breakpoint
CREATE TABLE "product_imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"committed" boolean DEFAULT false NOT NULL,
	"store_id" uuid,
	"cursor" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"file_name" text,
	"bytes" bigint,
	"format" text,
	"dialect" text,
	"header" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"samples" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"chosen_columns" jsonb,
	"read_columns" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"missing_fields" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"derive_sku" boolean DEFAULT false NOT NULL,
	"default_category" text,
	"rows_read" integer DEFAULT 0 NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"rejected" integer DEFAULT 0 NOT NULL,
	"warned" integer DEFAULT 0 NOT NULL,
	"derived_skus" integer DEFAULT 0 NOT NULL,
	"default_categories" integer DEFAULT 0 NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"alive_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "product_imports_account_id" UNIQUE("account_id","id"),
	CONSTRAINT "product_imports_status" CHECK ("status" in ('running', 'previewed', 'succeeded', 'failed', 'discarded')),
	CONSTRAINT "product_imports_dialect" CHECK ("dialect" in ('template', 'shopify-new', 'shopify-legacy', 'woocommerce', 'merchant-feed', 'other')),
	CONSTRAINT "product_imports_finished" CHECK (("product_imports"."status" = 'running') = ("product_imports"."finished_at" is null)
        and ("product_imports"."status" = 'failed') = ("product_imports"."error" is not null)
        and ("product_imports"."status" <> 'succeeded' or "product_imports"."committed"))
);
--> statement-breakpoint
CREATE TABLE "channel_audiences" (
	"audience_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"reference" text,
	"version" integer,
	"sent_at" timestamp (3) with time zone,
	"upload" jsonb,
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"last_error" text,
	"due_at" timestamp (3) with time zone NOT NULL,
	"busy_until" timestamp (3) with time zone,
	CONSTRAINT "channel_audiences_audience_id_channel_pk" PRIMARY KEY("audience_id","channel"),
	CONSTRAINT "channel_audiences_channel" CHECK ("channel" in ('google', 'meta')),
	CONSTRAINT "channel_audiences_problem" CHECK ("problem" in ('waiting', 'refused', 'not_allowed', 'busy', 'unreachable', 'unreadable', 'rejected', 'missing', 'sealed', 'other_currency')),
	CONSTRAINT "channel_audiences_there" CHECK (("channel_audiences"."version" is null) = ("channel_audiences"."sent_at" is null) and ("channel_audiences"."version" is null or "channel_audiences"."reference" is not null)),
	CONSTRAINT "channel_audiences_failures" CHECK ("channel_audiences"."failures" >= 0)
);
--> statement-breakpoint
CREATE TABLE "channel_connections" (
	"channel" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"credential" "bytea" NOT NULL,
	"account" text NOT NULL,
	"time_zone" text NOT NULL,
	"problem" text,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"connected_at" timestamp (3) with time zone NOT NULL,
	"connected_by" text NOT NULL,
	CONSTRAINT "channel_connections_channel" CHECK ("channel" in ('google', 'meta')),
	CONSTRAINT "channel_connections_problem" CHECK ("problem" in ('waiting', 'refused', 'not_allowed', 'busy', 'unreachable', 'unreadable', 'rejected', 'missing', 'sealed', 'other_currency')),
	CONSTRAINT "channel_connections_account" CHECK ("channel_connections"."account" ~ '^[0-9]{5,20}$'),
	CONSTRAINT "channel_connections_time_zone" CHECK ("channel_connections"."time_zone" ~ '^[A-Za-z0-9_+/-]{1,64}$')
);
--> statement-breakpoint
CREATE TABLE "creatives" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"file_key" text NOT NULL,
	"path" text GENERATED ALWAYS AS ('/creatives/' || file_key || case type when 'image/jpeg' then '.jpg' when 'image/png' then '.png' when 'image/gif' then '.gif' when 'video/mp4' then '.mp4' end) STORED NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"duration_ms" integer,
	"bytes" bigint NOT NULL,
	"preview_bytes" integer,
	"sha256" text NOT NULL,
	"source_sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "creatives_account_id" UNIQUE("account_id","id"),
	CONSTRAINT "creatives_type" CHECK ("type" in ('image/jpeg', 'image/png', 'image/gif', 'video/mp4')),
	CONSTRAINT "creatives_numbers" CHECK ("creatives"."width" > 0 and "creatives"."height" > 0 and "creatives"."duration_ms" >= 0 and "creatives"."bytes" > 0 and "creatives"."preview_bytes" > 0),
	CONSTRAINT "creatives_file_key_form" CHECK ("creatives"."file_key" ~ '^[A-Za-z0-9_-]{32}$'),
	CONSTRAINT "creatives_sha256" CHECK ("creatives"."sha256" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "creatives_source_sha256" CHECK ("creatives"."source_sha256" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "account_audience_days" (
	"account_id" uuid NOT NULL,
	"day" date NOT NULL,
	"channel" text NOT NULL,
	"impressions" bigint NOT NULL,
	"clicks" bigint NOT NULL,
	"conversions" bigint NOT NULL,
	"spend_micros" bigint NOT NULL,
	"revenue_micros" bigint NOT NULL,
	"earned_units" numeric(30, 0) NOT NULL,
	"audience_id" uuid NOT NULL,
	CONSTRAINT "account_audience_days_account_id_audience_id_day_channel_pk" PRIMARY KEY("account_id","audience_id","day","channel")
);
--> statement-breakpoint
CREATE TABLE "account_days" (
	"account_id" uuid NOT NULL,
	"day" date NOT NULL,
	"channel" text NOT NULL,
	"impressions" bigint NOT NULL,
	"clicks" bigint NOT NULL,
	"conversions" bigint NOT NULL,
	"spend_micros" bigint NOT NULL,
	"revenue_micros" bigint NOT NULL,
	"earned_units" numeric(30, 0) NOT NULL,
	CONSTRAINT "account_days_account_id_day_channel_pk" PRIMARY KEY("account_id","day","channel")
);
--> statement-breakpoint
CREATE TABLE "channel_collections" (
	"source" text PRIMARY KEY NOT NULL,
	"collected_until" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"accepted" integer DEFAULT 0 NOT NULL,
	"refused" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"last_error" text,
	"due_at" timestamp (3) with time zone,
	CONSTRAINT "channel_collections_problem" CHECK ("problem" in ('waiting', 'refused', 'not_allowed', 'busy', 'unreachable', 'unreadable', 'rejected', 'missing', 'sealed', 'other_currency')),
	CONSTRAINT "channel_collections_numbers" CHECK ("channel_collections"."accepted" >= 0 and "channel_collections"."failures" >= 0)
);
--> statement-breakpoint
CREATE TABLE "channel_orders" (
	"line_item_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"wanted" text NOT NULL,
	"wanted_version" integer NOT NULL,
	"state" text,
	"version" integer,
	"reference" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"due_at" timestamp (3) with time zone,
	"problem" text,
	CONSTRAINT "channel_orders_line_item_id_channel_pk" PRIMARY KEY("line_item_id","channel"),
	CONSTRAINT "channel_orders_problem" CHECK ("problem" in ('waiting', 'refused', 'not_allowed', 'busy', 'unreachable', 'unreadable', 'rejected', 'missing', 'sealed', 'other_currency')),
	CONSTRAINT "channel_orders_channel" CHECK ("channel" in ('dv360', 'amazon_dsp', 'trade_desk', 'adobe_advertising', 'meta', 'google', 'tiktok', 'youtube', 'pinterest', 'snapchat')),
	CONSTRAINT "channel_orders_wanted" CHECK ("wanted" in ('active', 'paused')),
	CONSTRAINT "channel_orders_state" CHECK ("state" in ('active', 'paused')),
	CONSTRAINT "channel_orders_confirmed" CHECK (("channel_orders"."state" is null) = ("channel_orders"."reference" is null) and ("channel_orders"."state" is null) = ("channel_orders"."version" is null)),
	CONSTRAINT "channel_orders_failures" CHECK ("channel_orders"."failures" >= 0)
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
	"publisher_id" uuid NOT NULL,
	"source" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"reported_micros" bigint NOT NULL,
	"report_id" uuid NOT NULL,
	"reach" bigint,
	"creatives" jsonb,
	CONSTRAINT "deliveries_line_item_id_day_audience_id_channel_source_pk" PRIMARY KEY("line_item_id","day","audience_id","channel","source"),
	CONSTRAINT "deliveries_channel" CHECK ("channel" in ('dv360', 'amazon_dsp', 'trade_desk', 'adobe_advertising', 'meta', 'google', 'tiktok', 'youtube', 'pinterest', 'snapchat')),
	CONSTRAINT "deliveries_source" CHECK ("deliveries"."source" ~ '^[A-Za-z0-9]([A-Za-z0-9 _.:/-]{0,62}[A-Za-z0-9])?$'),
	CONSTRAINT "deliveries_numbers" CHECK ("deliveries"."clicks" between 0 and "deliveries"."impressions" and "deliveries"."conversions" >= 0 and "deliveries"."spend_micros" between 0 and "deliveries"."reported_micros" and "deliveries"."revenue_micros" >= 0 and "deliveries"."revision" > 0),
	CONSTRAINT "deliveries_reach" CHECK ("deliveries"."reach" between least("deliveries"."impressions", 1) and "deliveries"."impressions"),
	CONSTRAINT "deliveries_creatives" CHECK ("deliveries"."creatives" is null or creatives_fit("deliveries"."creatives", "deliveries"."impressions", "deliveries"."clicks", "deliveries"."conversions", "deliveries"."spend_micros", "deliveries"."revenue_micros", "deliveries"."reported_micros")),
	CONSTRAINT "deliveries_day" CHECK (isfinite("deliveries"."day"))
);
--> statement-breakpoint
CREATE TABLE "delivery_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"reported_by" text NOT NULL,
	"rows" integer NOT NULL,
	"added" integer NOT NULL,
	"restated" integer NOT NULL,
	"refused" integer NOT NULL,
	CONSTRAINT "delivery_reports_numbers" CHECK ("delivery_reports"."added" >= 0 and "delivery_reports"."restated" >= 0 and "delivery_reports"."refused" >= 0 and "delivery_reports"."added" + "delivery_reports"."restated" > 0 and "delivery_reports"."added" + "delivery_reports"."restated" + "delivery_reports"."refused" <= "delivery_reports"."rows")
);
--> statement-breakpoint
CREATE TABLE "delivery_revisions" (
	"line_item_id" uuid NOT NULL,
	"publisher_id" uuid NOT NULL,
	"day" date NOT NULL,
	"audience_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"source" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"impressions" bigint NOT NULL,
	"clicks" bigint NOT NULL,
	"conversions" bigint NOT NULL,
	"spend_micros" bigint NOT NULL,
	"revenue_micros" bigint NOT NULL,
	"reported_micros" bigint NOT NULL,
	"report_id" uuid NOT NULL,
	"replaced_by" uuid NOT NULL,
	"reach" bigint,
	"creatives" jsonb,
	CONSTRAINT "delivery_revisions_pk" PRIMARY KEY("line_item_id","day","audience_id","channel","source","revision")
);
--> statement-breakpoint
CREATE TABLE "line_item_creatives" (
	"line_item_id" uuid NOT NULL,
	"creative_id" uuid NOT NULL,
	"impressions" bigint NOT NULL,
	"clicks" bigint NOT NULL,
	"conversions" bigint NOT NULL,
	"spend_micros" bigint NOT NULL,
	"revenue_micros" bigint NOT NULL,
	CONSTRAINT "line_item_creatives_line_item_id_creative_id_pk" PRIMARY KEY("line_item_id","creative_id")
);
--> statement-breakpoint
CREATE TABLE "line_item_days" (
	"line_item_id" uuid NOT NULL,
	"day" date NOT NULL,
	"impressions" bigint NOT NULL,
	"clicks" bigint NOT NULL,
	"conversions" bigint NOT NULL,
	"spend_micros" bigint NOT NULL,
	"revenue_micros" bigint NOT NULL,
	"reported_micros" bigint NOT NULL,
	CONSTRAINT "line_item_days_line_item_id_day_pk" PRIMARY KEY("line_item_id","day")
);
--> statement-breakpoint
CREATE TABLE "line_item_months" (
	"line_item_id" uuid NOT NULL,
	"month" date NOT NULL,
	"impressions" bigint NOT NULL,
	"clicks" bigint NOT NULL,
	"conversions" bigint NOT NULL,
	"spend_micros" bigint NOT NULL,
	"revenue_micros" bigint NOT NULL,
	CONSTRAINT "line_item_months_line_item_id_month_pk" PRIMARY KEY("line_item_id","month"),
	CONSTRAINT "line_item_months_first" CHECK (extract(day from "line_item_months"."month") = 1)
);
--> statement-breakpoint
CREATE TABLE "line_item_runs" (
	"line_item_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "line_item_runs_line_item_id_started_at_pk" PRIMARY KEY("line_item_id","started_at"),
	CONSTRAINT "line_item_runs_order" CHECK ("line_item_runs"."ended_at" > "line_item_runs"."started_at")
);
--> statement-breakpoint
CREATE TABLE "invoice_credits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"invoice_id" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invoice_credits_amount" CHECK ("invoice_credits"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "invoice_lines" (
	"invoice_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"campaign_id" uuid,
	"description" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	CONSTRAINT "invoice_lines_invoice_id_number_pk" PRIMARY KEY("invoice_id","number"),
	CONSTRAINT "invoice_lines_amount" CHECK ("invoice_lines"."amount_cents" <> 0)
);
--> statement-breakpoint
CREATE TABLE "invoice_numbers" (
	"id" integer PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoice_runs" (
	"month" date PRIMARY KEY NOT NULL,
	"ran_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"advertiser_id" uuid NOT NULL,
	"month" date NOT NULL,
	"amount_cents" bigint NOT NULL,
	"open_cents" bigint NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"due_on" date NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"reopened_cents" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "invoices_number" UNIQUE("number"),
	CONSTRAINT "invoices_of_month" UNIQUE("advertiser_id","month"),
	CONSTRAINT "invoices_advertiser" UNIQUE("advertiser_id","id"),
	CONSTRAINT "invoices_amounts" CHECK ("invoices"."amount_cents" > 0 and "invoices"."open_cents" between 0 and "invoices"."amount_cents"),
	CONSTRAINT "invoices_reopened" CHECK ("invoices"."reopened_cents" >= 0),
	CONSTRAINT "invoices_paid" CHECK (("invoices"."paid_at" is null) = ("invoices"."open_cents" > 0))
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"owner_id" uuid,
	"balance_cents" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "ledger_accounts_owner" UNIQUE NULLS NOT DISTINCT("owner_id","kind"),
	CONSTRAINT "ledger_accounts_kind" CHECK ("kind" in ('cash', 'advertiser_wallet', 'advertiser_receivable', 'publisher_payable', 'in_transit', 'platform_fee', 'subscription_revenue')),
	CONSTRAINT "ledger_accounts_owned" CHECK ((kind in ('advertiser_wallet', 'advertiser_receivable', 'publisher_payable')) = (owner_id is not null)),
	CONSTRAINT "ledger_accounts_limits" CHECK (case "ledger_accounts"."kind" when 'advertiser_wallet' then "ledger_accounts"."balance_cents" <= 0 when 'advertiser_receivable' then "ledger_accounts"."balance_cents" >= 0 else true end)
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"transaction_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"account_id" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	CONSTRAINT "ledger_entries_transaction_id_number_pk" PRIMARY KEY("transaction_id","number"),
	CONSTRAINT "ledger_entries_amount" CHECK ("ledger_entries"."amount_cents" <> 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event" text NOT NULL,
	"event_key" text NOT NULL,
	"legs_hash" text NOT NULL,
	"posted_at" timestamp (3) with time zone NOT NULL,
	"written_in" bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
	CONSTRAINT "ledger_transactions_event" UNIQUE("event_key"),
	CONSTRAINT "ledger_transactions_kind" CHECK ("event" in ('campaign_spend', 'top_up', 'debt_paid', 'invoice_paid', 'refund', 'payout_started', 'payout_settled', 'payout_failed', 'payout_returned', 'subscription', 'payment_taken_back', 'payment_reinstated')),
	CONSTRAINT "ledger_transactions_hash" CHECK ("ledger_transactions"."legs_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "line_item_settlements" (
	"line_item_id" uuid PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL,
	"settled_through" date NOT NULL,
	"spend_micros" bigint NOT NULL,
	"spend_cents" bigint NOT NULL,
	"earnings_cents" bigint NOT NULL,
	CONSTRAINT "line_item_settlements_numbers" CHECK ("line_item_settlements"."revision" > 0 and "line_item_settlements"."earnings_cents" between 0 and "line_item_settlements"."spend_cents" and "line_item_settlements"."spend_cents" = "line_item_settlements"."spend_micros" / 10000),
	CONSTRAINT "line_item_settlements_day" CHECK (isfinite("line_item_settlements"."settled_through"))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"line_item_id" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	"earnings_cents" bigint NOT NULL,
	"ledger_transaction_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revision" integer,
	CONSTRAINT "refunds_restated" UNIQUE("line_item_id","revision"),
	CONSTRAINT "refunds_numbers" CHECK (case when "refunds"."amount_cents" > 0 then "refunds"."earnings_cents" between 0 and "refunds"."amount_cents"
        else "refunds"."revision" is not null and "refunds"."amount_cents" < 0 and "refunds"."earnings_cents" between "refunds"."amount_cents" and 0 end)
);
--> statement-breakpoint
CREATE TABLE "revenue_shares" (
	"id" uuid PRIMARY KEY NOT NULL,
	"publisher_id" uuid NOT NULL,
	"line_item_id" uuid NOT NULL,
	"revision" integer,
	"settled_through" date NOT NULL,
	"spend_cents" bigint NOT NULL,
	"earnings_cents" bigint NOT NULL,
	"fee_cents" bigint NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"ledger_transaction_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"payout_id" uuid,
	"refund_id" uuid,
	CONSTRAINT "revenue_shares_refund" UNIQUE("refund_id"),
	CONSTRAINT "revenue_shares_settlement" UNIQUE("line_item_id","revision"),
	CONSTRAINT "revenue_shares_publisher" UNIQUE("publisher_id","id"),
	CONSTRAINT "revenue_shares_status" CHECK ("status" in ('pending', 'paid')),
	CONSTRAINT "revenue_shares_paid" CHECK ("revenue_shares"."status" <> 'paid' or "revenue_shares"."payout_id" is not null),
	CONSTRAINT "revenue_shares_reason" CHECK (("revenue_shares"."revision" is null) = ("revenue_shares"."refund_id" is not null)),
	CONSTRAINT "revenue_shares_sum" CHECK ("revenue_shares"."spend_cents" = "revenue_shares"."earnings_cents" + "revenue_shares"."fee_cents"),
	CONSTRAINT "revenue_shares_numbers" CHECK ("revenue_shares"."revision" > 0 and isfinite("revenue_shares"."settled_through"))
);
--> statement-breakpoint
CREATE TABLE "transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"description" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"ledger_transaction_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"payout_id" uuid,
	CONSTRAINT "transactions_payout" UNIQUE("payout_id"),
	CONSTRAINT "transactions_once" UNIQUE("ledger_transaction_id","account_id"),
	CONSTRAINT "transactions_type" CHECK ("type" in ('campaign_spend', 'refund', 'top_up', 'subscription', 'payout', 'adjustment')),
	CONSTRAINT "transactions_status" CHECK ("status" in ('pending', 'succeeded', 'failed', 'canceled')),
	CONSTRAINT "transactions_ledger" CHECK (("transactions"."status" = 'succeeded') = ("transactions"."ledger_transaction_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "mail_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"delivery" text DEFAULT 'at_once' NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"muted" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "mail_settings_delivery" CHECK ("delivery" in ('at_once', 'daily')),
	CONSTRAINT "mail_settings_muted" CHECK ("muted" <@ array['account_registered', 'account_approved', 'account_suspended', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended', 'payment_taken_back', 'payment_reinstated']::text[]),
	CONSTRAINT "mail_settings_time_zone" CHECK ("mail_settings"."time_zone" ~ '^[A-Za-z0-9_+/-]{1,64}$')
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"notification_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"address" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempted_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"digest_id" uuid,
	CONSTRAINT "mails_once" UNIQUE("notification_id","user_id"),
	CONSTRAINT "mails_state" CHECK ("state" in ('waiting', 'gathering', 'gathered', 'sending', 'sent', 'kept', 'parked')),
	CONSTRAINT "mails_sent" CHECK (("mails"."state" = 'sent') = ("mails"."sent_at" is not null)),
	CONSTRAINT "mails_attempts" CHECK ("mails"."attempts" >= 0),
	CONSTRAINT "mails_gathered" CHECK (("mails"."state" = 'gathered') = coalesce("mails"."digest_id" <> "mails"."id", false))
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"event" text NOT NULL,
	"event_key" text NOT NULL,
	"campaign_id" uuid,
	"facts" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp (3) with time zone,
	"subject_id" uuid NOT NULL,
	CONSTRAINT "notifications_once" UNIQUE("account_id","event_key"),
	CONSTRAINT "notifications_event" CHECK ("event" in ('account_registered', 'account_approved', 'account_suspended', 'campaign_submitted', 'decision_needed', 'campaign_approved', 'campaign_rejected', 'managed_campaign_created', 'campaign_paused', 'campaign_resumed', 'campaign_completed', 'spend_refunded', 'payout_paid', 'payout_failed', 'invoice_issued', 'campaign_decided', 'decision_reminder', 'campaign_starts_tomorrow', 'budget_nearly_used', 'budget_used_up', 'wallet_low', 'wallet_empty', 'audience_imported', 'audience_below_minimum', 'audience_import_failed', 'audience_refresh_failed', 'new_sign_in', 'webhook_disabled', 'subscription_changed', 'subscription_payment_failed', 'subscription_ended', 'payment_taken_back', 'payment_reinstated'))
);
--> statement-breakpoint
CREATE TABLE "payment_customers" (
	"provider" text NOT NULL,
	"account_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_customers_provider" CHECK ("provider" in ('sandbox', 'stripe'))
);
--> statement-breakpoint
CREATE TABLE "payment_methods" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"type" text NOT NULL,
	"brand" text NOT NULL,
	"last_four" text NOT NULL,
	"expires_month" smallint NOT NULL,
	"expires_year" smallint NOT NULL,
	"token" "bytea",
	"is_default" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_methods_account_id" UNIQUE("account_id","id"),
	CONSTRAINT "payment_methods_provider" CHECK ("provider" in ('sandbox', 'stripe')),
	CONSTRAINT "payment_methods_type" CHECK ("type" in ('card')),
	CONSTRAINT "payment_methods_card" CHECK ("payment_methods"."last_four" ~ '^[0-9]{4}$' and "payment_methods"."expires_month" between 1 and 12 and "payment_methods"."expires_year" between 2000 and 2199),
	CONSTRAINT "payment_methods_default_is_there" CHECK ("payment_methods"."token" is not null or not "payment_methods"."is_default")
);
--> statement-breakpoint
CREATE TABLE "payment_setups" (
	"provider" text NOT NULL,
	"reference" text NOT NULL,
	"account_id" uuid NOT NULL,
	"payment_method_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_setups_provider" CHECK ("provider" in ('sandbox', 'stripe'))
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"provider" text NOT NULL,
	"reference" text NOT NULL,
	"type" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "provider_events_provider" CHECK ("provider" in ('sandbox', 'stripe'))
);
--> statement-breakpoint
CREATE TABLE "netted_plans" (
	"id" uuid PRIMARY KEY NOT NULL,
	"publisher_id" uuid NOT NULL,
	"plan_change_id" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	"payout_id" uuid,
	"ledger_transaction_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "netted_plans_once" UNIQUE("plan_change_id"),
	CONSTRAINT "netted_plans_publisher" UNIQUE("publisher_id","id"),
	CONSTRAINT "netted_plans_amount" CHECK ("netted_plans"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "payout_lines" (
	"payout_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"publisher_id" uuid NOT NULL,
	"revenue_share_id" uuid,
	"amount_cents" bigint NOT NULL,
	"netted_plan_id" uuid,
	CONSTRAINT "payout_lines_payout_id_number_pk" PRIMARY KEY("payout_id","number"),
	CONSTRAINT "payout_lines_once" UNIQUE("payout_id","revenue_share_id"),
	CONSTRAINT "payout_lines_plan_once" UNIQUE("payout_id","netted_plan_id"),
	CONSTRAINT "payout_lines_one" CHECK (("payout_lines"."revenue_share_id" is null) <> ("payout_lines"."netted_plan_id" is null))
);
--> statement-breakpoint
CREATE TABLE "connected_accounts" (
	"publisher_id" uuid PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"state" text NOT NULL,
	"due_by" timestamp (3) with time zone,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "connected_accounts_reference" UNIQUE("reference"),
	CONSTRAINT "connected_accounts_state" CHECK ("state" in ('needs_more', 'checking', 'ready', 'disabled'))
);
--> statement-breakpoint
CREATE TABLE "payout_accounts" (
	"publisher_id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"token" text NOT NULL,
	"bank" text NOT NULL,
	"last_four" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_accounts_provider" CHECK ("provider" in ('sandbox', 'stripe')),
	CONSTRAINT "payout_accounts_last_four" CHECK ("payout_accounts"."last_four" ~ '^[0-9]{4}$')
);
--> statement-breakpoint
CREATE TABLE "payout_runs" (
	"month" date PRIMARY KEY NOT NULL,
	"ran_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"publisher_id" uuid NOT NULL,
	"status" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"scheduled_for" date,
	"provider" text NOT NULL,
	"token" text NOT NULL,
	"bank" text NOT NULL,
	"last_four" text NOT NULL,
	"reference" text,
	"failure" text,
	"due_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"returned_at" timestamp (3) with time zone,
	CONSTRAINT "payouts_publisher" UNIQUE("publisher_id","id"),
	CONSTRAINT "payouts_of_month" UNIQUE("publisher_id","scheduled_for"),
	CONSTRAINT "payouts_status" CHECK ("status" in ('pending', 'in_transit', 'paid', 'failed')),
	CONSTRAINT "payouts_provider" CHECK ("provider" in ('sandbox', 'stripe')),
	CONSTRAINT "payouts_amount" CHECK ("payouts"."amount_cents" > 0),
	CONSTRAINT "payouts_facts" CHECK (("payouts"."ended_at" is not null) = ("payouts"."status" in ('paid', 'failed')) and ("payouts"."failure" is not null) = ("payouts"."status" = 'failed')
        and ("payouts"."due_at" is not null or "payouts"."status" in ('paid', 'failed')) and ("payouts"."due_at" is null or "payouts"."status" <> 'failed')
        and ("payouts"."returned_at" is null or "payouts"."status" = 'failed') and ("payouts"."reference" is not null or "payouts"."status" in ('pending', 'failed')))
);
--> statement-breakpoint
CREATE TABLE "sandbox_transfers" (
	"payout_id" uuid PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stripe_transfers" (
	"payout_id" uuid PRIMARY KEY NOT NULL,
	"attempt" smallint DEFAULT 0 NOT NULL,
	"transfer" text,
	"bank_payout" text,
	"failure" text,
	CONSTRAINT "stripe_transfers_transfer" UNIQUE("transfer"),
	CONSTRAINT "stripe_transfers_bank_payout" UNIQUE("bank_payout")
);
--> statement-breakpoint
CREATE TABLE "product_stores" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"shop_url" text NOT NULL,
	"name" text NOT NULL,
	"credential" "bytea",
	"frequency" text DEFAULT 'daily' NOT NULL,
	"derive_sku" boolean DEFAULT false NOT NULL,
	"default_category" text,
	"problem" text,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"next_sync_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "product_stores_account_id" UNIQUE("account_id","id"),
	CONSTRAINT "product_stores_one_each" UNIQUE("account_id","shop_url"),
	CONSTRAINT "product_stores_kind" CHECK ("kind" in ('shopify', 'woocommerce')),
	CONSTRAINT "product_stores_frequency" CHECK ("frequency" in ('hourly', 'daily', 'weekly', 'manual')),
	CONSTRAINT "product_stores_problem" CHECK ("problem" in ('refused', 'not_allowed', 'not_a_shop', 'other_currency', 'busy', 'unreachable', 'unreadable', 'sealed'))
);
--> statement-breakpoint
CREATE TABLE "sandbox_pages" (
	"id" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"return_path" text NOT NULL,
	"cancel_path" text NOT NULL,
	"card" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_pages_card" CHECK ("card" in ('tok_visa', 'tok_mastercard', 'tok_confirmation', 'tok_declined', 'tok_insufficient_funds', 'tok_expired'))
);
--> statement-breakpoint
CREATE TABLE "sandbox_payments" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"description" text NOT NULL,
	"card" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"return_path" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_payments_key" UNIQUE("key"),
	CONSTRAINT "sandbox_payments_card" CHECK ("card" in ('tok_visa', 'tok_mastercard', 'tok_confirmation', 'tok_declined', 'tok_insufficient_funds', 'tok_expired')),
	CONSTRAINT "sandbox_payments_state" CHECK ("state" in ('succeeded', 'declined', 'needs_confirmation')),
	CONSTRAINT "sandbox_payments_amount" CHECK ("sandbox_payments"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_refunds" (
	"key" text PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"amount_cents" integer NOT NULL,
	CONSTRAINT "sandbox_refunds_amount" CHECK ("sandbox_refunds"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "payments_taken_back" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"top_up_id" uuid,
	"plan_change_id" uuid,
	"provider" text NOT NULL,
	"reference" text NOT NULL,
	"number" integer NOT NULL,
	"reason" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"reopened_cents" bigint DEFAULT 0 NOT NULL,
	"ledger_transaction_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payments_taken_back_entries" UNIQUE("ledger_transaction_id"),
	CONSTRAINT "payments_taken_back_once" UNIQUE("provider","reference","number"),
	CONSTRAINT "payments_taken_back_provider" CHECK ("provider" in ('sandbox', 'stripe')),
	CONSTRAINT "payments_taken_back_reason" CHECK ("reason" in ('dispute', 'refund')),
	CONSTRAINT "payments_taken_back_payment" CHECK (("payments_taken_back"."top_up_id" is null) <> ("payments_taken_back"."plan_change_id" is null)),
	CONSTRAINT "payments_taken_back_numbers" CHECK ("payments_taken_back"."number" > 0 and "payments_taken_back"."amount_cents" <> 0
        and "payments_taken_back"."reopened_cents" between least(0, "payments_taken_back"."amount_cents") and greatest(0, "payments_taken_back"."amount_cents"))
);
--> statement-breakpoint
CREATE TABLE "funds_holds" (
	"account_id" uuid NOT NULL,
	"held_at" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "funds_holds_order" CHECK ("funds_holds"."released_at" >= "funds_holds"."held_at")
);
--> statement-breakpoint
CREATE TABLE "top_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"payment_method_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"status" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"payment_id" text,
	"confirm_url" text,
	"failure" text,
	"return_path" text NOT NULL,
	"answer" text,
	"transaction_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	"invoice_id" uuid,
	"taken_back_cents" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "top_ups_transaction" UNIQUE("transaction_id"),
	CONSTRAINT "top_ups_once" UNIQUE("account_id","idempotency_key"),
	CONSTRAINT "top_ups_payment" UNIQUE("payment_id"),
	CONSTRAINT "top_ups_account_id" UNIQUE("account_id","id"),
	CONSTRAINT "top_ups_taken_back" CHECK ("top_ups"."taken_back_cents" between 0 and case "top_ups"."status" when 'succeeded' then "top_ups"."amount_cents" else 0 end),
	CONSTRAINT "top_ups_provider" CHECK ("provider" in ('sandbox', 'stripe')),
	CONSTRAINT "top_ups_status" CHECK ("status" in ('pending', 'needs_confirmation', 'succeeded', 'failed', 'canceled')),
	CONSTRAINT "top_ups_amount" CHECK (case when invoice_id is null then amount_cents between 1000 and 10000000 else amount_cents > 0 end),
	CONSTRAINT "top_ups_open" CHECK (("top_ups"."status" in ('pending', 'needs_confirmation')) = ("top_ups"."due_at" is not null) and ("top_ups"."status" <> 'succeeded' or "top_ups"."payment_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event" text NOT NULL,
	"body" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_status" integer,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempted_at" timestamp (3) with time zone,
	"next_try_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_deliveries_once" UNIQUE("webhook_id","event_id"),
	CONSTRAINT "webhook_deliveries_state" CHECK ("state" in ('waiting', 'sending', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_delivered" CHECK (("webhook_deliveries"."state" = 'delivered') = ("webhook_deliveries"."delivered_at" is not null)),
	CONSTRAINT "webhook_deliveries_next" CHECK (("webhook_deliveries"."state" = 'waiting') = ("webhook_deliveries"."next_try_at" is not null)),
	CONSTRAINT "webhook_deliveries_attempts" CHECK ("webhook_deliveries"."attempts" >= 0)
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" "bytea" NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"given_up" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "webhooks_of_account" UNIQUE("id","account_id"),
	CONSTRAINT "webhooks_state" CHECK ("state" in ('active', 'disabled')),
	CONSTRAINT "webhooks_url" CHECK ("webhooks"."url" ~ '^https?://'),
	CONSTRAINT "webhooks_events" CHECK (cardinality("webhooks"."events") > 0),
	CONSTRAINT "webhooks_given_up" CHECK ("webhooks"."given_up" >= 0)
);
--> statement-breakpoint

-- Foreign keys, after all tables because they form circles.
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
ALTER TABLE "line_items" ADD CONSTRAINT "line_items_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_items" ADD CONSTRAINT "line_items_publisher_id_accounts_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_items" ADD CONSTRAINT "line_items_sent_version" FOREIGN KEY ("campaign_id","sent_version") REFERENCES "public"."campaign_versions"("campaign_id","number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_items" ADD CONSTRAINT "line_items_approved_version" FOREIGN KEY ("campaign_id","approved_version") REFERENCES "public"."campaign_versions"("campaign_id","number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_audiences" ADD CONSTRAINT "version_audiences_version" FOREIGN KEY ("campaign_id","version") REFERENCES "public"."campaign_versions"("campaign_id","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_audiences" ADD CONSTRAINT "version_audiences_audience" FOREIGN KEY ("audience_id","publisher_id") REFERENCES "public"."audiences"("id","publisher_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience_blocks" ADD CONSTRAINT "audience_blocks_audience_id_audiences_id_fk" FOREIGN KEY ("audience_id") REFERENCES "public"."audiences"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience_uploads" ADD CONSTRAINT "audience_uploads_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience_uploads" ADD CONSTRAINT "audience_uploads_audience_id_publisher_id_audiences_id_publisher_id_fk" FOREIGN KEY ("audience_id","publisher_id") REFERENCES "public"."audiences"("id","publisher_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience_versions" ADD CONSTRAINT "audience_versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience_versions" ADD CONSTRAINT "audience_versions_audience_id_publisher_id_audiences_id_publisher_id_fk" FOREIGN KEY ("audience_id","publisher_id") REFERENCES "public"."audiences"("id","publisher_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience_connections" ADD CONSTRAINT "audience_connections_publisher_id_accounts_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience_connections" ADD CONSTRAINT "audience_connections_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creatives" ADD CONSTRAINT "creatives_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creatives" ADD CONSTRAINT "creatives_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_import_blocks" ADD CONSTRAINT "product_import_blocks_of" FOREIGN KEY ("account_id","import_id") REFERENCES "public"."product_imports"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_import_columns" ADD CONSTRAINT "product_import_columns_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_import_pieces" ADD CONSTRAINT "product_import_pieces_of" FOREIGN KEY ("account_id","import_id") REFERENCES "public"."product_imports"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_import_problems" ADD CONSTRAINT "product_import_problems_of" FOREIGN KEY ("account_id","import_id") REFERENCES "public"."product_imports"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_imports" ADD CONSTRAINT "product_imports_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_imports" ADD CONSTRAINT "product_imports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_imports" ADD CONSTRAINT "product_imports_store" FOREIGN KEY ("account_id","store_id") REFERENCES "public"."product_stores"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_stores" ADD CONSTRAINT "product_stores_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_stores" ADD CONSTRAINT "product_stores_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_audience_days" ADD CONSTRAINT "account_audience_days_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_audience_days" ADD CONSTRAINT "account_audience_days_audience_id_audiences_id_fk" FOREIGN KEY ("audience_id") REFERENCES "public"."audiences"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_days" ADD CONSTRAINT "account_days_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_revisions" ADD CONSTRAINT "delivery_revisions_fact" FOREIGN KEY ("line_item_id","day","audience_id","channel","source") REFERENCES "public"."deliveries"("line_item_id","day","audience_id","channel","source") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_item_days" ADD CONSTRAINT "line_item_days_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_item_runs" ADD CONSTRAINT "line_item_runs_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_item_runs" ADD CONSTRAINT "line_item_runs_version" FOREIGN KEY ("campaign_id","version") REFERENCES "public"."campaign_versions"("campaign_id","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_line_item" FOREIGN KEY ("line_item_id","publisher_id") REFERENCES "public"."line_items"("id","publisher_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_audience" FOREIGN KEY ("audience_id","publisher_id") REFERENCES "public"."audiences"("id","publisher_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_report" FOREIGN KEY ("report_id") REFERENCES "public"."delivery_reports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_owner_id_accounts_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account_id_ledger_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_item_settlements" ADD CONSTRAINT "line_item_settlements_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD CONSTRAINT "revenue_shares_ledger_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("ledger_transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD CONSTRAINT "revenue_shares_line_item" FOREIGN KEY ("line_item_id","publisher_id") REFERENCES "public"."line_items"("id","publisher_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_ledger_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("ledger_transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_item_months" ADD CONSTRAINT "line_item_months_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_orders" ADD CONSTRAINT "channel_orders_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_setups" ADD CONSTRAINT "payment_setups_account" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_setups" ADD CONSTRAINT "payment_setups_method" FOREIGN KEY ("account_id","payment_method_id") REFERENCES "public"."payment_methods"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_refunds" ADD CONSTRAINT "sandbox_refunds_payment_id_sandbox_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."sandbox_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "funds_holds" ADD CONSTRAINT "funds_holds_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_method" FOREIGN KEY ("account_id","payment_method_id") REFERENCES "public"."payment_methods"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_audiences" ADD CONSTRAINT "channel_audiences_audience_id_audiences_id_fk" FOREIGN KEY ("audience_id") REFERENCES "public"."audiences"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_item_creatives" ADD CONSTRAINT "line_item_creatives_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_payout" FOREIGN KEY ("publisher_id","payout_id") REFERENCES "public"."payouts"("publisher_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_share" FOREIGN KEY ("publisher_id","revenue_share_id") REFERENCES "public"."revenue_shares"("publisher_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_accounts" ADD CONSTRAINT "payout_accounts_publisher_id_accounts_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_publisher_id_accounts_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD CONSTRAINT "revenue_shares_payout" FOREIGN KEY ("publisher_id","payout_id") REFERENCES "public"."payouts"("publisher_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_payout_owner" FOREIGN KEY ("account_id","payout_id") REFERENCES "public"."payouts"("publisher_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_notification_id_notifications_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."notifications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_ledger_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("ledger_transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "revenue_shares" ADD CONSTRAINT "revenue_shares_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook" FOREIGN KEY ("webhook_id","account_id") REFERENCES "public"."webhooks"("id","account_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_customers" ADD CONSTRAINT "payment_customers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_digest_id_mails_id_fk" FOREIGN KEY ("digest_id") REFERENCES "public"."mails"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_changes" ADD CONSTRAINT "plan_changes_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_changes" ADD CONSTRAINT "plan_changes_account" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_changes" ADD CONSTRAINT "plan_changes_subscription" FOREIGN KEY ("account_id","subscription_id") REFERENCES "public"."subscriptions"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_changes" ADD CONSTRAINT "plan_changes_method" FOREIGN KEY ("account_id","payment_method_id") REFERENCES "public"."payment_methods"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_devices" ADD CONSTRAINT "sign_in_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_credits" ADD CONSTRAINT "invoice_credits_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_advertiser_id_accounts_id_fk" FOREIGN KEY ("advertiser_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_invoice" FOREIGN KEY ("account_id","invoice_id") REFERENCES "public"."invoices"("advertiser_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments_taken_back" ADD CONSTRAINT "payments_taken_back_ledger_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("ledger_transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments_taken_back" ADD CONSTRAINT "payments_taken_back_top_up" FOREIGN KEY ("account_id","top_up_id") REFERENCES "public"."top_ups"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments_taken_back" ADD CONSTRAINT "payments_taken_back_plan_change" FOREIGN KEY ("account_id","plan_change_id") REFERENCES "public"."plan_changes"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connected_accounts" ADD CONSTRAINT "connected_accounts_publisher_id_accounts_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stripe_transfers" ADD CONSTRAINT "stripe_transfers_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "netted_plans" ADD CONSTRAINT "netted_plans_ledger_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("ledger_transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "netted_plans" ADD CONSTRAINT "netted_plans_plan_change" FOREIGN KEY ("publisher_id","plan_change_id") REFERENCES "public"."plan_changes"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "netted_plans" ADD CONSTRAINT "netted_plans_payout" FOREIGN KEY ("publisher_id","payout_id") REFERENCES "public"."payouts"("publisher_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_plan" FOREIGN KEY ("publisher_id","netted_plan_id") REFERENCES "public"."netted_plans"("publisher_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint

-- Indexes.
CREATE INDEX "accounts_managed_by_name" ON "accounts" USING btree ("company_name","id") WHERE "accounts"."allows_managed_campaigns" and "accounts"."type" = 'advertiser' and "accounts"."status" = 'approved';--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_id_type" ON "accounts" USING btree ("id","type");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "idempotency_keys_caller_key" ON "idempotency_keys" USING btree ("caller","key");--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at") WHERE not "idempotency_keys"."moves_money";--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_browser" ON "sign_in_attempts" USING btree ("browser_hash","created_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_age" ON "sign_in_attempts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sign_in_devices_age" ON "sign_in_devices" USING btree ("last_used_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "users_account" ON "users" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "audience_uploads_audience" ON "audience_uploads" USING btree ("audience_id","created_at");--> statement-breakpoint
CREATE INDEX "audience_uploads_running" ON "audience_uploads" USING btree ("alive_at") WHERE "audience_uploads"."status" = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "audience_uploads_id_publisher" ON "audience_uploads" USING btree ("id","publisher_id");--> statement-breakpoint
CREATE UNIQUE INDEX "audience_uploads_one_refresh" ON "audience_uploads" USING btree ("audience_id") WHERE "audience_uploads"."status" = 'running' and "audience_uploads"."source" <> 'file';--> statement-breakpoint
CREATE INDEX "audiences_publisher" ON "audiences" USING btree ("publisher_id","created_at");--> statement-breakpoint
CREATE INDEX "audiences_ready" ON "audiences" USING btree ("name","id") WHERE "audiences"."status" = 'ready';--> statement-breakpoint
CREATE INDEX "audiences_next_refresh" ON "audiences" USING btree ("next_refresh_at") WHERE "audiences"."next_refresh_at" is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_campaign" ON "audit_entries" USING btree ("campaign_id","id");--> statement-breakpoint
CREATE INDEX "audit_entries_account" ON "audit_entries" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "audit_entries_owner" ON "audit_entries" USING btree ("owner_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "plan_changes_open" ON "plan_changes" USING btree ("account_id") WHERE status in ('pending', 'needs_confirmation');--> statement-breakpoint
CREATE INDEX "plan_changes_subscription" ON "plan_changes" USING btree ("subscription_id","id");--> statement-breakpoint
CREATE INDEX "plan_changes_account" ON "plan_changes" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "plan_changes_due" ON "plan_changes" USING btree ("due_at") WHERE "plan_changes"."due_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_current" ON "subscriptions" USING btree ("account_id") WHERE "subscriptions"."status" <> 'canceled';--> statement-breakpoint
CREATE INDEX "subscriptions_due" ON "subscriptions" USING btree ("due_at") WHERE "subscriptions"."status" <> 'canceled';--> statement-breakpoint
CREATE INDEX "campaign_versions_creatives" ON "campaign_versions" USING gin ("creative_ids") WHERE "campaign_versions"."creative_ids" <> '{}';--> statement-breakpoint
CREATE INDEX "campaigns_advertiser" ON "campaigns" USING btree ("advertiser_id","id");--> statement-breakpoint
CREATE INDEX "campaigns_by_name" ON "campaigns" USING btree ("advertiser_id","name","id");--> statement-breakpoint
CREATE INDEX "campaigns_by_budget" ON "campaigns" USING btree ("advertiser_id",coalesce("total_budget_cents", 0),"id");--> statement-breakpoint
CREATE INDEX "campaigns_by_impressions" ON "campaigns" USING btree ("advertiser_id","impressions","id");--> statement-breakpoint
CREATE INDEX "campaigns_advertiser_status" ON "campaigns" USING btree ("advertiser_id","status","id");--> statement-breakpoint
CREATE INDEX "campaigns_running_end" ON "campaigns" USING btree ("runs_until") WHERE "campaigns"."status" in ('active', 'paused');--> statement-breakpoint
CREATE INDEX "campaigns_creatives" ON "campaigns" USING gin ("creative_ids") WHERE "campaigns"."creative_ids" <> '{}';--> statement-breakpoint
CREATE UNIQUE INDEX "decisions_line_item_version" ON "decisions" USING btree ("line_item_id","version");--> statement-breakpoint
CREATE INDEX "line_items_publisher" ON "line_items" USING btree ("publisher_id","id");--> statement-breakpoint
CREATE INDEX "line_items_publisher_approval" ON "line_items" USING btree ("publisher_id","approval_status","id");--> statement-breakpoint
CREATE INDEX "line_items_publisher_status" ON "line_items" USING btree ("publisher_id","status","id");--> statement-breakpoint
CREATE INDEX "line_items_publisher_managed" ON "line_items" USING btree ("publisher_id","id") WHERE "line_items"."managed_by_retailer";--> statement-breakpoint
CREATE INDEX "line_items_waiting" ON "line_items" USING btree ("sent_at") WHERE "line_items"."approval_status" = 'pending';--> statement-breakpoint
CREATE INDEX "version_audiences_audience" ON "version_audiences" USING btree ("audience_id");--> statement-breakpoint
CREATE UNIQUE INDEX "products_account_sku" ON "products" USING btree ("account_id","sku");--> statement-breakpoint
CREATE INDEX "products_account_name" ON "products" USING btree ("account_id","name","id");--> statement-breakpoint
CREATE INDEX "products_account_category" ON "products" USING btree ("account_id","category","name","id");--> statement-breakpoint
CREATE INDEX "products_account_price" ON "products" USING btree ("account_id","price_cents","id");--> statement-breakpoint
CREATE INDEX "products_account_inventory" ON "products" USING btree ("account_id",coalesce("inventory", 9007199254740991),"id");--> statement-breakpoint
CREATE INDEX "products_low_stock" ON "products" USING btree ("account_id","name","id") WHERE "products"."inventory" < 10;--> statement-breakpoint
CREATE UNIQUE INDEX "product_imports_one_sync" ON "product_imports" USING btree ("store_id") WHERE "product_imports"."status" = 'running';--> statement-breakpoint
CREATE INDEX "product_imports_of_store" ON "product_imports" USING btree ("store_id","id");--> statement-breakpoint
CREATE INDEX "product_imports_running" ON "product_imports" USING btree ("alive_at") WHERE "product_imports"."status" = 'running';--> statement-breakpoint
CREATE INDEX "product_imports_waiting" ON "product_imports" USING btree ("finished_at") WHERE "product_imports"."status" = 'previewed';--> statement-breakpoint
CREATE INDEX "channel_audiences_due" ON "channel_audiences" USING btree ("due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "creatives_account_sha256" ON "creatives" USING btree ("account_id","sha256");--> statement-breakpoint
CREATE UNIQUE INDEX "creatives_account_source" ON "creatives" USING btree ("account_id","source_sha256");--> statement-breakpoint
CREATE UNIQUE INDEX "creatives_file_key" ON "creatives" USING btree ("file_key");--> statement-breakpoint
CREATE INDEX "channel_orders_due" ON "channel_orders" USING btree ("due_at") WHERE "channel_orders"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "delivery_reports_received" ON "delivery_reports" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "line_item_runs_campaign" ON "line_item_runs" USING btree ("campaign_id");--> statement-breakpoint
CREATE INDEX "line_item_runs_ended" ON "line_item_runs" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "invoice_credits_invoice" ON "invoice_credits" USING btree ("invoice_id");--> statement-breakpoint
CREATE INDEX "invoices_open" ON "invoices" USING btree ("advertiser_id") WHERE "invoices"."open_cents" > 0;--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "refunds_line_item" ON "refunds" USING btree ("line_item_id");--> statement-breakpoint
CREATE INDEX "revenue_shares_time" ON "revenue_shares" USING btree ("publisher_id","created_at");--> statement-breakpoint
CREATE INDEX "revenue_shares_free" ON "revenue_shares" USING btree ("publisher_id","settled_through") WHERE "revenue_shares"."payout_id" is null;--> statement-breakpoint
CREATE INDEX "revenue_shares_of_payout" ON "revenue_shares" USING btree ("payout_id") WHERE "revenue_shares"."payout_id" is not null;--> statement-breakpoint
CREATE INDEX "transactions_account" ON "transactions" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "transactions_of_type" ON "transactions" USING btree ("account_id","type","id");--> statement-breakpoint
CREATE INDEX "transactions_time" ON "transactions" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "mails_unsent" ON "mails" USING btree ("state","id") WHERE "mails"."state" in ('waiting', 'sending', 'parked');--> statement-breakpoint
CREATE INDEX "mails_digest" ON "mails" USING btree ("digest_id") WHERE "mails"."digest_id" is not null;--> statement-breakpoint
CREATE INDEX "mails_gathering" ON "mails" USING btree ("user_id","id") WHERE "mails"."state" = 'gathering';--> statement-breakpoint
CREATE INDEX "notifications_account" ON "notifications" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("account_id") WHERE "notifications"."read_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_customers_account" ON "payment_customers" USING btree ("provider","account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_customers_reference" ON "payment_customers" USING btree ("provider","reference");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_methods_default" ON "payment_methods" USING btree ("account_id") WHERE "payment_methods"."is_default";--> statement-breakpoint
CREATE UNIQUE INDEX "payment_setups_reference" ON "payment_setups" USING btree ("provider","reference");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_events_once" ON "provider_events" USING btree ("provider","reference");--> statement-breakpoint
CREATE INDEX "provider_events_received" ON "provider_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "netted_plans_free" ON "netted_plans" USING btree ("publisher_id") WHERE "netted_plans"."payout_id" is null;--> statement-breakpoint
CREATE INDEX "netted_plans_of_payout" ON "netted_plans" USING btree ("payout_id") WHERE "netted_plans"."payout_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_in_flight" ON "payouts" USING btree ("publisher_id") WHERE status in ('pending', 'in_transit');--> statement-breakpoint
CREATE INDEX "payouts_due" ON "payouts" USING btree ("due_at") WHERE "payouts"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "product_stores_due" ON "product_stores" USING btree ("next_sync_at");--> statement-breakpoint
CREATE INDEX "payments_taken_back_of_top_up" ON "payments_taken_back" USING btree ("top_up_id") WHERE "payments_taken_back"."top_up_id" is not null;--> statement-breakpoint
CREATE INDEX "payments_taken_back_of_plan_change" ON "payments_taken_back" USING btree ("plan_change_id") WHERE "payments_taken_back"."plan_change_id" is not null;--> statement-breakpoint
CREATE INDEX "payments_taken_back_account" ON "payments_taken_back" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "funds_holds_open" ON "funds_holds" USING btree ("account_id") WHERE "funds_holds"."released_at" is null;--> statement-breakpoint
CREATE INDEX "funds_holds_account" ON "funds_holds" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "top_ups_due" ON "top_ups" USING btree ("due_at") WHERE "top_ups"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "top_ups_of_invoice" ON "top_ups" USING btree ("invoice_id") WHERE "top_ups"."invoice_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_newest" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_open" ON "webhook_deliveries" USING btree ("state","attempted_at") WHERE "webhook_deliveries"."state" in ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhooks_account" ON "webhooks" USING btree ("account_id","id");--> statement-breakpoint

-- Searches by part of a name. drizzle-kit cannot express operator classes beside plain columns.
CREATE INDEX campaigns_name_search ON campaigns USING gin (advertiser_id, name gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX line_items_name_search ON line_items USING gin (publisher_id, campaign_name gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX audiences_name_search ON audiences USING gin (name gin_trgm_ops);
--> statement-breakpoint

-- One index finds a product by name or by SKU: no search text can contain the line break between them.
CREATE INDEX products_search ON products USING gin (account_id, (name || E'\n' || sku) gin_trgm_ops);
--> statement-breakpoint
CREATE UNIQUE INDEX line_item_runs_open ON line_item_runs (line_item_id) WHERE ended_at IS NULL;
--> statement-breakpoint

-- Hashes do not compress, and trying costs more than the write. Uploaded spreadsheets are compressed already, and uploaded text
-- is read once or twice.
ALTER TABLE audience_blocks ALTER COLUMN hashes SET STORAGE EXTERNAL, ALTER COLUMN spellings SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE product_import_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;
--> statement-breakpoint

-- Pages keep free space for counters that change with each delivery report, so that the new row version stays on its page and no
-- index is updated.
ALTER TABLE line_items SET (fillfactor = 85);
--> statement-breakpoint
ALTER TABLE line_item_days SET (fillfactor = 90);
--> statement-breakpoint
ALTER TABLE line_item_months SET (fillfactor = 80);
--> statement-breakpoint

-- Rows that are records are inserted and never changed. Versions and decisions are deleted only together with their campaign.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows are never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_entries_are_kept BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_entries_are_not_emptied BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER campaign_versions_are_kept BEFORE UPDATE ON campaign_versions FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER decisions_are_kept BEFORE UPDATE ON decisions FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audience_versions_are_kept BEFORE UPDATE OR DELETE ON audience_versions FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- The approval of an audience fixes its CPM.
CREATE FUNCTION refuse_cpm_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.cpm_cents IS NOT NULL AND NEW.cpm_cents IS DISTINCT FROM OLD.cpm_cents THEN
    RAISE EXCEPTION 'the CPM of an approved audience is frozen' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER version_audiences_cpm_is_frozen BEFORE UPDATE ON version_audiences FOR EACH ROW EXECUTE FUNCTION refuse_cpm_change();
--> statement-breakpoint

-- Returns a publisher's earnings on a line item's cumulative spend: whole cents of the spend, the share rounded down. Cumulative
-- amounts keep the cents from drifting.
CREATE FUNCTION commission_cents(spend_micros bigint, rate_bps integer) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (spend_micros / 10000) * rate_bps / 10000
$$;
--> statement-breakpoint

-- Returns the CTR as an integer, in clicks per 100 million impressions, so that sums of it are exact.
CREATE FUNCTION ctr_units(clicks bigint, impressions bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN impressions = 0 THEN 0 ELSE clicks * 100000000 / impressions END
$$;
--> statement-breakpoint

-- Counters of line items. Both sides of a statement are summed per group first and applied in the order of the groups: one write
-- per group, and no deadlock between two statements.
CREATE FUNCTION count_line_items() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parts text[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN parts := parts || 'SELECT -1 AS sign, * FROM gone'::text; END IF;
  IF TG_OP <> 'DELETE' THEN parts := parts || 'SELECT 1 AS sign, * FROM come'::text; END IF;
  EXECUTE format(
    'INSERT INTO line_item_counts AS counts (publisher_id, approval_status, status, managed_by_retailer, line_items, impressions, commission_cents, ctr_sum)
     SELECT publisher_id, approval_status, status, managed_by_retailer, sum(sign)::bigint, sum(sign * impressions)::bigint,
            sum(sign * commission_cents(spend_micros, commission_rate_bps))::bigint, sum(sign * ctr_units(clicks, impressions))::bigint
     FROM (%s) changed
     GROUP BY 1, 2, 3, 4
     HAVING sum(sign) <> 0 OR sum(sign * impressions) <> 0 OR sum(sign * commission_cents(spend_micros, commission_rate_bps)) <> 0 OR sum(sign * ctr_units(clicks, impressions)) <> 0
     ORDER BY 1, 2, 3, 4
     ON CONFLICT (publisher_id, approval_status, status, managed_by_retailer) DO UPDATE SET
       line_items = counts.line_items + excluded.line_items, impressions = counts.impressions + excluded.impressions,
       commission_cents = counts.commission_cents + excluded.commission_cents, ctr_sum = counts.ctr_sum + excluded.ctr_sum',
    array_to_string(parts, ' UNION ALL '));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER line_items_counted_insert AFTER INSERT ON line_items REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION count_line_items();
--> statement-breakpoint
CREATE TRIGGER line_items_counted_update AFTER UPDATE ON line_items REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION count_line_items();
--> statement-breakpoint
CREATE TRIGGER line_items_counted_delete AFTER DELETE ON line_items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_line_items();
--> statement-breakpoint

-- Counters of campaigns, in the same way.
CREATE FUNCTION count_campaigns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parts text[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN parts := parts || 'SELECT -1 AS sign, advertiser_id, status FROM gone'::text; END IF;
  IF TG_OP <> 'DELETE' THEN parts := parts || 'SELECT 1 AS sign, advertiser_id, status FROM come'::text; END IF;
  EXECUTE format(
    'INSERT INTO campaign_counts AS counts (advertiser_id, status, campaigns)
     SELECT advertiser_id, status, sum(sign)::bigint FROM (%s) changed
     GROUP BY 1, 2 HAVING sum(sign) <> 0 ORDER BY 1, 2
     ON CONFLICT (advertiser_id, status) DO UPDATE SET campaigns = counts.campaigns + excluded.campaigns',
    array_to_string(parts, ' UNION ALL '));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER campaigns_counted_insert AFTER INSERT ON campaigns REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();
--> statement-breakpoint
CREATE TRIGGER campaigns_counted_update AFTER UPDATE ON campaigns REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();
--> statement-breakpoint
CREATE TRIGGER campaigns_counted_delete AFTER DELETE ON campaigns REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();
--> statement-breakpoint

-- Records when a line item ran and on which approved version. A run that ends at the instant it started is deleted.
CREATE FUNCTION record_line_item_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status = 'active' THEN
    DELETE FROM line_item_runs WHERE line_item_id = NEW.id AND ended_at IS NULL AND started_at >= NEW.changed_at;
    UPDATE line_item_runs SET ended_at = NEW.changed_at WHERE line_item_id = NEW.id AND ended_at IS NULL;
  END IF;
  IF NEW.status = 'active' THEN
    INSERT INTO line_item_runs (line_item_id, campaign_id, version, started_at) VALUES (NEW.id, NEW.campaign_id, NEW.approved_version, NEW.changed_at)
      ON CONFLICT (line_item_id, started_at) DO UPDATE SET version = excluded.version, ended_at = NULL;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER line_items_run_inserted AFTER INSERT ON line_items FOR EACH ROW WHEN (NEW.status = 'active') EXECUTE FUNCTION record_line_item_run();
--> statement-breakpoint
CREATE TRIGGER line_items_run_updated AFTER UPDATE OF approved_version, withdrawn_at, completed_at, publisher_paused_at, advertiser_paused_at ON line_items FOR EACH ROW
  WHEN ((OLD.status = 'active' OR NEW.status = 'active') AND (OLD.status <> NEW.status OR OLD.approved_version IS DISTINCT FROM NEW.approved_version))
  EXECUTE FUNCTION record_line_item_run();
--> statement-breakpoint

-- Every sum over deliveries changes in the transaction of the deliveries: the line item's day, the line item, its campaign, and
-- both accounts' days by channel and by audience. Each row is written once, in the order of its key. The sums are taken from the
-- changed rows themselves: summing by every key at once first makes as many groups as there are rows.
CREATE FUNCTION sum_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text := 'SELECT line_item_id, day, audience_id, channel, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros FROM come';
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changed := changed || ' UNION ALL SELECT line_item_id, day, audience_id, channel, -impressions, -clicks, -conversions, -spend_micros, -revenue_micros, -reported_micros FROM gone';
  END IF;
  EXECUTE format(
    'WITH per_day AS MATERIALIZED (
       SELECT line_item_id, day, sum(impressions)::bigint AS impressions, sum(clicks)::bigint AS clicks, sum(conversions)::bigint AS conversions, sum(spend_micros)::bigint AS spend_micros, sum(revenue_micros)::bigint AS revenue_micros, sum(reported_micros)::bigint AS reported_micros
       FROM (%1$s) changed GROUP BY 1, 2
     ), days AS (
       INSERT INTO line_item_days AS kept (line_item_id, day, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros)
       SELECT * FROM per_day ORDER BY 1, 2
       ON CONFLICT (line_item_id, day) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros, revenue_micros = kept.revenue_micros + excluded.revenue_micros, reported_micros = kept.reported_micros + excluded.reported_micros
     ), per_item AS (
       SELECT line_item_id, sum(impressions)::bigint AS impressions, sum(clicks)::bigint AS clicks, sum(conversions)::bigint AS conversions, sum(spend_micros)::bigint AS spend_micros, sum(revenue_micros)::bigint AS revenue_micros FROM per_day GROUP BY 1
     ), items AS (
       UPDATE line_items item SET impressions = item.impressions + part.impressions, clicks = item.clicks + part.clicks, conversions = item.conversions + part.conversions, spend_micros = item.spend_micros + part.spend_micros, revenue_micros = item.revenue_micros + part.revenue_micros
       FROM per_item part WHERE item.id = part.line_item_id RETURNING item.campaign_id, item.publisher_id, item.commission_rate_bps, part.*
     ), per_campaign AS (
       SELECT campaign_id, sum(impressions)::bigint AS impressions, sum(clicks)::bigint AS clicks, sum(conversions)::bigint AS conversions, sum(spend_micros)::bigint AS spend_micros, sum(revenue_micros)::bigint AS revenue_micros FROM items GROUP BY 1
     ), owners AS (
       UPDATE campaigns campaign SET impressions = campaign.impressions + part.impressions, clicks = campaign.clicks + part.clicks, conversions = campaign.conversions + part.conversions, spend_micros = campaign.spend_micros + part.spend_micros, revenue_micros = campaign.revenue_micros + part.revenue_micros
       FROM per_campaign part WHERE campaign.id = part.campaign_id RETURNING campaign.id, campaign.advertiser_id
     ), per_audience AS MATERIALIZED (
       SELECT advertiser_id, publisher_id, audience_id, day, channel, sum(changed.impressions)::bigint AS impressions, sum(changed.clicks)::bigint AS clicks, sum(changed.conversions)::bigint AS conversions, sum(changed.spend_micros)::bigint AS spend_micros, sum(changed.revenue_micros)::bigint AS revenue_micros, sum(changed.spend_micros::numeric * commission_rate_bps) AS earned_units
       FROM (%1$s) changed JOIN items USING (line_item_id) JOIN owners ON owners.id = items.campaign_id GROUP BY 1, 2, 3, 4, 5
     ), accounts AS MATERIALIZED (
       SELECT advertiser_id AS account_id, audience_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units FROM per_audience
       UNION ALL SELECT publisher_id, audience_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units FROM per_audience
     ), audience_days AS (
       INSERT INTO account_audience_days AS kept (account_id, audience_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
       SELECT account_id, audience_id, day, channel, sum(impressions)::bigint, sum(clicks)::bigint, sum(conversions)::bigint, sum(spend_micros)::bigint, sum(revenue_micros)::bigint, sum(earned_units)
       FROM accounts GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
       ON CONFLICT (account_id, audience_id, day, channel) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros, revenue_micros = kept.revenue_micros + excluded.revenue_micros, earned_units = kept.earned_units + excluded.earned_units
     )
     INSERT INTO account_days AS kept (account_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
     SELECT account_id, day, channel, sum(impressions)::bigint, sum(clicks)::bigint, sum(conversions)::bigint, sum(spend_micros)::bigint, sum(revenue_micros)::bigint, sum(earned_units)
     FROM accounts GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (account_id, day, channel) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks, conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros, revenue_micros = kept.revenue_micros + excluded.revenue_micros, earned_units = kept.earned_units + excluded.earned_units',
    changed);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_summed_insert AFTER INSERT ON deliveries REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_deliveries();
--> statement-breakpoint
CREATE TRIGGER deliveries_summed_update AFTER UPDATE ON deliveries REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_deliveries();
--> statement-breakpoint

-- Sums a line item's days into months. A line item has few days compared with its deliveries, so this costs a report almost
-- nothing. Whoever writes a line item's days holds the lock of its campaign.
CREATE FUNCTION sum_line_item_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text := 'SELECT 1 AS sign, * FROM come';
BEGIN
  IF TG_OP = 'UPDATE' THEN changed := changed || ' UNION ALL SELECT -1, * FROM gone'; END IF;
  EXECUTE format(
    'INSERT INTO line_item_months AS kept (line_item_id, month, impressions, clicks, conversions, spend_micros, revenue_micros)
     SELECT line_item_id, date_trunc(''month'', day::timestamp)::date, sum(sign * impressions), sum(sign * clicks), sum(sign * conversions), sum(sign * spend_micros), sum(sign * revenue_micros)
     FROM (%s) changed GROUP BY 1, 2 ORDER BY 1, 2
     ON CONFLICT (line_item_id, month) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks,
       conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros,
       revenue_micros = kept.revenue_micros + excluded.revenue_micros',
    changed);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER line_item_days_summed_insert AFTER INSERT ON line_item_days REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_line_item_days();
--> statement-breakpoint
CREATE TRIGGER line_item_days_summed_update AFTER UPDATE ON line_item_days REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_line_item_days();
--> statement-breakpoint

-- Sums deliveries by creative. Whoever writes a line item's deliveries holds the lock of its campaign.
CREATE FUNCTION sum_delivery_creatives() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text := 'SELECT 1 AS sign, line_item_id, creatives FROM come WHERE creatives IS NOT NULL';
BEGIN
  IF TG_OP = 'UPDATE' THEN changed := changed || ' UNION ALL SELECT -1, line_item_id, creatives FROM gone WHERE creatives IS NOT NULL'; END IF;
  EXECUTE format(
    'INSERT INTO line_item_creatives AS kept (line_item_id, creative_id, impressions, clicks, conversions, spend_micros, revenue_micros)
     SELECT line_item_id, creative_id, sum(sign * impressions), sum(sign * clicks), sum(sign * conversions), sum(sign * spend_micros), sum(sign * revenue_micros)
     FROM (%s) changed CROSS JOIN LATERAL jsonb_to_recordset(creatives) AS part (creative_id uuid, impressions bigint, clicks bigint, conversions bigint, spend_micros bigint, revenue_micros bigint)
     GROUP BY 1, 2 ORDER BY 1, 2
     ON CONFLICT (line_item_id, creative_id) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks,
       conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros,
       revenue_micros = kept.revenue_micros + excluded.revenue_micros',
    changed);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_summed_creatives_insert AFTER INSERT ON deliveries REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_delivery_creatives();
--> statement-breakpoint
CREATE TRIGGER deliveries_summed_creatives_update AFTER UPDATE ON deliveries REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_delivery_creatives();
--> statement-breakpoint

-- A restatement is the next revision of the same delivery and keeps the revision that it replaces.
CREATE FUNCTION keep_delivery_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO delivery_revisions (line_item_id, publisher_id, day, audience_id, channel, source, revision, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, reach, creatives, report_id, replaced_by)
    SELECT line_item_id, gone.publisher_id, day, audience_id, channel, source, gone.revision, gone.impressions, gone.clicks, gone.conversions, gone.spend_micros, gone.revenue_micros, gone.reported_micros, gone.reach, gone.creatives, gone.report_id, come.report_id
    FROM gone LEFT JOIN come USING (line_item_id, day, audience_id, channel, source) WHERE come.revision = gone.revision + 1;
  IF (SELECT count(*) FROM gone) <> (SELECT count(*) FROM come JOIN delivery_revisions kept USING (line_item_id, day, audience_id, channel, source) WHERE kept.revision = come.revision - 1) THEN
    RAISE EXCEPTION 'a restatement is the next revision of the same fact' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_keep_revisions AFTER UPDATE ON deliveries REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION keep_delivery_revision();
--> statement-breakpoint
CREATE TRIGGER deliveries_are_kept BEFORE DELETE ON deliveries FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER delivery_revisions_are_kept BEFORE UPDATE OR DELETE ON delivery_revisions FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- TRUNCATE of deliveries or of reports needs that of the revisions too, because of the foreign keys: this trigger guards all three.
CREATE TRIGGER delivery_revisions_are_not_emptied BEFORE TRUNCATE ON delivery_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER delivery_reports_are_kept BEFORE UPDATE OR DELETE ON delivery_reports FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- At commit, each ledger transaction has at least two entries that sum to zero.
CREATE FUNCTION check_ledger_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) < 2 OR sum(amount_cents) <> 0 FROM ledger_entries WHERE transaction_id = NEW.id) THEN
    RAISE EXCEPTION 'the entries of a transaction are at least two and sum to zero' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_transactions_balance AFTER INSERT ON ledger_transactions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_ledger_transaction();
--> statement-breakpoint

-- Entries are inserted in the database transaction of their ledger transaction, never later.
CREATE FUNCTION refuse_late_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM come JOIN ledger_transactions posted ON posted.id = come.transaction_id WHERE posted.written_in <> pg_current_xact_id()::text::bigint) THEN
    RAISE EXCEPTION 'an entry comes with its transaction' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_in_time AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION refuse_late_entries();
--> statement-breakpoint

-- Each entry changes the balance of its account. Everyone who posts locks the accounts in the same order.
CREATE FUNCTION book_ledger_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM ledger_accounts WHERE id IN (SELECT account_id FROM come) ORDER BY id FOR NO KEY UPDATE;
  UPDATE ledger_accounts account SET balance_cents = account.balance_cents + part.cents
    FROM (SELECT account_id, sum(amount_cents)::bigint AS cents FROM come GROUP BY 1) part WHERE account.id = part.account_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_booked AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION book_ledger_entries();
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_begin_empty BEFORE INSERT ON ledger_accounts FOR EACH ROW WHEN (NEW.balance_cents <> 0) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_are_booked BEFORE UPDATE ON ledger_accounts FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_are_kept BEFORE DELETE ON ledger_accounts FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_are_kept BEFORE UPDATE OR DELETE ON ledger_transactions FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_entries_are_kept BEFORE UPDATE OR DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_entries_are_not_emptied BEFORE TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER transactions_are_fixed BEFORE UPDATE OF id, account_id, type, description, amount_cents, created_at ON transactions FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER transactions_are_kept BEFORE DELETE ON transactions FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- Revenue shares: the origin of a share never changes, including the refund that it came from.
CREATE TRIGGER revenue_shares_are_fixed BEFORE UPDATE OF id, publisher_id, line_item_id, revision, refund_id, settled_through, spend_cents, earnings_cents, fee_cents, ledger_transaction_id, created_at
  ON revenue_shares FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER revenue_shares_are_kept BEFORE DELETE ON revenue_shares FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER refunds_are_kept BEFORE UPDATE OR DELETE ON refunds FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- A paid share stays paid unless its payout was returned, which makes the share available to another payout.
CREATE FUNCTION keep_what_was_paid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'pending' AND NEW.payout_id IS NULL AND EXISTS (SELECT FROM payouts WHERE id = OLD.payout_id AND returned_at IS NOT NULL) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% rows that were paid stay paid', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER revenue_shares_stay_paid BEFORE UPDATE ON revenue_shares FOR EACH ROW WHEN (OLD.status = 'paid') EXECUTE FUNCTION keep_what_was_paid();
--> statement-breakpoint

-- The lines of a payout never change.
CREATE TRIGGER payout_lines_are_kept BEFORE UPDATE OR DELETE ON payout_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER payouts_are_fixed BEFORE UPDATE OF id, publisher_id, amount_cents, scheduled_for, provider, token, bank, last_four, created_at ON payouts FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- A payout that ended never changes, except that a paid payout may be returned later.
CREATE TRIGGER payouts_end_once BEFORE UPDATE ON payouts FOR EACH ROW WHEN (
  OLD.ended_at IS NOT NULL AND NOT (OLD.status = 'paid' AND (NEW.ended_at, NEW.reference) IS NOT DISTINCT FROM (OLD.ended_at, OLD.reference)
    AND (NEW.status = 'paid' OR NEW.returned_at IS NOT NULL))) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- An issued invoice never changes. Its open amount grows only by payments that were reversed, and it is paid once unless reopened.
CREATE TRIGGER invoices_are_fixed BEFORE UPDATE OF id, number, advertiser_id, month, amount_cents, issued_at, due_on ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER invoices_stay_paid BEFORE UPDATE OF open_cents, paid_at, reopened_cents ON invoices FOR EACH ROW WHEN (OLD.paid_at IS NOT NULL
  AND (NEW.open_cents, NEW.paid_at, NEW.reopened_cents) IS DISTINCT FROM (OLD.open_cents, OLD.paid_at, OLD.reopened_cents) AND NEW.reopened_cents <= OLD.reopened_cents) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER invoices_open_less BEFORE UPDATE OF open_cents, reopened_cents ON invoices FOR EACH ROW
  WHEN (NEW.open_cents - OLD.open_cents > NEW.reopened_cents - OLD.reopened_cents) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER invoice_lines_are_kept BEFORE UPDATE OR DELETE ON invoice_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER invoice_credits_are_kept BEFORE UPDATE OR DELETE ON invoice_credits FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER payments_taken_back_are_kept BEFORE UPDATE OR DELETE ON payments_taken_back FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- A plan charge that was offset against earnings never changes.
CREATE TRIGGER netted_plans_are_fixed BEFORE UPDATE OF id, publisher_id, plan_change_id, amount_cents, ledger_transaction_id, created_at ON netted_plans FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER netted_plans_are_kept BEFORE DELETE ON netted_plans FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- A new advertiser starts with a hold on its campaigns until it has funds.
CREATE FUNCTION wait_for_funds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO funds_holds (account_id, held_at) VALUES (NEW.id, NEW.created_at);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER accounts_wait_for_funds AFTER INSERT ON accounts FOR EACH ROW WHEN (NEW.type = 'advertiser') EXECUTE FUNCTION wait_for_funds();
--> statement-breakpoint

-- The wanted state of a line item on each channel follows from its status, its approved version and its advertiser's funds, in
-- the transaction that changes them. The advertiser is locked first, so that of a line item and a hold that change at the same
-- time, one always sees the other.
CREATE FUNCTION order_channels() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE waits boolean := false;
BEGIN
  IF NEW.status = 'active' THEN
    PERFORM FROM campaigns campaign JOIN accounts owner ON owner.id = campaign.advertiser_id WHERE campaign.id = NEW.campaign_id FOR SHARE OF owner;
    waits := EXISTS (SELECT FROM campaigns campaign JOIN funds_holds hold ON hold.account_id = campaign.advertiser_id AND hold.released_at IS NULL WHERE campaign.id = NEW.campaign_id);
  END IF;
  IF NEW.status = 'active' AND NOT waits THEN
    INSERT INTO channel_orders (line_item_id, channel, wanted, wanted_version, due_at)
      SELECT NEW.id, channel, 'active', NEW.approved_version, NEW.changed_at
      FROM campaign_versions version, unnest(version.channels) channel WHERE version.campaign_id = NEW.campaign_id AND version.number = NEW.approved_version
      ORDER BY channel
      ON CONFLICT (line_item_id, channel) DO UPDATE SET wanted = 'active', wanted_version = excluded.wanted_version, failures = 0, due_at = excluded.due_at;
  END IF;
  UPDATE channel_orders SET wanted = 'paused', failures = 0, due_at = NEW.changed_at
    WHERE line_item_id = NEW.id AND wanted = 'active' AND (NEW.status <> 'active' OR waits OR wanted_version <> NEW.approved_version);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER line_items_order_inserted AFTER INSERT ON line_items FOR EACH ROW WHEN (NEW.status = 'active') EXECUTE FUNCTION order_channels();
--> statement-breakpoint
CREATE TRIGGER line_items_order_updated AFTER UPDATE OF approved_version, withdrawn_at, completed_at, publisher_paused_at, advertiser_paused_at ON line_items FOR EACH ROW
  WHEN ((OLD.status = 'active' OR NEW.status = 'active') AND (OLD.status <> NEW.status OR OLD.approved_version IS DISTINCT FROM NEW.approved_version))
  EXECUTE FUNCTION order_channels();
--> statement-breakpoint
CREATE FUNCTION order_channels_by_funds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.released_at IS NULL THEN
    UPDATE channel_orders SET wanted = 'paused', failures = 0, due_at = NEW.held_at
      WHERE wanted = 'active' AND line_item_id IN (SELECT item.id FROM campaigns campaign JOIN line_items item ON item.campaign_id = campaign.id WHERE campaign.advertiser_id = NEW.account_id);
  ELSE
    INSERT INTO channel_orders (line_item_id, channel, wanted, wanted_version, due_at)
      SELECT item.id, channel, 'active', item.approved_version, NEW.released_at
      FROM campaigns campaign JOIN line_items item ON item.campaign_id = campaign.id AND item.status = 'active'
      JOIN campaign_versions version ON version.campaign_id = campaign.id AND version.number = item.approved_version, unnest(version.channels) channel
      WHERE campaign.advertiser_id = NEW.account_id ORDER BY item.id, channel
      ON CONFLICT (line_item_id, channel) DO UPDATE SET wanted = 'active', wanted_version = excluded.wanted_version, failures = 0, due_at = excluded.due_at;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER funds_holds_order_channels AFTER INSERT OR UPDATE OF released_at ON funds_holds FOR EACH ROW EXECUTE FUNCTION order_channels_by_funds();
--> statement-breakpoint

-- The copies of an audience at the channels are checked as soon as the audience changes.
CREATE FUNCTION look_at_channel_audiences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE channel_audiences SET due_at = least(due_at, coalesce(NEW.archived_at, NEW.refreshed_at, due_at)) WHERE audience_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audiences_look_at_channels AFTER UPDATE OF version, status ON audiences FOR EACH ROW
  WHEN (OLD.version <> NEW.version OR OLD.status <> NEW.status) EXECUTE FUNCTION look_at_channel_audiences();
