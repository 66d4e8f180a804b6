ALTER TABLE "audiences" ADD COLUMN "ad_user_data_consent" text DEFAULT 'unspecified' NOT NULL;--> statement-breakpoint
ALTER TABLE "audiences" ADD COLUMN "ad_personalization_consent" text DEFAULT 'unspecified' NOT NULL;--> statement-breakpoint
ALTER TABLE "audiences" ADD COLUMN "consent_stated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "audiences" ADD COLUMN "consent_stated_by" uuid;--> statement-breakpoint
ALTER TABLE "audiences" ADD COLUMN "consent_stated_by_key" uuid;--> statement-breakpoint
ALTER TABLE "channel_audiences" ADD COLUMN "consent" jsonb;--> statement-breakpoint
ALTER TABLE "audiences" ADD CONSTRAINT "audiences_consent_stated_by_users_id_fk" FOREIGN KEY ("consent_stated_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audiences" ADD CONSTRAINT "audiences_consent_stated_by_key_api_keys_id_fk" FOREIGN KEY ("consent_stated_by_key") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audiences" ADD CONSTRAINT "audiences_ad_user_data_consent" CHECK ("ad_user_data_consent" in ('unspecified', 'granted', 'denied'));--> statement-breakpoint
ALTER TABLE "audiences" ADD CONSTRAINT "audiences_ad_personalization_consent" CHECK ("ad_personalization_consent" in ('unspecified', 'granted', 'denied'));--> statement-breakpoint
ALTER TABLE "audiences" ADD CONSTRAINT "audiences_consent_stated" CHECK ("audiences"."consent_stated_at" is not null or ("audiences"."ad_user_data_consent" = 'unspecified' and "audiences"."ad_personalization_consent" = 'unspecified'
        and "audiences"."consent_stated_by" is null and "audiences"."consent_stated_by_key" is null));--> statement-breakpoint

-- The copies of an audience at the channels are checked as soon as the statement about consent changes, too.
DROP TRIGGER audiences_reschedule_channels ON audiences;--> statement-breakpoint
CREATE TRIGGER audiences_reschedule_channels AFTER UPDATE OF version, status, ad_user_data_consent, ad_personalization_consent ON audiences FOR EACH ROW
  WHEN (OLD.version <> NEW.version OR OLD.status <> NEW.status
    OR OLD.ad_user_data_consent <> NEW.ad_user_data_consent OR OLD.ad_personalization_consent <> NEW.ad_personalization_consent)
  EXECUTE FUNCTION reschedule_channel_audiences();
