import type { PendingQuery, Row, Sql } from "postgres";

/** What a reference reads for the list of campaigns: in three steps beside the session, as the product does. */
export async function loadPage(sql: Sql, person: { id: string; account_id: string }, after: string) {
  const list = sql`
    select id, name, status, objective, channels, audience_ids, total_budget_cents, daily_budget_cents, start_date::text, end_date::text,
      version, has_unsent_changes, managed_by_publisher_id, impressions, clicks, conversions, spend_micros, revenue_micros, created_at, archived_at, null
    from campaigns where advertiser_id = ${person.account_id} and archived_at is null and id < ${after} order by id desc limit 26`;
  const [rows, counts, [unread]] = await Promise.all([
    list,
    sql`select status, archived, campaigns from campaign_counts where advertiser_id = ${person.account_id}`,
    sql`select count(*)::int from (select 1 from notifications
      where account_id = ${person.account_id} and read_at is null limit 100) unread`,
    sql`select id, list, name, query from saved_views where user_id = ${person.id} and account_id = ${person.account_id}
      and mode = 'live' and list = 'campaigns' order by lower(name) limit 50`,
  ]);
  const shown = rows.slice(0, 25);
  const ids = shown.map((row) => row.id);
  const owner = sql`campaign.advertiser_id = ${person.account_id}`;
  const facts = await readFacts(sql, { owner, ids });
  const all = counts.reduce((sum, row) => sum + (row.archived ? 0 : Number(row.campaigns)), 0);
  return { rows: shown, hasMore: rows.length > 25, facts, all, unread: unread?.count ?? 0 };
}

/** Reads what the reasons of the statuses derive from, on either side. */
export function readFacts(sql: Sql, { owner, ids }: { owner: PendingQuery<Row[]>; ids: string[] }) {
  const today = new Date().toISOString().slice(0, 10);
  return sql`
    select item.id, item.campaign_id, publisher.company_name as publisher, item.status, item.approval_status,
      item.approved_version is not null as ever_approved, item.publisher_paused_at is not null as paused_by_publisher,
      exists (select from funds_holds hold where hold.account_id = campaign.advertiser_id and hold.released_at is null) as on_funds_hold,
      campaign.spend_micros::text as spent,
      coalesce((select sum(fact.spend_micros) from line_items part join line_item_days fact on fact.line_item_id = part.id
        where part.campaign_id = campaign.id and fact.day = ${today}::date), 0)::text as today,
      approved.start_date::text as approved_start, approved.end_date::text as approved_end,
      approved.total_budget_cents::text as approved_total, approved.daily_budget_cents::text as approved_daily,
      sent.start_date::text as sent_start, sent.end_date::text as sent_end,
      sent.total_budget_cents::text as sent_total, sent.daily_budget_cents::text as sent_daily
    from line_items item join campaigns campaign on campaign.id = item.campaign_id
    join accounts publisher on publisher.id = item.publisher_id
    join campaign_versions sent on sent.campaign_id = item.campaign_id and sent.number = item.sent_version
    left join campaign_versions approved on approved.campaign_id = item.campaign_id and approved.number = item.approved_version
    where item.campaign_id = any(${`{${ids.join(",")}}`}::text::uuid[]) and ${owner} order by item.id`;
}
