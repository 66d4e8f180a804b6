-- Mails and what servers reported about them will be partitioned by month (docs/decisions/0111).
ALTER TABLE "mail_feedback" DROP CONSTRAINT "mail_feedback_pkey";--> statement-breakpoint
ALTER TABLE "mail_feedback" ADD CONSTRAINT "mail_feedback_pk" PRIMARY KEY USING INDEX "mail_feedback_pk";--> statement-breakpoint
ALTER TABLE "mail_feedback" DROP CONSTRAINT "mail_feedback_once";--> statement-breakpoint
-- A daily mail may be of the month after those that it carries.
ALTER TABLE "mails" DROP CONSTRAINT "mails_digest_id_mails_id_fk";--> statement-breakpoint
-- What exists, and what is written until the month after next, stays where it is, as in 0030: the constraint proves that.
DO $$
DECLARE
  latest date := (SELECT month_of('uuid', id::text) FROM mails ORDER BY id DESC LIMIT 1);
  first date := date_trunc('month', CASE WHEN latest IS NULL THEN now() AT TIME ZONE 'UTC' ELSE greatest(now() AT TIME ZONE 'UTC' + interval '2 months', latest + interval '1 month') END);
BEGIN
  EXECUTE format('ALTER TABLE mails ADD CONSTRAINT mails_past CHECK (id < %L) NOT VALID', month_bound('uuid', first));
  EXECUTE format('ALTER TABLE mail_feedback ADD CONSTRAINT mail_feedback_past CHECK (mail_id < %L) NOT VALID', month_bound('uuid', first));
END $$;
