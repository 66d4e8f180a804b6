import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, presentValue, queryRows } from "#db/query-rows.server.ts";
import { campaigns, campaignVersions, lineItemDays, lineItems } from "#db/schema/index.ts";
import { type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import { type DeliveryBounds, mayDeliver } from "../campaigns/may-deliver.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { CampaignId } from "../ids.ts";
import { type Cents, centsOfMicros, toCents } from "../money.ts";
import { type Pace, type PaceDay, paceOf } from "./pace.ts";
import { wholeCents } from "./whole-cents.ts";

/** The most points that are drawn of a long flight. */
const mostDays = 366;

export type CampaignPace = Pace & {
  totalBudgetCents: Cents;
  endDate: CalendarDate;
  /** The spend is all that the plan is for. A publisher that is one of several sees its part of it. */
  whole: boolean;
};

/**
 * How a campaign's spend stands against its plan: for its advertiser over all publishers, for a publisher what its line item
 * spent beside the campaign's plan. Budgets and flight are those that bind delivery today. Undefined before any approval, and
 * of a campaign that is not the caller's.
 */
export async function getCampaignPace(ctx: Ctx<TenantActor>, id: CampaignId): Promise<CampaignPace | undefined> {
  const [items, spent] = await Promise.all([listBounds(ctx, id), listSpend(ctx, id)]);
  const today = calendarDateOf(ctx.clock());
  const states = items.map((item) => ({ item, delivery: mayDeliver(stateOf(item), today) }));
  const { item, delivery } = states.find((state) => state.delivery.may) ?? states[0] ?? {};
  if (!item || !delivery) return undefined;
  const bounds = delivery.may ? delivery : cents(item);
  const { approved_start: startDate, approved_end: endDate, pacing } = item;
  const amounts = wholeCents(spent.map(({ micros }) => BigInt(micros)));
  const spentCents = new Map(spent.map(({ day }, index) => [day, amounts[index] ?? toCents(0)]));
  const { totalBudgetCents, dailyBudgetCents } = bounds;
  const pace = paceOf({ startDate, endDate, totalBudgetCents, dailyBudgetCents, pacing, today, spentCents, delivery });
  const whole = ctx.actor.kind === "advertiser" || item.publishers === 1;
  return { ...pace, days: thinned(pace.days, today), totalBudgetCents, endDate, whole };
}

const boundsRow = z.object({
  status: columnValue(lineItems.status),
  waits_for_funds: z.boolean(),
  pacing: columnValue(campaigns.pacing),
  campaign_micros: z.string(),
  publishers: z.number(),
  approved_total: z.string(),
  approved_daily: z.string(),
  approved_start: presentValue(campaignVersions.startDate),
  approved_end: presentValue(campaignVersions.endDate),
  sent_total: z.string(),
  sent_daily: z.string(),
  sent_start: presentValue(campaignVersions.startDate),
  sent_end: presentValue(campaignVersions.endDate),
});
type BoundsRow = z.output<typeof boundsRow>;
const spendRow = z.object({ day: columnValue(lineItemDays.day), micros: z.string() });

/** The caller's line items that were ever approved, with what bounds them; those first that are not withdrawn. */
async function listBounds(ctx: Ctx<TenantActor>, id: CampaignId): Promise<BoundsRow[]> {
  return queryRows(
    ctx.db,
    boundsRow,
    sql`
      select item.status, campaign.pacing,
        exists (select from funds_holds hold where hold.account_id = campaign.advertiser_id and hold.released_at is null) as waits_for_funds, campaign.spend_micros::text as campaign_micros,
        (select count(*)::int from line_items where campaign_id = campaign.id and approved_version is not null) as publishers,
        approved.total_budget_cents::text as approved_total, approved.daily_budget_cents::text as approved_daily,
        approved.start_date::text as approved_start, approved.end_date::text as approved_end,
        sent.total_budget_cents::text as sent_total, sent.daily_budget_cents::text as sent_daily,
        sent.start_date::text as sent_start, sent.end_date::text as sent_end
      from line_items item join campaigns campaign on campaign.id = item.campaign_id
      join campaign_versions approved on approved.campaign_id = item.campaign_id and approved.number = item.approved_version
      join campaign_versions sent on sent.campaign_id = item.campaign_id and sent.number = item.sent_version
      where campaign.id = ${id} and ${owned(ctx)} order by item.withdrawn_at is not null, item.approved_version desc, item.id`,
  );
}

async function listSpend(ctx: Ctx<TenantActor>, id: CampaignId) {
  return queryRows(
    ctx.db,
    spendRow,
    sql`
      select fact.day::text as day, sum(fact.spend_micros)::text as micros
      from campaigns campaign join line_items item on item.campaign_id = campaign.id join line_item_days fact on fact.line_item_id = item.id
      where campaign.id = ${id} and ${owned(ctx)} group by fact.day`,
  );
}

function owned({ actor }: Ctx<TenantActor>): SQL {
  return actor.kind === "publisher"
    ? sql`item.publisher_id = ${actor.accountId}`
    : sql`campaign.advertiser_id = ${actor.accountId}`;
}

function stateOf(row: BoundsRow) {
  const approved: DeliveryBounds = { ...cents(row), startDate: row.approved_start, endDate: row.approved_end };
  const sent: DeliveryBounds = {
    totalBudgetCents: toCents(Number(row.sent_total)),
    dailyBudgetCents: toCents(Number(row.sent_daily)),
    startDate: row.sent_start,
    endDate: row.sent_end,
  };
  const spentCents = centsOfMicros(BigInt(row.campaign_micros));
  return { status: row.status, approved, sent, spentCents, waitsForFunds: row.waits_for_funds };
}

function cents(row: BoundsRow): { totalBudgetCents: Cents; dailyBudgetCents: Cents } {
  return {
    totalBudgetCents: toCents(Number(row.approved_total)),
    dailyBudgetCents: toCents(Number(row.approved_daily)),
  };
}

/** Every so many days back from the last; today is kept, where the lines of what was and what will be meet. */
function thinned(days: readonly PaceDay[], today: CalendarDate): PaceDay[] {
  const step = Math.ceil(days.length / mostDays);
  return days.filter(({ day }, index) => (days.length - 1 - index) % step === 0 || day === today);
}
