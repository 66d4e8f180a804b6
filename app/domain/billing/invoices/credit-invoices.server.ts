import { sql } from "drizzle-orm";
import { pgArray } from "#db/query-rows.server.ts";
import type { Ctx } from "../../context.ts";
import type { AccountId } from "../../ids.ts";

/**
 * Credits the advertisers' open invoices, the oldest first, after their debt fell through a refund, a restatement or a
 * wallet payment. The credit first covers debt that is on no invoice yet, then these invoices. Call it within the
 * transaction that locked the receivable accounts, after its ledger entries. Payments of an invoice itself reduce it
 * before this call.
 */
export async function creditInvoices(ctx: Ctx, advertiserIds: readonly AccountId[]): Promise<void> {
  if (advertiserIds.length === 0) return;
  const at = sql`${ctx.clock().toISOString()}::timestamptz`;
  await ctx.db.execute(sql`
    with due as (
      select invoice.id, invoice.open_cents - greatest(0, least(invoice.open_cents, debt.balance_cents - coalesce(
        sum(invoice.open_cents) over (partition by invoice.advertiser_id order by invoice.number desc rows between unbounded preceding and 1 preceding), 0))) as cents
      from invoices invoice join ledger_accounts debt on debt.owner_id = invoice.advertiser_id and debt.kind = 'advertiser_receivable'
      where invoice.open_cents > 0 and invoice.advertiser_id = any(${pgArray(advertiserIds)}::uuid[])
    ), lessened as (
      update invoices set open_cents = invoices.open_cents - due.cents, paid_at = case when invoices.open_cents = due.cents then ${at} end
      from due where invoices.id = due.id and due.cents > 0 returning invoices.id, due.cents
    ) insert into invoice_credits (id, invoice_id, amount_cents, created_at) select gen_random_uuid(), id, cents, ${at} from lessened`);
}
