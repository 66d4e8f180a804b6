import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { ledgerTransactions } from "#db/schema/index.ts";
import { addMonths, type CalendarMonth, firstInstantOf } from "../../calendar-month.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { asCents, type Cents } from "../../money.ts";
import { clampPageLimit, decodeCursor, invalidCursor, type PageRequest, toPage } from "../../page.ts";
import { inSnapshot } from "../../transaction.server.ts";
import type { OwnedLedgerAccountKind } from "../ledger/ledger.ts";

/** The ledger accounts of a statement: an advertiser's wallet less its debt, a publisher's payable earnings. */
const statementAccounts: Record<TenantActor["kind"], readonly OwnedLedgerAccountKind[]> = {
  advertiser: ["advertiser_wallet", "advertiser_receivable"],
  publisher: ["publisher_payable"],
};

/** The sum with its sign inverted: a balance that we owe is a credit in the ledger. */
const negatedSum = sql.raw("coalesce(-sum(entry.amount_cents), 0)::text");

/**
 * Returns the statement of a month (UTC), in cents: the opening balance, each transaction, oldest first and in pages,
 * and the closing balance, or the current one. Transactions that net to zero are left out. The closing balance of a
 * month is the opening balance of the next.
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

/**
 * Yields all lines of a month's statement, oldest first, 2,000 at a time: each time all entries of the account are read,
 * so that pages as a screen has them would make an export of many lines slow.
 */
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
  const instant = firstInstantOf(month);
  const [row] = await queryRows(
    ctx.db,
    balanceRow,
    sql`
      select ${negatedSum} as cents ${entriesOf(ctx)} and posted.posted_at < ${instant.toISOString()}::timestamptz`,
  );
  return asCents(Number(row?.cents ?? 0) || 0);
}

/** Decodes a cursor. Throws for a cursor of another list. */
function readStatementCursor(cursor: string) {
  const position = decodeCursor(cursor);
  if (position.value === null || !/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(position.value)) throw invalidCursor();
  if (Number.isNaN(Date.parse(position.value))) throw invalidCursor();
  return position;
}

const lineRow = z.object({
  id: columnValue(ledgerTransactions.id),
  event: columnValue(ledgerTransactions.event),
  at: z.string(),
  description: z.string().nullable(),
  adjusts: columnValue(ledgerTransactions.adjustsMonth).nullable(),
  cents: z.string(),
});

type LinesRequest = { month: CalendarMonth; limit: number; cursor?: string | undefined };

async function listLines(ctx: Ctx<TenantActor>, { limit, ...input }: LinesRequest) {
  const [from, until] = [firstInstantOf(input.month), firstInstantOf(addMonths(input.month, 1))];
  const position = input.cursor ? readStatementCursor(input.cursor) : undefined;
  const isBackward = position?.direction === "before";
  const cursorKey = position && sql`(${position.value}::timestamptz, ${position.id}::uuid)`;
  const rows = await queryRows(
    ctx.db,
    lineRow,
    sql`
      select posted.id, posted.event, to_char(posted.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, ${negatedSum} as cents, ${descriptionFor(ctx)} as description, posted.adjusts_month::text as adjusts
      ${entriesOf(ctx)} and posted.posted_at >= ${from.toISOString()}::timestamptz and posted.posted_at < ${until.toISOString()}::timestamptz
        ${cursorKey ? sql`and (posted.posted_at, posted.id) ${sql.raw(isBackward ? "<" : ">")} ${cursorKey}` : sql``}
      group by posted.id having sum(entry.amount_cents) <> 0
      order by posted.posted_at ${sql.raw(isBackward ? "desc" : "asc")}, posted.id ${sql.raw(isBackward ? "desc" : "asc")} limit ${limit + 1}`,
  );
  const page = toPage(rows, { limit, position, cursorKey: ({ at, id }) => ({ value: at, id }) });
  return {
    ...page,
    rows: page.rows.map(({ id, event, at, description, adjusts, cents }) => {
      return { id, event, at: new Date(at), description, adjustsMonth: adjusts, amount: asCents(Number(cents)) };
    }),
  };
}

export type StatementLine = Awaited<ReturnType<typeof getStatement>>["rows"][number];

function entriesOf({ actor }: Ctx<TenantActor>): SQL {
  const kinds = sql.raw(statementAccounts[actor.kind].map((kind) => `'${kind}'`).join(", "));
  return sql`
    from ledger_accounts account join ledger_entries entry on entry.account_id = account.id join ledger_transactions posted on posted.id = entry.transaction_id
    where account.owner_id = ${actor.accountId} and account.kind in (${kinds})`;
}

/**
 * Returns the description of a line: that of the account's transaction, or the campaign or payout that the event key
 * names; null when there is none.
 */
function descriptionFor({ actor }: Ctx<TenantActor>): SQL {
  const idFromEventKey = sql.raw("split_part(posted.event_key, '/', 2)::uuid");
  return sql`case when posted.event = 'campaign_spend' then (select item.campaign_name from line_items item where item.id = ${idFromEventKey})
    when posted.event like 'payout_%' then (select payout.bank || ' ending ' || payout.last_four from payouts payout where payout.id = ${idFromEventKey} and payout.publisher_id = ${actor.accountId})
    else (select line.description from transactions line where line.ledger_transaction_id = posted.id and line.account_id = ${actor.accountId}) end`;
}
