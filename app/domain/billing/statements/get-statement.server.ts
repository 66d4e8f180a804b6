import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { accounts, ledgerTransactions } from "#db/schema/index.ts";
import { addMonths, type CalendarMonth, firstDayOf, firstInstantOf } from "../../calendar-month.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { asCents, type Cents } from "../../money.ts";
import { clampPageLimit, decodeCursor, invalidCursor, type PageRequest, toPage } from "../../page.ts";
import { inSnapshot } from "../../transaction.server.ts";
import { idFromEventKey, postedLineItemId } from "../ledger/posted-line-item.server.ts";

/**
 * Returns the statement of a month (UTC), in cents: the opening balance, each transaction, oldest first and in pages,
 * and the closing balance, or the current one. It is of all ledger accounts that the caller owns: an advertiser's
 * wallet less its debt, a publisher's payable earnings. Transactions that net to zero are left out. Spend and refunds
 * say to an advertiser at which publisher they were. The closing balance of a month is the opening balance of the next.
 */
export async function getStatement(ctx: Ctx<TenantActor>, input: PageRequest & { month: CalendarMonth }) {
  return inSnapshot(ctx, async (tx) => {
    const opening = await getOpeningBalance(tx, input.month);
    const closing = await getOpeningBalance(tx, addMonths(input.month, 1));
    const page = await listLines(tx, { ...input, limit: clampPageLimit(input) });
    return { month: input.month, opening, closing, ...page };
  });
}

/** The number of lines that an export reads at a time. */
const exportedLines = 2_000;

/** Yields all lines of a month's statement, oldest first, 2,000 at a time. */
export async function* streamStatementLines(ctx: Ctx<TenantActor>, month: CalendarMonth) {
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
    const page = await listLines(ctx, { month, cursor, limit: exportedLines });
    yield page.rows;
    cursor = page.nextCursor ?? undefined;
  }
}

const balanceRow = z.object({ cents: z.string() });

/** Returns the balance at the beginning of a month, in cents, which is the closing balance of the month before. */
export async function getOpeningBalance(ctx: Ctx<TenantActor>, month: CalendarMonth): Promise<Cents> {
  const [row] = await queryRows(
    ctx.db,
    balanceRow,
    // A balance that we owe is a credit in the ledger, so its sign is inverted.
    sql`
      select coalesce(-sum((select sum(kept.amount_cents) from ledger_account_months kept where kept.account_id = account.id and kept.month < ${firstDayOf(month)}::date)), 0)::text as cents
      from ledger_accounts account where account.owner_id = ${ctx.actor.accountId}`,
  );
  return asCents(Number(row?.cents ?? 0) || 0);
}

const statementList = "statement_lines";

/** Decodes a cursor. Throws for a cursor of another list. */
function readStatementCursor(cursor: string) {
  const position = decodeCursor(cursor, statementList);
  if (position.value === null || !/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(position.value)) throw invalidCursor();
  if (Number.isNaN(Date.parse(position.value))) throw invalidCursor();
  return position;
}

const lineRow = z.object({
  id: columnValue(ledgerTransactions.id),
  event: columnValue(ledgerTransactions.event),
  at: z.string(),
  description: z.string().nullable(),
  publisherName: columnValue(accounts.companyName).nullable(),
  adjusts: columnValue(ledgerTransactions.adjustsMonth).nullable(),
  cents: z.string(),
});

type LinesRequest = { month: CalendarMonth; limit: number; cursor?: string | undefined };

async function listLines(ctx: Ctx<TenantActor>, { limit, ...input }: LinesRequest) {
  const [from, until] = [firstInstantOf(input.month), firstInstantOf(addMonths(input.month, 1))];
  const position = input.cursor ? readStatementCursor(input.cursor) : undefined;
  const isBackward = position?.direction === "before";
  const direction = sql.raw(isBackward ? "desc" : "asc");
  const cursorKey = position && sql`(${position.value}::timestamptz, ${position.id}::uuid)`;
  const rows = await queryRows(
    ctx.db,
    lineRow,
    sql`
      select line.transaction_id as id, posted.event, to_char(line.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, line.amount_cents::text as cents, ${descriptionFor(ctx)} as description, ${publisherFor(ctx)} as "publisherName", posted.adjusts_month::text as adjusts
      from (
        select transaction_id, posted_at, amount_cents from statement_lines
        where owner_id = ${ctx.actor.accountId} and posted_at >= ${from.toISOString()}::timestamptz and posted_at < ${until.toISOString()}::timestamptz and amount_cents <> 0
          ${cursorKey ? sql`and (posted_at, transaction_id) ${sql.raw(isBackward ? "<" : ">")} ${cursorKey}` : sql``}
        order by posted_at ${direction}, transaction_id ${direction} limit ${limit + 1}
      ) line cross join lateral (select * from ledger_transactions where id = line.transaction_id offset 0) posted
      order by line.posted_at ${direction}, line.transaction_id ${direction}`,
  );
  const page = toPage(rows, { list: statementList, limit, position, cursorKey: ({ at, id }) => ({ value: at, id }) });
  return {
    ...page,
    rows: page.rows.map(({ at, adjusts, cents, ...line }) => {
      return { ...line, at: new Date(at), adjustsMonth: adjusts, amount: asCents(Number(cents)) };
    }),
  };
}

export type StatementLine = Awaited<ReturnType<typeof getStatement>>["rows"][number];

/**
 * Returns the description of a line: that of the account's transaction, or the campaign, refund or payout that the
 * event key names; null when there is none.
 */
function descriptionFor({ actor }: Ctx<TenantActor>): SQL {
  return sql`case when posted.event = 'campaign_spend' then (select item.campaign_name from line_items item where item.id = ${idFromEventKey})
    when posted.event = 'refund' then (select item.campaign_name || case when given.revision is null then '' else ': spend restated' end
      from refunds given join line_items item on item.id = given.line_item_id where given.id = ${idFromEventKey})
    when posted.event like 'payout_%' then (select payout.bank || ' ending ' || payout.last_four from payouts payout where payout.id = ${idFromEventKey} and payout.publisher_id = ${actor.accountId})
    else (select line.description from transactions line where line.ledger_transaction_id = posted.id and line.account_id = ${actor.accountId}) end`;
}

/**
 * Returns the name of the publisher of an advertiser's spend or refund. A publisher's lines are with the platform
 * alone.
 */
function publisherFor({ actor }: Ctx<TenantActor>): SQL {
  if (actor.kind === "publisher") return sql`null`;
  return sql`(select publisher.company_name from line_items item join accounts publisher on publisher.id = item.publisher_id where item.id = ${postedLineItemId})`;
}
