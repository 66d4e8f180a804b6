import type { Sql } from "postgres";

/** The rows of each list of an account that has many. */
export const manyRows = 10_000;

/**
 * Gives two accounts many rows with long names and large amounts: the advertiser campaigns that wait for the
 * publisher's review, and both products. The accounts are named by a person's email address. Needs the database's
 * owner.
 */
export async function insertManyRows(sql: Sql, of: { advertiser: string; publisher: string }): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`create temp table many_owners on commit drop as select
      (select account_id from users where email = ${of.advertiser}) as advertiser_id,
      (select account_id from users where email = ${of.publisher}) as publisher_id`;
    await tx`create temp table many_campaigns on commit drop as select n, uuidv7() as id,
      'Zusammengehörigkeitsgefühl for the extraordinarily long autumn catalog ' || n as name from generate_series(1, ${manyRows}::int) n`;
    const content = tx`'traffic', 'display', 'https://shop.example/', array['us'], 'dsp', array['dv360'], 99999999999, 9999999999, current_date + 1, current_date + 365`;
    await tx`insert into campaigns (id, advertiser_id, name, status, version, launched_at, objective, ad_format, landing_url, geolocations, channel_type, channels, total_budget_cents, daily_budget_cents, start_date, end_date)
      select id, advertiser_id, name, 'pending', 1, now(), ${content} from many_campaigns, many_owners`;
    await tx`insert into campaign_versions (campaign_id, number, sent_at, objective, ad_format, landing_url, geolocations, channel_type, channels, total_budget_cents, daily_budget_cents, start_date, end_date)
      select id, 1, now(), ${content} from many_campaigns`;
    await tx`insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, commission_rate_bps, sent_at)
      select uuidv7(), id, publisher_id, name, 'Ten Thousand & Co', 1, 7000, now() from many_campaigns, many_owners`;
    await tx`insert into products (id, account_id, name, sku, category, price_cents, inventory)
      select uuidv7(), owner, 'Donaudampfschifffahrtskapitänsmütze in a size for everybody ' || n, 'DDSK-' || n, 'Category ' || n % 40, 100000 + n, n % 20
      from generate_series(1, ${manyRows}::int) n, (select unnest(array[advertiser_id, publisher_id]) from many_owners) as owners (owner)`;
  });
  await sql`analyze campaigns, campaign_versions, line_items, products`;
}
