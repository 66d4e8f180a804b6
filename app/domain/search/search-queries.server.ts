import { and, desc, eq, inArray, ne, or, type SQL, sql } from "drizzle-orm";
import { searchKey } from "#db/columns.ts";
import { accounts, audiences, campaigns, creatives, invoices, lineItems, payouts, products } from "#db/schema/index.ts";
import { isOffered } from "../audiences/offered-audiences.server.ts";
import { parseInvoiceNumber } from "../billing/invoices/invoice.ts";
import { type CalendarMonth, firstDayOf } from "../calendar-month.ts";
import type { AdvertiserActor, Ctx, PublisherActor, TenantActor } from "../context.ts";
import { nameContains, nameMatches } from "./name-matches.server.ts";

/** What is searched for: a text, the id that it is, and the months that it names. `limit` is for each group. */
export type SearchInput = { q: string; id: string | undefined; months: readonly CalendarMonth[]; limit: number };

/** A group's query, of the columns `kind`, `id`, `title` and `facts`; undefined if the text cannot match. */
type GroupQuery = SQL | undefined;

/** Returns the one statement of a search: the groups of the actor's side. */
export function searchQuery(ctx: Ctx<TenantActor>, input: SearchInput): SQL {
  const { actor } = ctx;
  const groups =
    actor.kind === "advertiser"
      ? advertiserQueries({ ...ctx, actor }, input)
      : publisherQueries({ ...ctx, actor }, input);
  return sql.join(
    groups.filter((group) => group !== undefined),
    sql` union all `,
  );
}

function advertiserQueries(ctx: Ctx<AdvertiserActor>, input: SearchInput): GroupQuery[] {
  return [
    campaignsQuery(ctx, input),
    offeredAudiencesQuery(ctx, input),
    productsQuery(ctx, input),
    creativesQuery(ctx, input),
    invoicesQuery(ctx, input),
  ];
}

function publisherQueries(ctx: Ctx<PublisherActor>, input: SearchInput): GroupQuery[] {
  return [
    lineItemsQuery(ctx, input),
    ownAudiencesQuery(ctx, input),
    productsQuery(ctx, input),
    creativesQuery(ctx, input),
    payoutsQuery(ctx, input),
  ];
}

function campaignsQuery(ctx: Ctx<AdvertiserActor>, { q, id, limit }: SearchInput): GroupQuery {
  const columns = sql`'campaign' as kind, ${campaigns.id} as id, ${campaigns.name} as title,
    json_build_object('status', ${campaigns.status}, 'isArchived', ${campaigns.archivedAt} is not null) as facts`;
  const visible = eq(campaigns.advertiserId, ctx.actor.accountId);
  if (id) return sql`(select ${columns} from ${campaigns} where ${visible} and ${campaigns.id} = ${id}::uuid)`;
  const names = { searched: sql`${campaigns.name}`, key: searchKey(campaigns.name) };
  return nameMatches({ table: campaigns, id: campaigns.id, columns, visible, ...names }, q, limit);
}

/** A publisher's campaigns by the name that its list shows: only those that were sent to it. */
function lineItemsQuery(ctx: Ctx<PublisherActor>, { q, id, limit }: SearchInput): GroupQuery {
  const columns = sql`'line_item' as kind, ${lineItems.campaignId} as id, ${lineItems.campaignName} as title,
    json_build_object('advertiserName', ${lineItems.advertiserName}, 'approvalStatus', ${lineItems.approvalStatus},
      'status', ${lineItems.status}, 'isArchived', ${lineItems.archivedAt} is not null) as facts`;
  const visible = eq(lineItems.publisherId, ctx.actor.accountId);
  if (id) {
    return sql`(select ${columns} from ${lineItems}
      where ${visible} and (${lineItems.campaignId} = ${id}::uuid or ${lineItems.id} = ${id}::uuid))`;
  }
  const names = { searched: sql`${lineItems.campaignName}`, key: searchKey(lineItems.campaignName) };
  return nameMatches({ table: lineItems, id: lineItems.id, columns, visible, ...names }, q, limit);
}

/** The audiences that every advertiser may select, without their sizes. */
function offeredAudiencesQuery(ctx: Ctx<AdvertiserActor>, { q, id, limit }: SearchInput): GroupQuery {
  const columns = sql`'audience' as kind, ${audiences.id} as id, ${audiences.name} as title,
    json_build_object('segment', ${audiences.segment}, 'publisherName',
      (select ${accounts.companyName} from ${accounts} where ${accounts.id} = ${audiences.publisherId})) as facts`;
  const visible = isOffered(ctx);
  if (id) return sql`(select ${columns} from ${audiences} where ${visible} and ${audiences.id} = ${id}::uuid)`;
  const names = { searched: sql`${audiences.name}`, key: searchKey(audiences.name) };
  return nameMatches({ table: audiences, id: audiences.id, columns, visible, ...names }, q, limit);
}

