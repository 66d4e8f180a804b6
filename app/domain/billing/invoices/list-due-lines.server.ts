import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { campaigns } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { AccountId, CampaignId } from "../../ids.ts";

const lineRow = z.object({
  campaign_id: columnValue(campaigns.id).nullable(),
  name: columnValue(campaigns.name).nullable(),
  cents: z.string(),
});
type DueLine = { campaignId: CampaignId | null; description: string; amountCents: number };

/**
 * What an advertiser came to owe until an instant and has on no invoice, in cents: by campaign its spend less what was given back, and
 * in one line what was paid from its wallet, but for what came off earlier invoices, and what of its payments was taken back that
 * paid none. The sum may be nothing, or below.
 */
export async function listDueLines(
  ctx: Ctx<JobActor>,
  { advertiserId, until }: { advertiserId: AccountId; until: Date },
): Promise<DueLine[]> {
  const before = sql`< ${until.toISOString()}::timestamptz`;
  const named = sql.raw("split_part(posted.event_key, '/', 2)::uuid");
  const rows = await queryRows(
    ctx.db,
    lineRow,
    sql`
      select said.campaign_id, campaign.name, sum(said.cents)::text as cents from (
        select item.campaign_id, entry.amount_cents as cents
        from ledger_accounts debt join ledger_entries entry on entry.account_id = debt.id join ledger_transactions posted on posted.id = entry.transaction_id
        left join line_items item on item.id = case posted.event when 'campaign_spend' then ${named}
          when 'refund' then (select given.line_item_id from refunds given where given.id = ${named}) end
        where debt.owner_id = ${advertiserId} and debt.kind = 'advertiser_receivable' and posted.event <> 'invoice_paid' and posted.posted_at ${before}
        union all select null, credit.amount_cents from invoice_credits credit join invoices invoice on invoice.id = credit.invoice_id
          where invoice.advertiser_id = ${advertiserId} and credit.created_at ${before}
        union all select null, -taken.reopened_cents from payments_taken_back taken where taken.account_id = ${advertiserId} and taken.created_at ${before}
        union all select line.campaign_id, -line.amount_cents from invoice_lines line join invoices invoice on invoice.id = line.invoice_id
          where invoice.advertiser_id = ${advertiserId}
      ) said left join campaigns campaign on campaign.id = said.campaign_id
      group by said.campaign_id, campaign.name having sum(said.cents) <> 0 order by campaign.name nulls last, said.campaign_id`,
  );
  return rows.map(({ campaign_id, name, cents }) => ({
    campaignId: campaign_id,
    description: campaign_id ? name || "Untitled campaign" : restWords(Number(cents)),
    amountCents: Number(cents),
  }));
}

function restWords(cents: number): string {
  return cents > 0
    ? "Payments that were taken back, less what your wallet paid"
    : "Paid from your wallet, and what was taken off before";
}
