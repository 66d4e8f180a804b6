import { asc, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { accounts, invoiceLines, invoiceNumbers, invoiceRuns, invoices } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import { addMonths, type CalendarMonth, calendarMonthOf, firstDayOf, firstInstantOf } from "../../calendar-month.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { forEachAccount } from "../../for-each-account.ts";
import { type AccountId, type InvoiceId, newId } from "../../ids.ts";
import { invariant } from "../../invariant.ts";
import { asCents } from "../../money.ts";
import { readInParts } from "../../read-in-parts.ts";
import { inTransaction } from "../../transaction.server.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { creditInvoices } from "./credit-invoices.server.ts";
import { formatInvoiceNumber, invoiceDueDate } from "./invoice.ts";
import { listUninvoicedLines, type UninvoicedLine } from "./list-uninvoiced-lines.server.ts";

/** The number of advertisers that are read at once. */
const batchSize = 200;
/**
 * How long after the end of the month invoices are issued, in milliseconds, so that transactions of the month have
 * ended.
 */
const graceMs = 3_600_000;

/**
 * Issues the invoices of the last month (UTC): one for each advertiser that has or had a credit limit, or has earlier
 * invoices, and owes an amount that is on no invoice. Each invoice is issued once, even by concurrent processes, and an
 * interrupted run is resumed. An advertiser whose invoice fails keeps no other from theirs and is tried again in the
 * next run. Returns how many were issued.
 */
export async function issueInvoices(ctx: Ctx<JobActor>): Promise<number> {
  const month = addMonths(calendarMonthOf(new Date(ctx.clock().getTime() - graceMs)), -1);
  const [done] = await ctx.db
    .select()
    .from(invoiceRuns)
    .where(eq(invoiceRuns.month, firstDayOf(month)));
  if (done) return 0;
  const due = readInParts<AccountId>((after) => listDue(ctx, after));
  const issued = await forEachAccount(ctx, due, (id) => inTransaction(ctx, (tx) => issueOne(tx, { id, month })));
  // The next process continues.
  if (ctx.stopping?.aborted) return issued;
  await ctx.db
    .insert(invoiceRuns)
    .values({ month: firstDayOf(month), ranAt: ctx.clock() })
    .onConflictDoNothing();
  return issued;
}

async function listDue(ctx: Ctx<JobActor>, after: AccountId | undefined): Promise<AccountId[]> {
  const rows = await ctx.db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      sql`${after ? gt(accounts.id, after) : sql`true`} and ${accounts.type} = 'advertiser'
        and (${accounts.creditLimitCents} > 0 or ${accounts.hadCredit} or exists (select from ${invoices} where ${invoices.advertiserId} = ${accounts.id}))
        and exists (select from ledger_accounts debt where debt.owner_id = ${accounts.id} and debt.kind = 'advertiser_receivable')`,
    )
    .orderBy(asc(accounts.id))
    .limit(batchSize);
  return rows.map(({ id }) => id);
}

/**
 * Issues one advertiser's invoice. The receivable account is locked first, so that concurrent runs issue it once and no
 * payment is posted meanwhile.
 */
async function issueOne(ctx: Ctx<JobActor>, { id, month }: { id: AccountId; month: CalendarMonth }): Promise<boolean> {
  await lockLedgerAccounts(ctx, [{ account: "advertiser_receivable", ownerId: id }]);
  const until = firstInstantOf(addMonths(month, 1));
  const isIssued = sql`${invoices.advertiserId} = ${id} and ${invoices.month} >= ${firstDayOf(month)}::date`;
  if ((await ctx.db.$count(invoices, isIssued)) > 0) return false;
  const lines = await listUninvoicedLines(ctx, { advertiserId: id, until });
  const amount = asCents(lines.reduce((sum, line) => sum + line.amountCents, 0));
  if (amount <= 0) return false;
  const invoiceId = newId<InvoiceId>();
  const now = ctx.clock();
  const number = await nextInvoiceNumber(ctx, id);
  const due = invoiceDueDate(now);
  await ctx.db.insert(invoices).values({
    id: invoiceId,
    number,
    advertiserId: id,
    month: firstDayOf(month),
    amountCents: amount,
    openCents: amount,
    issuedAt: now,
    dueOn: due,
  });
  await insertLines(ctx, invoiceId, lines);
  await recordAudit(ctx, {
    action: "invoice.issued",
    entity: "invoice",
    entityId: invoiceId,
    accountId: id,
    after: { number: formatInvoiceNumber(number), amount: amount / 100, due_on: due },
    notificationFacts: { invoice: formatInvoiceNumber(number), day: due },
  });
  // Credits payments made since the end of the month.
  await creditInvoices(ctx, [id]);
  return true;
}

/**
 * Inserts the lines as one value: an invoice may have more of them than a statement has parameters for their columns.
 */
async function insertLines(ctx: Ctx<JobActor>, invoiceId: InvoiceId, lines: readonly UninvoicedLine[]): Promise<void> {
  const rows = lines.map(({ campaignId, description, amountCents, adjustsMonth }, at) => ({
    number: at + 1,
    campaign_id: campaignId,
    description,
    cents: amountCents,
    adjusts: adjustsMonth,
  }));
  await ctx.db.execute(sql`
    insert into ${invoiceLines} (invoice_id, number, campaign_id, description, amount_cents, adjusts_month)
    select ${invoiceId}::uuid, number, campaign_id, description, cents, adjusts
    from json_to_recordset(${JSON.stringify(rows)}::json) as line (number int, campaign_id uuid, description text, cents bigint, adjusts date)`);
}

const numberRow = z.object({ last: columnValue(invoiceNumbers.last) });

/**
 * Returns the next invoice number. The row stays locked until the transaction ends and rolls back with it, so that
 * numbers have no gaps.
 */
async function nextInvoiceNumber(ctx: Ctx<JobActor>, advertiserId: AccountId): Promise<number> {
  const [row] = await queryRows(
    ctx.db,
    numberRow,
    sql`
      insert into invoice_numbers (id, last) values (1, 1) on conflict (id) do update set last = invoice_numbers.last + 1 returning last`,
  );
  invariant(row, "invoice_numbers upsert returned no row", { advertiserId });
  return row.last;
}