/** Compared one by one: a publisher has few audiences. */
function ownAudiencesQuery(ctx: Ctx<PublisherActor>, { q, id, limit }: SearchInput): GroupQuery {
  const matches = id ? eq(audiences.id, sql`${id}::uuid`) : nameContains(audiences.name, q);
  const visible = and(eq(audiences.publisherId, ctx.actor.accountId), ne(audiences.status, "archived"));
  return sql`(select 'audience' as kind, ${audiences.id} as id, ${audiences.name} as title,
      json_build_object('segment', ${audiences.segment}, 'publisherName', null) as facts
    from ${audiences} where ${visible} and ${matches} order by ${audiences.name}, ${audiences.id} limit ${limit})`;
}

/** A whole SKU comes before names. */
function productsQuery(ctx: Ctx<TenantActor>, { q, id, limit }: SearchInput): GroupQuery {
  const columns = sql`'product' as kind, ${products.id} as id, ${products.name} as title,
    json_build_object('sku', ${products.sku}, 'category', ${products.category}) as facts`;
  const visible = eq(products.accountId, ctx.actor.accountId);
  if (id) return sql`(select ${columns} from ${products} where ${visible} and ${products.id} = ${id}::uuid)`;
  // The same expression as in the index, so that the index is used.
  const names = {
    searched: sql`(${products.name} || E'\n' || ${products.sku})`,
    key: searchKey(products.name),
  };
  const matching = nameMatches({ table: products, id: products.id, columns, visible, ...names }, q, limit);
  const skus = inArray(products.sku, [q, q.toUpperCase(), q.toLowerCase()]);
  return sql`((select ${columns} from ${products} where ${visible} and ${skus}) union all ${matching})`;
}

/** Compared one by one: an account has at most 10,000 creatives, which its index selects. */
function creativesQuery(ctx: Ctx<TenantActor>, { q, id, limit }: SearchInput): GroupQuery {
  const matches = id ? eq(creatives.id, sql`${id}::uuid`) : nameContains(creatives.name, q);
  const visible = eq(creatives.accountId, ctx.actor.accountId);
  return sql`(select 'creative' as kind, ${creatives.id} as id, ${creatives.name} as title,
      json_build_object('type', ${creatives.type}, 'width', ${creatives.width}, 'height', ${creatives.height}) as facts
    from ${creatives} where ${visible} and ${matches} order by ${desc(creatives.id)} limit ${limit})`;
}

/** An advertiser has one invoice a month. `INV` alone finds the newest. */
function invoicesQuery(ctx: Ctx<AdvertiserActor>, { q, id, months, limit }: SearchInput): GroupQuery {
  const number = parseInvoiceNumber(q);
  const matches = or(
    id ? eq(invoices.id, sql`${id}::uuid`) : undefined,
    number === undefined ? undefined : eq(invoices.number, number),
    months.length > 0 ? inArray(invoices.month, months.map(firstDayOf)) : undefined,
    /^inv-?0*$/i.test(q) ? sql`true` : undefined,
  );
  const visible = eq(invoices.advertiserId, ctx.actor.accountId);
  return (
    matches &&
    sql`(select 'invoice' as kind, ${invoices.id} as id, ${invoices.number}::text as title,
        json_build_object('month', ${invoices.month}, 'amount', ${invoices.amountCents},
          'open', ${invoices.openCents}, 'dueOn', ${invoices.dueOn}) as facts
      from ${invoices} where ${visible} and ${matches} order by ${desc(invoices.id)} limit ${limit})`
  );
}

/** A publisher's payouts by the month that they were created in. */
function payoutsQuery(ctx: Ctx<PublisherActor>, { q, id, months, limit }: SearchInput): GroupQuery {
  const month = sql`to_char(${payouts.createdAt} at time zone 'UTC', 'YYYY-MM')`;
  const matches = or(
    id ? eq(payouts.id, sql`${id}::uuid`) : undefined,
    months.length > 0 ? inArray(month, [...months]) : undefined,
    /^payouts?$/i.test(q) ? sql`true` : undefined,
  );
  const visible = eq(payouts.publisherId, ctx.actor.accountId);
  return (
    matches &&
    sql`(select 'payout' as kind, ${payouts.id} as id, '' as title,
        json_build_object('status', ${payouts.status}, 'amount', ${payouts.amountCents},
          'createdAt', ${payouts.createdAt}) as facts
      from ${payouts} where ${visible} and ${matches} order by ${desc(payouts.id)} limit ${limit})`
  );
}
