import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { ledgerTransactions } from "#db/schema/index.ts";
import { addMonths, type CalendarMonth, firstInstantOf } from "../../calendar-month.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { type Cents, toCents } from "../../money.ts";
import { limitOf, type PageRequest, pageOf, readCursor, unknownPage } from "../../page.ts";
import type { OwnedLedgerAccountKind } from "../ledger/ledger.ts";

/** Where an account stands with us: what an advertiser put in less what it owes, what a publisher is owed. */
const statementAccounts: Record<TenantActor["kind"], readonly OwnedLedgerAccountKind[]> = {
  advertiser: ["advertiser_wallet", "advertiser_receivable"],
  publisher: ["publisher_payable"],
};

/** A balance is ours to give back, so a credit: as the account reads it, its sign is turned round. */
const turned = sql.raw("coalesce(-sum(entry.amount_cents), 0)::text");

/**
 * What the books say of a month (UTC), in cents: where it began, each thing that moved it, oldest first and in pages, and where
 * it ended, or stands now. What moved nothing is left out. The closing of a month is the opening of the next.
 */
export async function getStatement(ctx: Ctx<TenantActor>, input: PageRequest & { month: CalendarMonth }) {
  const [from, until] = [firstInstantOf(input.month), firstInstantOf(addMonths(input.month, 1))];
  const [opening, closing, page] = [
    await balanceBefore(ctx, from),
    await balanceBefore(ctx, until),
    await listLines(ctx, { ...input, from, until }),
  ];
  return { month: input.month, opening, closing, ...page };
}

const balanceRow = z.object({ cents: z.string() });

async function balanceBefore(ctx: Ctx<TenantActor>, instant: Date): Promise<Cents> {
  const [row] = await queryRows(
    ctx.db,
    balanceRow,
    sql`
      select ${turned} as cents ${entriesOf(ctx)} and posted.posted_at < ${instant.toISOString()}::timestamptz`,
  );
  return toCents(Number(row?.cents ?? 0) || 0);
}

/** A cursor of another list is none of this one. */
function readPlace(cursor: string) {
  const position = readCursor(cursor);
  if (position.value === null || !/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(position.value)) throw unknownPage();
  if (Number.isNaN(Date.parse(position.value))) throw unknownPage();
  return position;
}

const lineRow = z.object({
  id: columnValue(ledgerTransactions.id),
  event: columnValue(ledgerTransactions.event),
  at: z.string(),
  description: z.string().nullable(),
  cents: z.string(),
});

async function listLines(ctx: Ctx<TenantActor>, input: PageRequest & { from: Date; until: Date }) {
  const limit = limitOf(input);
  const position = input.cursor ? readPlace(input.cursor) : undefined;
  const back = position?.direction === "before";
  const place = position && sql`(${position.value}::timestamptz, ${position.id}::uuid)`;
  const rows = await queryRows(
    ctx.db,
    lineRow,
    sql`
      select posted.id, posted.event, to_char(posted.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, ${turned} as cents, ${descriptionFor(ctx)} as description
      ${entriesOf(ctx)} and posted.posted_at >= ${input.from.toISOString()}::timestamptz and posted.posted_at < ${input.until.toISOString()}::timestamptz
        ${place ? sql`and (posted.posted_at, posted.id) ${sql.raw(back ? "<" : ">")} ${place}` : sql``}
      group by posted.id having sum(entry.amount_cents) <> 0
      order by posted.posted_at ${sql.raw(back ? "desc" : "asc")}, posted.id ${sql.raw(back ? "desc" : "asc")} limit ${limit + 1}`,
  );
  const page = pageOf(rows, { limit, position, place: ({ at, id }) => ({ value: at, id }) });
  return {
    ...page,
    rows: page.rows.map(({ id, event, at, description, cents }) => {
      return { id, event, at: new Date(at), description, amount: toCents(Number(cents)) };
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

/** What the account's own line says, or the campaign or payout that the event's key names; null where that is all there is to say. */
function descriptionFor({ actor }: Ctx<TenantActor>): SQL {
  const named = sql.raw("split_part(posted.event_key, '/', 2)::uuid");
  return sql`case when posted.event = 'campaign_spend' then (select item.campaign_name from line_items item where item.id = ${named})
    when posted.event like 'payout_%' then (select payout.bank || ' ending ' || payout.last_four from payouts payout where payout.id = ${named} and payout.publisher_id = ${actor.accountId})
    else (select told.description from transactions told where told.ledger_transaction_id = posted.id and told.account_id = ${actor.accountId}) end`;
}
