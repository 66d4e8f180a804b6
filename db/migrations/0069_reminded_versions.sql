-- The version of which a publisher needs no reminder any more, so that the job does not ask every pending review (docs/decisions/0120).
-- Older reviews have none: the job marks 2,000 of them in each run, and reminds nobody twice.
ALTER TABLE "line_items" ADD COLUMN "reminded_version" integer;
