-- outside a transaction
ALTER TABLE "mail_settings" VALIDATE CONSTRAINT "mail_settings_muted";--> statement-breakpoint
ALTER TABLE "notifications" VALIDATE CONSTRAINT "notifications_event";
