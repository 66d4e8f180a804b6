import type { CalendarDate } from "../calendar-date.ts";
import type { ApprovalStatus, Channel, LineItemStatus } from "../campaigns/campaign.ts";
import { type DeliveryBounds, mayDeliver } from "../campaigns/may-deliver.ts";
import type { AccountId, AudienceId, CampaignId, CreativeId, LineItemId } from "../ids.ts";
import { toCents } from "../money.ts";
import type { CreativePart } from "./delivery-creatives.ts";
import type { RowRefusal } from "./delivery-row.ts";

/** A version as far as delivery is concerned. */
export type SentVersion = DeliveryBounds & {
  number: number;
  sentOn: CalendarDate;
  channels: ReadonlySet<Channel>;
  /** With their publishers. */
  audiences: ReadonlyMap<AudienceId, AccountId>;
  creatives: ReadonlySet<CreativeId>;
};

/** The days (UTC) that a run touches; `to` is null while it goes on. */
export type Run = { version: number; from: CalendarDate; to: CalendarDate | null };

export type PastLineItem = {
  id: LineItemId;
  campaignId: CampaignId;
  publisherId: AccountId;
  status: LineItemStatus;
  approvedVersion: number | null;
  approvalStatus: ApprovalStatus;
  sentVersion: number;
  runs: readonly Run[];
};

/** What a line item could deliver on a day: through which audiences, channels and creatives, and within which budgets, in micros. */
export type RunningDay = {
  takes: (row: {
    audienceId: AudienceId;
    channel: Channel;
    creatives: readonly CreativePart[] | null;
  }) => RowRefusal | undefined;
  dailyMicros: number;
  totalMicros: number;
};

/**
 * What ran of a line item on a day gone by or today, or why nothing did. The version that ran last on the day bounds it,
 * beside the newest that had been sent by then (the smaller budget holds); the total budget is that of today. Pure.
 */
export function runningDay(
  item: PastLineItem,
  { versions, day }: { versions: ReadonlyMap<number, SentVersion>; day: CalendarDate },
): RunningDay | RowRefusal {
  if (item.runs.length === 0) return "not_approved";
  const ran = item.runs
    .filter((run) => run.from <= day && (run.to === null || day <= run.to))
    .flatMap((run) => versions.get(run.version) ?? []);
  const sent = newestSentBy(versions, day);
  const inFlight = ran.filter((version) => mayDeliver(asActive(version, sent ?? version), day).may);
  const last = inFlight.at(-1);
  if (!last) {
    const known = ran.at(-1) ?? versions.get(item.runs.at(-1)?.version ?? 0);
    const flight = known && mayDeliver(asActive(known, known), day);
    return !flight || flight.may ? "not_running" : "outside_flight";
  }
  const then = mayDeliver(asActive(last, sent ?? last), day);
  const nowApproved = versions.get(item.approvedVersion ?? last.number) ?? last;
  const now = mayDeliver(
    asActive(nowApproved, versions.get(item.sentVersion) ?? nowApproved),
    nowApproved.startDate ?? day,
  );
  if (!then.may || !now.may) return "outside_flight";
  return {
    dailyMicros: then.dailyBudgetCents * 10_000,
    totalMicros: now.totalBudgetCents * 10_000,
    takes: ({ audienceId, channel, creatives }) => {
      const through = inFlight.filter((version) => version.audiences.get(audienceId) === item.publisherId);
      if (through.length === 0) return "foreign_audience";
      const here = through.filter((version) => version.channels.has(channel));
      if (here.length === 0) return "channel_not_chosen";
      const ran = ({ creativeId }: CreativePart) => here.some((version) => version.creatives.has(creativeId));
      return !creatives || creatives.every(ran) ? undefined : "creative_not_chosen";
    },
  };
}

/** That a line item ran is known from its runs; budgets are looked at by who takes the spend. */
function asActive(approved: DeliveryBounds, sent: DeliveryBounds) {
  return { status: "active" as const, approved, sent, spentCents: noSpend };
}

const noSpend = toCents(0);

function newestSentBy(versions: ReadonlyMap<number, SentVersion>, day: CalendarDate): SentVersion | undefined {
  return [...versions.values()].filter((version) => version.sentOn <= day).at(-1);
}
