-- outside a transaction
ALTER TABLE mails VALIDATE CONSTRAINT mails_past;--> statement-breakpoint
ALTER TABLE mail_feedback VALIDATE CONSTRAINT mail_feedback_past;
