import { sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import type { ReadCtx, TenantActor } from "../context.ts";
import type { AnalyticsFilters } from "./analytics.ts";

const options = z.array(z.object({ value: z.string(), label: z.string() }));
const optionsRow = z.object({ campaigns: options, audiences: options, categories: options });
export type FilterOptions = z.output<typeof optionsRow>;

/** The maximum number of options per filter: the newest ones. Links lead to others. */
const maxResults = 200;
const maxScannedItems = 2_000;

/**
 * Lists the options that the account can filter by: everything that was ever sent to publishers, without archived
 * campaigns, whose pages lead to their figures. Always includes the current filters.
 */
export async function listFilterOptions(ctx: ReadCtx<TenantActor>, selected: AnalyticsFilters): Promise<FilterOptions> {
  const { kind, accountId } = ctx.actor;
  const items =
    kind === "publisher"
      ? sql`select id, campaign_id, campaign_name, coalesce(approved_version, sent_version) as version, archived_at from line_items where publisher_id = ${accountId} order by id desc limit ${maxScannedItems}`
      : sql`select item.id, item.campaign_id, campaign.name as campaign_name, coalesce(approved_version, sent_version) as version, campaign.archived_at
          from (select id, name, archived_at from campaigns where advertiser_id = ${accountId} and version > 0 order by id desc limit ${maxScannedItems}) campaign
          join line_items item on item.campaign_id = campaign.id`;
  const [row] = await queryRows(
    ctx.db,
    optionsRow,
    sql`
      with items as materialized (${items}),
      chosen_campaign as (${
        kind === "publisher"
          ? sql`select campaign_id, campaign_name from line_items where publisher_id = ${accountId} and campaign_id = ${selected.campaign ?? null}::uuid`
          : sql`select id, name from campaigns where advertiser_id = ${accountId} and id = ${selected.campaign ?? null}::uuid`
      }),
      campaign_options as (
        (select campaign_id as value, max(campaign_name) as label from items where archived_at is null group by 1 order by 1 desc limit ${maxResults}) union select * from chosen_campaign
      ),
      audience_options as (
        select audience.id as value, audience.name as label from audiences audience where audience.id in (
          (select part.audience_id from items join version_audiences part on part.campaign_id = items.campaign_id and part.version = items.version
           where ${kind === "publisher" ? sql`part.publisher_id = ${accountId}` : sql`true`} group by 1 order by 1 desc limit ${maxResults})
        ) or audience.id = ${selected.audience ?? null}::uuid and exists (
          select 1 from account_audience_days known where known.account_id = ${accountId} and known.audience_id = audience.id)
      ),
      category_options as (
        (select distinct version.product_category as value from items join campaign_versions version on version.campaign_id = items.campaign_id
          and version.number = items.version where version.product_category is not null order by 1 limit ${maxResults})
      )
      select (select coalesce(json_agg(one order by lower(label), value), '[]') from campaign_options one) as campaigns,
        (select coalesce(json_agg(one order by lower(label), value), '[]') from audience_options one) as audiences,
        (select coalesce(json_agg(json_build_object('value', value, 'label', value) order by lower(value)), '[]') from category_options) as categories`,
  );
  return row ?? { campaigns: [], audiences: [], categories: [] };
}
