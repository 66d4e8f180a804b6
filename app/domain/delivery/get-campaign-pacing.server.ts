import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, presentValue, queryRows } from "#db/query-rows.server.ts";
import { campaigns, campaignVersions, lineItemDays, lineItems } from "#db/schema/index.ts";
import { type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import {
  type DeliveryBounds,
  type DeliveryEligibility,
  deliveryEligibility,
} from "../campaigns/delivery-eligibility.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { CampaignId } from "../ids.ts";
import { asCents, type Cents, microsToCents } from "../money.ts";
import { allocateCents } from "./allocate-cents.ts";
import { computePacing, type PacingStatus } from "./pacing.ts";

/** The maximum number of points in the chart of a long flight. */
const maxPoints = 366;

export type CampaignPacing = PacingStatus & {
  totalBudgetCents: Cents;
  endDate: CalendarDate;
  /** Whether the spend covers the whole plan. A publisher that is one of several sees only its own part. */
  whole: boolean;
};

/**
 * Returns how a campaign's spend compares with its plan: for the advertiser over all publishers, for a publisher the
 * spend of its line item beside the campaign's plan. Budgets and flight are those that apply today. Undefined before
 * any approval, and for a campaign that is not the caller's.
 */
export async function getCampaignPacing(ctx: Ctx<TenantActor>, id: CampaignId): Promise<CampaignPacing | undefined> {
  const [items, spent] = await Promise.all([listBounds(ctx, id), listSpend(ctx, id)]);
  const today = calendarDateOf(ctx.clock());
  const states = items.map((item) => ({ item, delivery: pacedEligibility(item, today) }));
  const { item, delivery } = states.find((state) => state.delivery.eligible) ?? states[0] ?? {};
  if (!item || !delivery) return undefined;
  const bounds = delivery.eligible ? delivery : cents(item);
  const { approved_start: startDate, approved_end: endDate, pacing } = item;
  const amounts = allocateCents(spent.map(({ micros }) => BigInt(micros)));
  const spentCents = new Map(spent.map(({ day }, index) => [day, amounts[index] ?? asCents(0)]));
  const { totalBudgetCents, dailyBudgetCents } = bounds;
  const pace = computePacing(
    { startDate, endDate, totalBudgetCents, dailyBudgetCents, pacing, today, spentCents, delivery },
    maxPoints,
  );
  const whole = ctx.actor.kind === "advertiser" || item.publishers === 1;
  return { ...pace, totalBudgetCents, endDate, whole };
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

/** Reads the bounds of the caller's line items that were ever approved; withdrawn ones last. */
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
      from campaigns campaign join line_items item on item.campaign_id = campaign.id
      cross join lateral (select day, spend_micros from line_item_days where line_item_id = item.id offset 0) fact
      where campaign.id = ${id} and ${owned(ctx)} group by fact.day`,
  );
}

function owned({ actor }: Ctx<TenantActor>): SQL {
  return actor.kind === "publisher"
    ? sql`item.publisher_id = ${actor.accountId}`
    : sql`campaign.advertiser_id = ${actor.accountId}`;
}

/** A flight that starts later is on hold too while the advertiser has no funds: it could not spend anything. */
function pacedEligibility(row: BoundsRow, today: CalendarDate): DeliveryEligibility {
  const delivery = deliveryEligibility(eligibilityInput(row), today);
  const waits = row.waits_for_funds && !delivery.eligible && delivery.reason === "not_started";
  return waits ? { eligible: false, reason: "no_funds" } : delivery;
}

function eligibilityInput(row: BoundsRow) {
  const approved: DeliveryBounds = { ...cents(row), startDate: row.approved_start, endDate: row.approved_end };
  const sentBounds: DeliveryBounds = {
    totalBudgetCents: asCents(Number(row.sent_total)),
    dailyBudgetCents: asCents(Number(row.sent_daily)),
    startDate: row.sent_start,
    endDate: row.sent_end,
  };
  const spentCents = microsToCents(BigInt(row.campaign_micros));
  return { status: row.status, approved, sentBounds, spentCents, onFundsHold: row.waits_for_funds };
}

function cents(row: BoundsRow): { totalBudgetCents: Cents; dailyBudgetCents: Cents } {
  return {
    totalBudgetCents: asCents(Number(row.approved_total)),
    dailyBudgetCents: asCents(Number(row.approved_daily)),
  };
}
