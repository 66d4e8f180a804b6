import { sql } from "drizzle-orm";

/** The ID that the event key of a ledger transaction `posted` names. */
export const idFromEventKey = sql.raw("split_part(posted.event_key, '/', 2)::uuid");

/** The line item that a ledger transaction `posted` of spend or of a refund is about; null for other events. */
export const postedLineItemId = sql`case posted.event when 'campaign_spend' then ${idFromEventKey}
  when 'refund' then (select given.line_item_id from refunds given where given.id = ${idFromEventKey}) end`;
