import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { isOffered } from "../audiences/offered-audiences.server.ts";
import { displayCampaignName } from "../campaigns/campaign.ts";
import type { ReadCtx, TenantActor } from "../context.ts";
import type { AccountId } from "../ids.ts";
import type { AnalyticsFilters } from "./analytics.ts";

const options = z.array(z.object({ value: z.string(), label: z.string() }));
const campaignOptions = options.transform((found) =>
  found.map(({ value, label }) => ({ value, label: displayCampaignName(label) })),
);
const optionsRow = z.object({ campaigns: campaignOptions, audiences: options, categories: options });
export type FilterOptions = z.output<typeof optionsRow>;

/** The maximum number of options per filter: the newest ones, or the first categories. Links lead to others. */
const maxResults = 200;
/** The number of newest campaigns among which those that are not archived are looked for. */
const maxScannedCampaigns = 2_000;

/**
 * Lists the options that the account can filter by: everything that was ever sent to publishers, without archived
 * campaigns, whose pages lead to their figures, and without an advertiser's audiences that delivered nothing and that
 * none of its newest 200 campaigns has. Always includes the current campaign, audience and category, so that the filter
 * shows what it does also where nothing was delivered: an audience is an own one, or one that advertisers can select.
 * The number of rows read does not grow with the number of campaigns.
 */
export async function listFilterOptions(ctx: ReadCtx<TenantActor>, selected: AnalyticsFilters): Promise<FilterOptions> {
  const { kind, accountId } = ctx.actor;
  const { campaigns, chosenCampaign, audienceIds } = (kind === "publisher" ? publisherSources : advertiserSources)(
    accountId,
    selected,
  );
  const owner = sql.raw(kind === "publisher" ? "publisher_id" : "advertiser_id");
  const categories = distinctValues(sql`line_item_categories`, {
    where: sql`${owner} = ${accountId}`,
    column: sql`category`,
    order: "ascending",
  });
  const [row] = await queryRows(
    ctx.db,
    optionsRow,
    sql`
      with campaign_options as (
        (select value, label from (${campaigns} order by id desc limit ${maxScannedCampaigns}) newest where archived_at is null order by id desc limit ${maxResults})
        union (${chosenCampaign})
      ),
      audience_options as (
        select id as value, name as label from audiences where id in (${audienceIds})
          or id = ${selected.audience ?? null}::uuid and (${kind === "publisher" ? sql`publisher_id = ${accountId}` : isOffered(ctx)} or exists (
            select 1 from account_audience_days known where known.account_id = ${accountId} and known.audience_id = audiences.id))
      ),
      category_options as (
        (select value from (${categories}) known where value <> '' limit ${maxResults})
        union select value from (values (${selected.category ?? null}::text)) chosen (value) where value is not null
      )
      select (select coalesce(json_agg(one order by lower(label), value), '[]') from campaign_options one) as campaigns,
        (select coalesce(json_agg(one order by lower(label), value), '[]') from audience_options one) as audiences,
        (select coalesce(json_agg(json_build_object('value', value, 'label', value) order by lower(value)), '[]') from category_options) as categories`,
  );
  return row ?? { campaigns: [], audiences: [], categories: [] };
}

/** `campaigns` has no order, and has columns `id`, `value`, `label` and `archived_at`. */
type Sources = { campaigns: SQL; chosenCampaign: SQL; audienceIds: SQL };

/**
 * A publisher's audiences are its own, which are few. Each is looked up as the first from itself on in the order of an
 * index: where most versions have one audience, PostgreSQL looks for any other in the whole table, in vain.
 */
function publisherSources(accountId: AccountId, { campaign }: AnalyticsFilters): Sources {
  const items = sql`from line_items where publisher_id = ${accountId}`;
  return {
    campaigns: sql`select id, campaign_id as value, campaign_name as label, archived_at ${items}`,
    chosenCampaign: sql`select campaign_id, campaign_name ${items} and campaign_id = ${campaign ?? null}::uuid`,
    audienceIds: sql`
      select own.id from audiences own
      cross join lateral (select audience_id from version_audiences where audience_id >= own.id order by audience_id limit 1) sent
      where own.publisher_id = ${accountId} and sent.audience_id = own.id order by own.id desc limit ${maxResults}`,
  };
}

function advertiserSources(accountId: AccountId, { campaign }: AnalyticsFilters): Sources {
  const sent = sql`from campaigns where advertiser_id = ${accountId} and version > 0`;
  const delivered = distinctValues(sql`account_audience_days`, {
    where: sql`account_id = ${accountId}`,
    column: sql`audience_id`,
    order: "descending",
  });
  return {
    campaigns: sql`select id, id as value, name as label, archived_at ${sent}`,
    chosenCampaign: sql`select id, name from campaigns where advertiser_id = ${accountId} and id = ${campaign ?? null}::uuid`,
    audienceIds: sql`
      (select value from (${delivered}) known limit ${maxResults})
      union select part.audience_id from (select id ${sent} order by id desc limit ${maxResults}) newest
        cross join lateral (select audience_id from version_audiences where campaign_id = newest.id offset 0) part
      order by 1 desc limit ${maxResults}`,
  };
}

/**
 * Selects the distinct values of a column in its order, each by one look-up in an index of the condition's columns and
 * this one. Whoever reads only some of the rows looks up no more.
 */
function distinctValues(
  table: SQL,
  { where, column, order }: { where: SQL; column: SQL; order: "ascending" | "descending" },
): SQL {
  const [direction, beyond] = order === "ascending" ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  return sql`
    with recursive found (value) as (
      select (select ${column} from ${table} where ${where} order by ${column} ${direction} limit 1)
      union all
      select (select ${column} from ${table} where ${where} and ${column} ${beyond} found.value order by ${column} ${direction} limit 1)
      from found where found.value is not null
    ) select value from found where value is not null`;
}
