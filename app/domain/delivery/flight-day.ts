import type { CalendarDate } from "../calendar-date.ts";
import type { ApprovalStatus, Channel, LineItemStatus } from "../campaigns/campaign.ts";
import { currentBudgetMicros } from "../campaigns/current-budget.ts";
import { type DeliveryBounds, deliveryEligibility } from "../campaigns/delivery-eligibility.ts";
import type { AccountId, AudienceId, CampaignId, CreativeId, LineItemId } from "../ids.ts";
import { asCents } from "../money.ts";
import type { CreativeFigures } from "./delivery-creatives.ts";
import type { RowRejection } from "./delivery-row.ts";

/** The parts of a campaign version that delivery needs. */
export type SentVersion = DeliveryBounds & {
  number: number;
  sentOn: CalendarDate;
  channels: ReadonlySet<Channel>;
  /** The audiences with their publishers. */
  audiences: ReadonlyMap<AudienceId, AccountId>;
  creatives: ReadonlySet<CreativeId>;
};

/** A run's first and last day (UTC); `to` is null while it continues. */
export type LineItemRun = { version: number; from: CalendarDate; to: CalendarDate | null };

export type LineItemHistory = {
  id: LineItemId;
  campaignId: CampaignId;
  publisherId: AccountId;
  status: LineItemStatus;
  approvedVersion: number | null;
  approvalStatus: ApprovalStatus;
  sentVersion: number;
  runs: readonly LineItemRun[];
};

/** The line items of a campaign and its versions in the order of sending. */
type FlightCampaign = {
  lineItems: readonly LineItemHistory[];
  versions: ReadonlyMap<number, SentVersion>;
};

/**
 * What a line item could deliver on a day: the allowed audiences, channels and creatives, and the budgets in micros.
 */
export type FlightDay = {
  validate: (row: {
    audienceId: AudienceId;
    channel: Channel;
    creatives: readonly CreativeFigures[] | null;
  }) => RowRejection | undefined;
  dailyMicros: number;
  totalMicros: number;
};

/**
 * Returns what a line item could deliver on a past day or today, or the rejection code when it could not. The last
 * version that ran on the day applies, together with the newest version sent by then (the smaller budget counts); the
 * total budget is today's, and the campaign's for a line item that no longer runs any version. Pure.
 */
export function flightDay(
  item: LineItemHistory,
  { campaign, day }: { campaign: FlightCampaign; day: CalendarDate },
): FlightDay | RowRejection {
  const { versions } = campaign;
  if (item.runs.length === 0) return "not_approved";
  const ran = item.runs
    .filter((run) => run.from <= day && (run.to === null || day <= run.to))
    .flatMap((run) => versions.get(run.version) ?? []);
  const newestSent = newestSentBy(versions, day);
  const inFlight = ran.filter((version) => deliveryEligibility(asActive(version, newestSent ?? version), day).eligible);
  const last = inFlight.at(-1);
  if (!last) {
    const known = ran.at(-1) ?? versions.get(item.runs.at(-1)?.version ?? 0);
    const flight = known && deliveryEligibility(asActive(known, known), day);
    return !flight || flight.eligible ? "not_running" : "outside_flight";
  }
  const thenEligible = deliveryEligibility(asActive(last, newestSent ?? last), day);
  const nowApproved = versions.get(item.approvedVersion ?? last.number) ?? last;
  // Withdrawn, and perhaps sent to its publisher again since.
  const isWithoutVersion = item.status === "withdrawn" || item.approvedVersion === null;
  const nowSent = isWithoutVersion ? [...versions.values()].at(-1) : versions.get(item.sentVersion);
  const now = deliveryEligibility(asActive(nowApproved, nowSent ?? nowApproved), nowApproved.startDate ?? day);
  if (!thenEligible.eligible || !now.eligible) return "outside_flight";
  return {
    dailyMicros: thenEligible.dailyBudgetCents * 10_000,
    // Until another line item is approved, the campaign has no budget but that of the former version.
    totalMicros: (isWithoutVersion && currentBudgetMicros(campaign)) || now.totalBudgetCents * 10_000,
    validate: ({ audienceId, channel, creatives }) => {
      const withAudience = inFlight.filter((version) => version.audiences.get(audienceId) === item.publisherId);
      if (withAudience.length === 0) return "foreign_audience";
      const onChannel = withAudience.filter((version) => version.channels.has(channel));
      if (onChannel.length === 0) return "channel_not_chosen";
      const ran = ({ creativeId }: CreativeFigures) => onChannel.some((version) => version.creatives.has(creativeId));
      return !creatives || creatives.every(ran) ? undefined : "creative_not_chosen";
    },
  };
}

/** The runs already show that the line item ran; budgets are enforced when spend is allocated. */
function asActive(approved: DeliveryBounds, sentBounds: DeliveryBounds) {
  return { status: "active" as const, approved, sentBounds, spentCents: noSpend };
}

const noSpend = asCents(0);

function newestSentBy(versions: ReadonlyMap<number, SentVersion>, day: CalendarDate): SentVersion | undefined {
  return [...versions.values()].filter((version) => version.sentOn <= day).at(-1);
}
