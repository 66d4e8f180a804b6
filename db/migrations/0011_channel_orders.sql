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
	CONSTRAINT "channel_orders_line_item_id_channel_pk" PRIMARY KEY("line_item_id","channel"),
	CONSTRAINT "channel_orders_channel" CHECK ("channel" in ('dv360', 'amazon_dsp', 'trade_desk', 'adobe_advertising', 'meta', 'google', 'tiktok', 'youtube', 'pinterest', 'snapchat')),
	CONSTRAINT "channel_orders_wanted" CHECK ("wanted" in ('active', 'paused')),
	CONSTRAINT "channel_orders_state" CHECK ("state" in ('active', 'paused')),
	CONSTRAINT "channel_orders_confirmed" CHECK (("channel_orders"."state" is null) = ("channel_orders"."reference" is null) and ("channel_orders"."state" is null) = ("channel_orders"."version" is null)),
	CONSTRAINT "channel_orders_failures" CHECK ("channel_orders"."failures" >= 0)
);
--> statement-breakpoint
ALTER TABLE "channel_orders" ADD CONSTRAINT "channel_orders_line_item_id_line_items_id_fk" FOREIGN KEY ("line_item_id") REFERENCES "public"."line_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "channel_orders_due" ON "channel_orders" USING btree ("due_at") WHERE "channel_orders"."due_at" is not null;
--> statement-breakpoint
-- What a line item wants of its channels follows from its state and its approved version, in the transaction that changes them.
CREATE FUNCTION order_channels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'active' THEN
    INSERT INTO channel_orders (line_item_id, channel, wanted, wanted_version, due_at)
      SELECT NEW.id, channel, 'active', NEW.approved_version, NEW.changed_at
      FROM campaign_versions version, unnest(version.channels) channel WHERE version.campaign_id = NEW.campaign_id AND version.number = NEW.approved_version
      ORDER BY channel
      ON CONFLICT (line_item_id, channel) DO UPDATE SET wanted = 'active', wanted_version = excluded.wanted_version, failures = 0, due_at = excluded.due_at;
  END IF;
  UPDATE channel_orders SET wanted = 'paused', failures = 0, due_at = NEW.changed_at
    WHERE line_item_id = NEW.id AND wanted = 'active' AND (NEW.status <> 'active' OR wanted_version <> NEW.approved_version);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER line_items_order_inserted AFTER INSERT ON line_items FOR EACH ROW WHEN (NEW.status = 'active') EXECUTE FUNCTION order_channels();
--> statement-breakpoint
CREATE TRIGGER line_items_order_updated AFTER UPDATE OF approved_version, withdrawn_at, completed_at, publisher_paused_at, advertiser_paused_at ON line_items FOR EACH ROW
  WHEN ((OLD.status = 'active' OR NEW.status = 'active') AND (OLD.status <> NEW.status OR OLD.approved_version IS DISTINCT FROM NEW.approved_version))
  EXECUTE FUNCTION order_channels();
--> statement-breakpoint
INSERT INTO channel_orders (line_item_id, channel, wanted, wanted_version, due_at)
  SELECT item.id, channel, 'active', item.approved_version, now() FROM line_items item
  JOIN campaign_versions version ON version.campaign_id = item.campaign_id AND version.number = item.approved_version, unnest(version.channels) channel
  WHERE item.status = 'active';
