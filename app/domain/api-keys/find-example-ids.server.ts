import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { isOffered } from "../audiences/offered-audiences.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { type ExampleIds, exampleKinds } from "./example-ids.ts";

const rowSchema = z.object(Object.fromEntries(exampleKinds.map((kind) => [kind, z.string().nullable().default(null)])));

/**
 * Returns the ids that the API's examples are made with: for each kind of object the account's newest, and for those
 * that an advertiser chooses or a publisher is offered the first. Kinds of which there is none are missing.
 */
export async function findExampleIds(ctx: Ctx<TenantActor>): Promise<ExampleIds> {
  const id = ctx.actor.accountId;
  const own = ctx.actor.kind === "advertiser" ? advertiserIds(ctx) : publisherIds(id);
  const columns = Object.entries({ ...sharedIds(id), ...own }).map(
    ([kind, one]) => sql`(${one}) as ${sql.identifier(kind)}`,
  );
  const [row = {}] = await queryRows(ctx.db, rowSchema, sql`select ${sql.join(columns, sql`, `)}`);
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

type IdQueries = Partial<Record<(typeof exampleKinds)[number], SQL>>;

function sharedIds(id: string): IdQueries {
  return {
    key: sql`select id from api_keys where account_id = ${id} and revoked_at is null order by created_at desc limit 1`,
    product: sql`select id from products where account_id = ${id} order by id desc limit 1`,
    creative: sql`select id from creatives where account_id = ${id} order by id desc limit 1`,
    import: sql`select id from product_imports where account_id = ${id} order by id desc limit 1`,
    store: sql`select id from product_stores where account_id = ${id} order by id desc limit 1`,
    webhook: sql`select id from webhooks where account_id = ${id} order by id desc limit 1`,
    delivery: sql`select delivery.id from webhooks join lateral (select id from webhook_deliveries
      where webhook_id = webhooks.id order by id desc limit 1) as delivery on true
      where account_id = ${id} order by webhooks.id desc limit 1`,
    report: sql`select id from saved_views where account_id = ${id} and user_id is null and mode = 'live' order by id desc limit 1`,
    payment_method: sql`select id from payment_methods where account_id = ${id} and token is not null order by id desc limit 1`,
  };
}

function advertiserIds(ctx: Ctx<TenantActor>): IdQueries {
  const id = ctx.actor.accountId;
  return {
    campaign: sql`select id from campaigns where advertiser_id = ${id} order by id desc limit 1`,
    audience: sql`select id from audiences where ${isOffered(ctx)} order by name, id limit 1`,
    invoice: sql`select id from invoices where advertiser_id = ${id} order by id desc limit 1`,
  };
}

function publisherIds(id: string): IdQueries {
  return {
    // Their order is that of the line items' ids, which the output column must not be named as.
    campaign: sql`select campaign_id from line_items where publisher_id = ${id} order by id desc limit 1`,
    review: sql`select campaign_id from line_items where publisher_id = ${id} and approval_status = 'pending' order by id desc limit 1`,
    audience: sql`select id from audiences where publisher_id = ${id} order by created_at desc limit 1`,
    upload: sql`select id from audience_uploads where publisher_id = ${id} order by id desc limit 1`,
    payout: sql`select id from payouts where publisher_id = ${id} order by id desc limit 1`,
    connection: sql`select integration as id from audience_connections where publisher_id = ${id} order by integration limit 1`,
    advertiser: sql`select id from accounts where allows_managed_campaigns and type = 'advertiser' and status = 'approved'
      order by company_name, id limit 1`,
  };
}
