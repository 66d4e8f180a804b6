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
	"collected_until" timestamp (3) with time zone NOT NULL
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
	CONSTRAINT "delivery_revisions_pk" PRIMARY KEY("line_item_id","day","audience_id","channel","source","revision")
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
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_numbers";--> statement-breakpoint
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_line_item_id_line_items_id_fk";
--> statement-breakpoint
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_audience_id_audiences_id_fk";
--> statement-breakpoint
-- What was delivered before reports came in is one report of its own.
INSERT INTO delivery_reports (id, received_at, reported_by, rows, added, restated, refused)
  SELECT gen_random_uuid(), now(), 'Endcap', count(*), count(*), 0, 0 FROM deliveries HAVING count(*) > 0;--> statement-breakpoint
DROP TRIGGER deliveries_summed_insert ON deliveries;--> statement-breakpoint
DROP TRIGGER deliveries_summed_update ON deliveries;--> statement-breakpoint
DROP TRIGGER deliveries_summed_delete ON deliveries;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "publisher_id" uuid, ADD COLUMN "source" text, ADD COLUMN "revision" integer DEFAULT 1 NOT NULL,
  ADD COLUMN "reported_micros" bigint, ADD COLUMN "report_id" uuid;--> statement-breakpoint
UPDATE deliveries SET publisher_id = item.publisher_id, source = 'sandbox', reported_micros = deliveries.spend_micros, report_id = report.id
  FROM line_items item, delivery_reports report WHERE item.id = deliveries.line_item_id;--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "publisher_id" SET NOT NULL, ALTER COLUMN "source" SET NOT NULL,
  ALTER COLUMN "reported_micros" SET NOT NULL, ALTER COLUMN "report_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_line_item_id_day_audience_id_channel_pk";--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_line_item_id_day_audience_id_channel_source_pk" PRIMARY KEY("line_item_id","day","audience_id","channel","source");--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "pacing" text DEFAULT 'even' NOT NULL;--> statement-breakpoint
ALTER TABLE "line_items" ADD COLUMN "changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "account_audience_days" ADD CONSTRAINT "account_audience_days_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_audience_days" ADD CONSTRAINT "account_audience_days_audience_id_audiences_id_fk" FOREIGN KEY ("audience_id") REFERENCES "public"."audiences"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_days" ADD CONSTRAINT "account_days_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_revisions" ADD CONSTRAINT "delivery_revisions_fact" FOREIGN KEY ("line_item_id","day","audience_id","channel","source") REFERENCES "public"."deliveries"("line_item_id","day","audience_id","channel","source") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_item_days" ADD CONSTRAINT "line_item_days_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_item_runs" ADD CONSTRAINT "line_item_runs_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_item_runs" ADD CONSTRAINT "line_item_runs_version" FOREIGN KEY ("campaign_id","version") REFERENCES "public"."campaign_versions"("campaign_id","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "delivery_reports_received" ON "delivery_reports" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "line_item_runs_campaign" ON "line_item_runs" USING btree ("campaign_id");--> statement-breakpoint
CREATE INDEX "line_item_runs_ended" ON "line_item_runs" USING btree ("ended_at");--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_line_item" FOREIGN KEY ("line_item_id","publisher_id") REFERENCES "public"."line_items"("id","publisher_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_audience" FOREIGN KEY ("audience_id","publisher_id") REFERENCES "public"."audiences"("id","publisher_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_report" FOREIGN KEY ("report_id") REFERENCES "public"."delivery_reports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_pacing" CHECK ("pacing" in ('even', 'asap'));--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_source" CHECK ("deliveries"."source" ~ '^[A-Za-z0-9]([A-Za-z0-9 _.:/-]{0,62}[A-Za-z0-9])?$');--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_numbers" CHECK ("deliveries"."clicks" between 0 and "deliveries"."impressions" and "deliveries"."conversions" >= 0 and "deliveries"."spend_micros" between 0 and "deliveries"."reported_micros" and "deliveries"."revenue_micros" >= 0 and "deliveries"."revision" > 0);
--> statement-breakpoint
-- Runs of before: from the yes until whatever stopped it.
INSERT INTO line_item_runs (line_item_id, campaign_id, version, started_at, ended_at)
  SELECT item.id, item.campaign_id, item.approved_version, yes.decided_at, CASE WHEN item.status <> 'active' THEN
    greatest(coalesce(item.withdrawn_at, item.completed_at, least(item.publisher_paused_at, item.advertiser_paused_at)), yes.decided_at + interval '1 ms') END
  FROM line_items item JOIN decisions yes ON yes.line_item_id = item.id AND yes.version = item.approved_version AND yes.action = 'approve';
