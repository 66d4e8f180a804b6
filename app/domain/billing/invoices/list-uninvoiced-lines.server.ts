import { sql } from "drizzle-orm";
import { z } from "zod";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { displayCampaignName } from "#app/domain/campaigns/campaign.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { AccountId, CampaignId } from "#app/domain/ids.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { campaigns, invoiceLines } from "#db/schema/index.ts";
import { withAdjustment } from "../adjustment.ts";
import { postedLineItemId } from "../ledger/posted-line-item.server.ts";

/**
 * What a line that names no campaign is for: credits of earlier invoices, bank transfers of a closed account, reversed
 * payments, or payments from the wallet.
 */
const balanceKinds = ["credited", "repaid", "reversed", "wallet"] as const;
type BalanceKind = (typeof balanceKinds)[number];

const lineRow = z.object({
  campaign_id: columnValue(campaigns.id).nullable(),
  name: columnValue(campaigns.name).nullable(),
  adjusts: columnValue(invoiceLines.adjustsMonth).nullable(),
  kind: z.enum(balanceKinds),
  cents: z.string(),
});
/** A line of the next invoice. */
export type UninvoicedLine = {
  campaignId: CampaignId | null;
  /** The first day of the closed month that the line adjusts. */
  adjustsMonth: CalendarDate | null;
  description: string;
  amountCents: number;
};

/**
 * Lists what an advertiser owes as of an instant and has on no invoice, in cents: for each campaign its spend less
 * refunds, and apart from it the adjustments of each closed month; then what was credited to earlier invoices, which
 * the campaigns' lines and the payments include; what a closed account repaid; reversed payments that paid no invoice;
 * and the wallet's payments. The sum may be zero or negative.
 */
export async function listUninvoicedLines(
  ctx: Ctx<JobActor>,
  { advertiserId, until }: { advertiserId: AccountId; until: Date },
): Promise<UninvoicedLine[]> {
  const before = sql`< ${until.toISOString()}::timestamptz`;
  // What the invoice before included is in "wallet" and is subtracted there, because its lines do not have a kind.
  const isNew = (at: string) =>
    sql`${sql.raw(at)} >= (select coalesce((max(month) + interval '1 month') at time zone 'UTC', '-infinity') from invoices where advertiser_id = ${advertiserId})`;
  const rows = await queryRows(
    ctx.db,
    lineRow,
    sql`
      select said.campaign_id, campaign.name, said.adjusts::text as adjusts, said.kind, sum(said.cents)::text as cents from (
        select item.campaign_id, posted.adjusts_month as adjusts, case when posted.event in ('payment_reversed', 'payment_reinstated') and ${isNew("posted.posted_at")} then 'reversed'
            when posted.event in ('repayment', 'repayment_reversed') and ${isNew("posted.posted_at")} then 'repaid' else 'wallet' end as kind, entry.amount_cents as cents
        from ledger_accounts debt join ledger_entries entry on entry.account_id = debt.id join ledger_transactions posted on posted.id = entry.transaction_id
        left join line_items item on item.id = ${postedLineItemId}
        where debt.owner_id = ${advertiserId} and debt.kind = 'advertiser_receivable' and posted.event <> 'invoice_paid' and posted.posted_at ${before}
        union all select null, null, case when ${isNew("credit.created_at")} then 'credited' else 'wallet' end, credit.amount_cents from invoice_credits credit join invoices invoice on invoice.id = credit.invoice_id
          where invoice.advertiser_id = ${advertiserId} and credit.created_at ${before}
        union all select null, null, case when ${isNew("reversal.created_at")} then 'reversed' else 'wallet' end, -reversal.reopened_cents
          from payment_reversals reversal where reversal.account_id = ${advertiserId} and reversal.created_at ${before}
        union all select line.campaign_id, line.adjusts_month, 'wallet', -line.amount_cents from invoice_lines line join invoices invoice on invoice.id = line.invoice_id
          where invoice.advertiser_id = ${advertiserId}
      ) said left join campaigns campaign on campaign.id = said.campaign_id
      group by said.campaign_id, campaign.name, said.adjusts, said.kind having sum(said.cents) <> 0
      order by campaign.name nulls last, said.campaign_id, said.adjusts nulls first, said.kind`,
  );
  return rows.map(({ campaign_id, name, adjusts, kind, cents }) => ({
    campaignId: campaign_id,
    adjustsMonth: adjusts,
    description: campaign_id
      ? withAdjustment(displayCampaignName(name ?? ""), adjusts)
      : describeBalanceLine(kind, Number(cents)),
    amountCents: Number(cents),
  }));
}

function describeBalanceLine(kind: BalanceKind, cents: number): string {
  if (kind === "credited") return "Already credited to earlier invoices";
  if (kind === "repaid") return cents < 0 ? "Paid by bank transfer" : "Reversed bank transfer";
  if (kind === "reversed") return cents > 0 ? "Reversed payments" : "Reinstated payments";
  return "Paid from your wallet";
}
