import { and, asc, eq, getTableColumns, getTableName, inArray, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { AccountType } from "#app/domain/accounts/account.ts";
import type { Ctx, OperatorActor, TenantActor } from "#app/domain/context.ts";
import type { AccountId, UserId } from "#app/domain/ids.ts";
import { slicesOf } from "#app/domain/slices-of.ts";
import {
  accounts,
  apiKeys,
  audienceConnections,
  audiences,
  audienceUploads,
  audienceVersions,
  auditEntries,
  balanceReturns,
  campaigns,
  campaignVersions,
  creatives,
  decisions,
  erasures,
  invoices,
  lineItems,
  mailFeedback,
  mailSettings,
  mailSuppressions,
  mails,
  notifications,
  paymentMethods,
  payoutAccounts,
  payouts,
  productStores,
  products,
  repayments,
  reportRecipients,
  reportSchedules,
  savedViews,
  sessions,
  signInDevices,
  subscriptions,
  topUps,
  transactions,
  users,
  webhooks,
} from "#db/schema/index.ts";

/**
 * A part of the copy: rows of a table, without the columns that are secrets or keys of ours. `key` is what its rows are
 * read in the order of, the id by default.
 */
type Part = { table: PgTable; where: SQL | undefined; omit?: readonly string[]; key?: readonly PgColumn[] };

/** The rows that are read by one statement. */
const pageSize = 1_000;
/** The rows of a piece of text: each piece is sent by itself, which costs as much as to read some rows. */
const pieceSize = 50;

/**
 * Copies what is stored about a person and their account as JSON text, in pieces: an object with a list of rows for
 * each table. Secrets are left out, and so are the hashes of people in audiences, who are customers of the account.
 */
export async function* copyPersonalData(
  ctx: Ctx<TenantActor | OperatorActor>,
  { userId }: { userId: UserId },
): AsyncGenerator<string> {
  const [person] = await ctx.db.select({ accountId: users.accountId }).from(users).where(eq(users.id, userId));
  const accountId = "accountId" in ctx.actor ? ctx.actor.accountId : (person?.accountId ?? undefined);
  const [account] = accountId ? await ctx.db.select().from(accounts).where(eq(accounts.id, accountId)) : [];
  const parts = [...partsOfPerson(ctx, userId), ...(account ? partsOfAccount(ctx, account) : [])];
  yield `{"copied_at":${JSON.stringify(ctx.clock().toISOString())}`;
  for (const part of parts) {
    yield `,\n${JSON.stringify(getTableName(part.table))}:[`;
    let separator = "";
    for await (const rows of pagesOf(ctx, part)) {
      for (const slice of slicesOf(rows, pieceSize)) {
        const piece = slice.map((row) => `\n${JSON.stringify(row, toJson)}`);
        yield separator + piece.join(",");
        separator = ",";
      }
    }
    yield "]";
  }
  yield "}\n";
}

/** Micros are beyond what JSON's numbers hold exactly, so they are text. */
function toJson(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

function partsOfPerson(ctx: Ctx, userId: UserId): Part[] {
  const sent = ctx.db.select({ id: mails.id }).from(mails).where(eq(mails.userId, userId));
  return [
    { table: users, where: eq(users.id, userId) },
    { table: sessions, where: eq(sessions.userId, userId), omit: ["token_hash"] },
    { table: signInDevices, where: eq(signInDevices.userId, userId), omit: ["device_hash"] },
    { table: mailSettings, where: eq(mailSettings.userId, userId) },
    { table: mails, where: eq(mails.userId, userId) },
    { table: mailFeedback, where: inArray(mailFeedback.mailId, sent) },
    { table: mailSuppressions, where: eq(mailSuppressions.userId, userId) },
    { table: reportRecipients, where: eq(reportRecipients.userId, userId) },
    { table: erasures, where: eq(erasures.userId, userId) },
    { table: auditEntries, where: eq(auditEntries.actorUserId, userId) },
  ];
}

/** What a line item has that is the other side's alone: no screen, call or file of theirs says it. */
const othersOfLineItem: Record<AccountType, readonly string[]> = {
  advertiser: ["commission_rate_bps", "archived_at", "reminded_version"],
  publisher: ["revenue_micros"],
};

function partsOfAccount(ctx: Ctx, { id, type }: { id: AccountId; type: AccountType }): Part[] {
  const own = ctx.db.select({ id: campaigns.id }).from(campaigns).where(eq(campaigns.advertiserId, id));
  const items = ctx.db.select({ id: lineItems.id }).from(lineItems).where(eq(lineItems.publisherId, id));
  return [
    { table: accounts, where: eq(accounts.id, id) },
    { table: apiKeys, where: eq(apiKeys.accountId, id), omit: ["secret_hash"] },
    {
      table: webhooks,
      where: eq(webhooks.accountId, id),
      omit: ["secret", "previous_secret", "previous_secret_expires_at"],
    },
    { table: campaigns, where: eq(campaigns.advertiserId, id) },
    {
      table: campaignVersions,
      where: inArray(campaignVersions.campaignId, own),
      key: [campaignVersions.campaignId, campaignVersions.number],
    },
    {
      table: lineItems,
      where: or(eq(lineItems.publisherId, id), inArray(lineItems.campaignId, own)),
      omit: othersOfLineItem[type],
    },
    { table: decisions, where: inArray(decisions.lineItemId, items) },
    { table: audiences, where: eq(audiences.publisherId, id) },
    { table: audienceVersions, where: eq(audienceVersions.publisherId, id) },
    { table: audienceUploads, where: eq(audienceUploads.publisherId, id) },
    { table: audienceConnections, where: eq(audienceConnections.publisherId, id), omit: ["credential"] },
    { table: products, where: eq(products.accountId, id) },
    { table: productStores, where: eq(productStores.accountId, id), omit: ["credential"] },
    { table: creatives, where: eq(creatives.accountId, id) },
    { table: savedViews, where: eq(savedViews.accountId, id) },
    { table: reportSchedules, where: eq(reportSchedules.accountId, id) },
    { table: notifications, where: eq(notifications.accountId, id) },
    { table: subscriptions, where: eq(subscriptions.accountId, id) },
    { table: paymentMethods, where: eq(paymentMethods.accountId, id), omit: ["token", "fingerprint"] },
    { table: topUps, where: eq(topUps.accountId, id) },
    { table: transactions, where: eq(transactions.accountId, id) },
    { table: invoices, where: eq(invoices.advertiserId, id) },
    { table: payoutAccounts, where: eq(payoutAccounts.publisherId, id), omit: ["token"] },
    { table: payouts, where: eq(payouts.publisherId, id), omit: ["token"] },
    { table: repayments, where: or(eq(repayments.publisherId, id), eq(repayments.advertiserId, id)) },
    { table: balanceReturns, where: eq(balanceReturns.accountId, id) },
  ];
}

/** Reads a part page by page where the table has an id or another key is named, otherwise at once. */
async function* pagesOf(ctx: Ctx, { table, where, omit = [], key }: Part): AsyncGenerator<Record<string, unknown>[]> {
  const all = Object.entries(getTableColumns(table)).filter(([, column]) => !omit.includes(column.name));
  const columns: Record<string, PgColumn> = Object.fromEntries(all.map(([, column]) => [column.name, column]));
  const order = key ?? (columns.id ? [columns.id] : []);
  if (order.length === 0) {
    yield await ctx.db.select(columns).from(table).where(where);
    return;
  }
  const place = sql`(${sql.join([...order], sql`, `)})`;
  let last: Record<string, unknown> | undefined;
  do {
    const after =
      last &&
      sql`(${sql.join(
        order.map((column) => sql.param(last?.[column.name], column)),
        sql`, `,
      )})`;
    const page = await ctx.db
      .select(columns)
      .from(table)
      .where(after ? and(where, sql`${place} > ${after}`) : where)
      .orderBy(...order.map((column) => asc(column)))
      .limit(pageSize);
    yield page;
    last = page.length < pageSize ? undefined : page.at(-1);
  } while (last);
}