--> statement-breakpoint
CREATE UNIQUE INDEX line_item_runs_open ON line_item_runs (line_item_id) WHERE ended_at IS NULL;
--> statement-breakpoint
-- A line item runs while it is active, on the version approved last. A run of no time at all is none.
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
-- All that is summed from the facts, in the facts' transaction: the day of the line item, the line item, its campaign, and
-- for the two accounts the day on a channel and on an audience. One write a row of each, in the rows' order.
CREATE OR REPLACE FUNCTION sum_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text := 'SELECT 1 AS sign, * FROM come';
BEGIN
  IF TG_OP = 'UPDATE' THEN changed := changed || ' UNION ALL SELECT -1, * FROM gone'; END IF;
  EXECUTE format(
    'WITH delta AS MATERIALIZED (
       SELECT line_item_id, day, audience_id, channel, sum(sign * impressions)::bigint AS impressions, sum(sign * clicks)::bigint AS clicks, sum(sign * conversions)::bigint AS conversions,
              sum(sign * spend_micros)::bigint AS spend_micros, sum(sign * revenue_micros)::bigint AS revenue_micros, sum(sign * reported_micros)::bigint AS reported_micros
       FROM (%s) changed GROUP BY 1, 2, 3, 4
     ), per_day AS MATERIALIZED (
       SELECT line_item_id, day, sum(impressions)::bigint AS impressions, sum(clicks)::bigint AS clicks, sum(conversions)::bigint AS conversions,
              sum(spend_micros)::bigint AS spend_micros, sum(revenue_micros)::bigint AS revenue_micros, sum(reported_micros)::bigint AS reported_micros
       FROM delta GROUP BY 1, 2
     ), days AS (
       INSERT INTO line_item_days AS kept (line_item_id, day, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros)
       SELECT * FROM per_day ORDER BY 1, 2
       ON CONFLICT (line_item_id, day) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks,
         conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros,
         revenue_micros = kept.revenue_micros + excluded.revenue_micros, reported_micros = kept.reported_micros + excluded.reported_micros
     ), per_item AS (
       SELECT line_item_id, sum(impressions)::bigint AS impressions, sum(clicks)::bigint AS clicks, sum(conversions)::bigint AS conversions,
              sum(spend_micros)::bigint AS spend_micros, sum(revenue_micros)::bigint AS revenue_micros FROM per_day GROUP BY 1
     ), items AS (
       UPDATE line_items item SET impressions = item.impressions + part.impressions, clicks = item.clicks + part.clicks, conversions = item.conversions + part.conversions,
              spend_micros = item.spend_micros + part.spend_micros, revenue_micros = item.revenue_micros + part.revenue_micros
       FROM per_item part WHERE item.id = part.line_item_id RETURNING item.campaign_id, item.publisher_id, item.commission_rate_bps, part.*
     ), per_campaign AS (
       SELECT campaign_id, sum(impressions)::bigint AS impressions, sum(clicks)::bigint AS clicks, sum(conversions)::bigint AS conversions,
              sum(spend_micros)::bigint AS spend_micros, sum(revenue_micros)::bigint AS revenue_micros FROM items GROUP BY 1
     ), owners AS (
       UPDATE campaigns campaign SET impressions = campaign.impressions + part.impressions, clicks = campaign.clicks + part.clicks, conversions = campaign.conversions + part.conversions,
              spend_micros = campaign.spend_micros + part.spend_micros, revenue_micros = campaign.revenue_micros + part.revenue_micros
       FROM per_campaign part WHERE campaign.id = part.campaign_id RETURNING campaign.id, campaign.advertiser_id
     ), per_audience AS MATERIALIZED (
       SELECT advertiser_id, publisher_id, audience_id, day, channel, sum(delta.impressions)::bigint AS impressions, sum(delta.clicks)::bigint AS clicks, sum(delta.conversions)::bigint AS conversions,
              sum(delta.spend_micros)::bigint AS spend_micros, sum(delta.revenue_micros)::bigint AS revenue_micros, sum(delta.spend_micros::numeric * commission_rate_bps) AS earned_units
       FROM delta JOIN items USING (line_item_id) JOIN owners ON owners.id = items.campaign_id GROUP BY 1, 2, 3, 4, 5
     ), accounts AS MATERIALIZED (
       SELECT advertiser_id AS account_id, audience_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units FROM per_audience
       UNION ALL SELECT publisher_id, audience_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units FROM per_audience
     ), audience_days AS (
       INSERT INTO account_audience_days AS kept (account_id, audience_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
       SELECT account_id, audience_id, day, channel, sum(impressions)::bigint, sum(clicks)::bigint, sum(conversions)::bigint, sum(spend_micros)::bigint, sum(revenue_micros)::bigint, sum(earned_units)
       FROM accounts GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
       ON CONFLICT (account_id, audience_id, day, channel) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks,
         conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros,
         revenue_micros = kept.revenue_micros + excluded.revenue_micros, earned_units = kept.earned_units + excluded.earned_units
     )
     INSERT INTO account_days AS kept (account_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
     SELECT account_id, day, channel, sum(impressions)::bigint, sum(clicks)::bigint, sum(conversions)::bigint, sum(spend_micros)::bigint, sum(revenue_micros)::bigint, sum(earned_units)
     FROM accounts GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (account_id, day, channel) DO UPDATE SET impressions = kept.impressions + excluded.impressions, clicks = kept.clicks + excluded.clicks,
       conversions = kept.conversions + excluded.conversions, spend_micros = kept.spend_micros + excluded.spend_micros,
       revenue_micros = kept.revenue_micros + excluded.revenue_micros, earned_units = kept.earned_units + excluded.earned_units',
    changed);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_summed_insert AFTER INSERT ON deliveries REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_deliveries();
--> statement-breakpoint
CREATE TRIGGER deliveries_summed_update AFTER UPDATE ON deliveries REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_deliveries();
--> statement-breakpoint
-- A restatement keeps what it replaces, and is the next revision of the same fact.
CREATE FUNCTION keep_delivery_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO delivery_revisions (line_item_id, publisher_id, day, audience_id, channel, source, revision, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, report_id, replaced_by)
    SELECT line_item_id, gone.publisher_id, day, audience_id, channel, source, gone.revision, gone.impressions, gone.clicks, gone.conversions, gone.spend_micros, gone.revenue_micros, gone.reported_micros, gone.report_id, come.report_id
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
-- Facts and reports cannot be emptied without their revisions.
CREATE TRIGGER delivery_revisions_are_not_emptied BEFORE TRUNCATE ON delivery_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER delivery_reports_are_kept BEFORE UPDATE OR DELETE ON delivery_reports FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- The roll-ups of what was delivered before.
INSERT INTO line_item_days SELECT line_item_id, day, sum(impressions), sum(clicks), sum(conversions), sum(spend_micros), sum(revenue_micros), sum(reported_micros) FROM deliveries GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO account_audience_days (account_id, audience_id, day, channel, impressions, clicks, conversions, spend_micros, revenue_micros, earned_units)
  SELECT account_id, audience_id, day, channel, sum(fact.impressions), sum(fact.clicks), sum(fact.conversions), sum(fact.spend_micros), sum(fact.revenue_micros), sum(fact.spend_micros::numeric * item.commission_rate_bps)
  FROM deliveries fact JOIN line_items item ON item.id = fact.line_item_id JOIN campaigns owner ON owner.id = item.campaign_id
  CROSS JOIN LATERAL (VALUES (item.publisher_id), (owner.advertiser_id)) AS sides (account_id) GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
INSERT INTO account_days SELECT account_id, day, channel, sum(impressions), sum(clicks), sum(conversions), sum(spend_micros), sum(revenue_micros), sum(earned_units) FROM account_audience_days GROUP BY 1, 2, 3;
