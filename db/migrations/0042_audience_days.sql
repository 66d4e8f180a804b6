-- What statements read of facts that cannot name line items by their parameters (docs/decisions/0105).
CREATE VIEW line_item_audience_days AS
  SELECT line_item_id, day, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reach, report_id FROM deliveries;
