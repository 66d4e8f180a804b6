import { type CalendarDate, calendarDateOf } from "../../calendar-date.ts";
import type { Cents } from "../../money.ts";
import { type ApprovalStatus, type CampaignStatus, type LineItemStatus, statusLabels, type Tone } from "../campaign.ts";
import type { DeliveryEligibility } from "../delivery-eligibility.ts";

/**
 * Why a campaign or line item has its status, and what its reader can do about it. The stored statuses stay those of
 * the specification; no other code derives a reason. Pure.
 */
export const statusReasonCodes = [
  "draft",
  "rejected",
  "pending_review",
  "scheduled",
  "insufficient_funds",
  "paused_by_advertiser",
  "paused_by_publisher",
  "daily_budget_spent",
  "limited",
  "delivering",
  "budget_spent",
  "flight_ended",
  "withdrawn",
  "archived",
] as const;
type StatusReasonCode = (typeof statusReasonCodes)[number];

/** What the reader can do about a reason. */
export const statusResolutions = [
  "edit",
  "edit_and_resend",
  "review",
  "top_up",
  "resume",
  "raise_daily_budget",
  "duplicate",
  "restore",
] as const;
export type StatusResolution = (typeof statusResolutions)[number];

export type StatusReason = {
  code: StatusReasonCode;
  /** The publishers that the reason is about: those that rejected, are awaited, paused, or deliver. */
  publishers: readonly string[];
  /** The number of publishers of the campaign. */
  of: number;
  /**
   * The first day of a flight that has not started, the last day of one that ended, the day of the archiving, or the
   * day on which the campaign ended before a decision.
   */
  date: CalendarDate | null;
};

/** What is known about a line item today. `spentCents` and `spentTodayCents` are those of the whole campaign. */
export type StatusFacts = {
  publisherName: string;
  status: LineItemStatus;
  approvalStatus: ApprovalStatus;
  everApproved: boolean;
  pausedByPublisher: boolean;
  delivery: DeliveryEligibility;
  onFundsHold: boolean;
  /** The flight and total budget of the version that may run, or of the one sent. */
  startDate: CalendarDate | null;
  endDate: CalendarDate | null;
  totalBudgetCents: Cents | null;
  /** The UTC day on which it was completed. */
  completedOn: CalendarDate | null;
  spentCents: Cents;
  spentTodayCents: Cents;
};

/** Returns the reason of one line item. */
export function lineItemStatusReason(item: StatusFacts): StatusReason {
  const about = (code: StatusReasonCode, date: CalendarDate | null = null): StatusReason => ({
    code,
    publishers: [item.publisherName],
    of: 1,
    date,
  });
  if (item.status === "withdrawn") return about("withdrawn", item.completedOn);
  if (!item.everApproved) return about(item.approvalStatus === "rejected" ? "rejected" : "pending_review");
  if (item.status === "completed") return about(...endOf(item));
  if (item.status === "paused") return about(item.pausedByPublisher ? "paused_by_publisher" : "paused_by_advertiser");
  const { delivery } = item;
  if (delivery.eligible)
    return about(item.spentTodayCents >= delivery.dailyBudgetCents ? "daily_budget_spent" : "delivering");
  if (delivery.reason === "not_started")
    return about(item.onFundsHold ? "insufficient_funds" : "scheduled", item.startDate);
  if (delivery.reason === "no_funds") return about("insufficient_funds");
  // The budget of a version that is not approved may be the smaller one.
  return delivery.reason === "budget_used_up" ? about("budget_spent") : about(...endOf(item));
}

/**
 * Returns the reason of an archived campaign or line item, which comes before every other: nothing else can be done
 * about it until it is restored. Undefined for one that is not archived.
 */
export function archivedReason(archivedAt: Date | null): StatusReason | undefined {
  return archivedAt ? { code: "archived", publishers: [], of: 0, date: calendarDateOf(archivedAt) } : undefined;
}

/**
 * A remainder below one cent counts as spent, as it does where campaigns are completed. What was completed within its
 * flight has spent its budget too: that of a rejected change, which was smaller.
 */
function endOf({
  totalBudgetCents,
  spentCents,
  completedOn,
  endDate,
}: StatusFacts): [StatusReasonCode, CalendarDate | null] {
  const isSpent = totalBudgetCents !== null && spentCents + 1 >= totalBudgetCents;
  const isEarly = completedOn !== null && endDate !== null && completedOn <= endDate;
  return isSpent || isEarly ? ["budget_spent", null] : ["flight_ended", endDate];
}

/** The reasons that keep a running campaign from delivering, in the order in which they are reported. */
const obstacles: readonly StatusReasonCode[] = [
  "insufficient_funds",
  "daily_budget_spent",
  "scheduled",
  "paused_by_publisher",
  "budget_spent",
  "flight_ended",
  "pending_review",
];

/** Returns the reason of a whole campaign, from its stored status and the facts of its line items. */
export function campaignStatusReason(status: CampaignStatus, items: readonly StatusFacts[]): StatusReason {
  const reasons = items.filter((item) => item.status !== "withdrawn").map(lineItemStatusReason);
  const about = (code: StatusReasonCode): StatusReason => {
    const matching = reasons.filter((reason) => reason.code === code);
    const dates = matching.flatMap(({ date }) => (date === null ? [] : [date])).sort();
    return {
      code,
      publishers: matching.flatMap(({ publishers }) => publishers),
      of: reasons.length,
      date: (code === "flight_ended" ? dates.at(-1) : dates[0]) ?? null,
    };
  };
  const has = (code: StatusReasonCode) => reasons.some((reason) => reason.code === code);
  switch (status) {
    case "draft":
      return about(has("rejected") ? "rejected" : "draft");
    case "pending":
      return about("pending_review");
    case "paused":
      return about("paused_by_advertiser");
    case "completed":
      return about(has("budget_spent") ? "budget_spent" : "flight_ended");
    case "active": {
      const delivering = about("delivering");
      if (delivering.publishers.length === 0) return about(obstacles.find(has) ?? "pending_review");
      return delivering.publishers.length < delivering.of ? { ...delivering, code: "limited" } : delivering;
    }
  }
}

/** Whoever reads the reason: the texts name the other party. */
export type StatusSide = "advertiser" | "publisher";

const resolutionsBySide: Record<StatusSide, Partial<Record<StatusReasonCode, StatusResolution>>> = {
  advertiser: {
    draft: "edit",
    rejected: "edit_and_resend",
    insufficient_funds: "top_up",
    paused_by_advertiser: "resume",
    daily_budget_spent: "raise_daily_budget",
    budget_spent: "duplicate",
    flight_ended: "duplicate",
    archived: "restore",
  },
  publisher: { pending_review: "review", paused_by_publisher: "resume", archived: "restore" },
};

/** Returns what this side can do about the reason; null when it is up to the other side, or nothing is wrong. */
export function statusResolution({ code }: StatusReason, side: StatusSide): StatusResolution | null {
  return resolutionsBySide[side][code] ?? null;
}

const tones: Record<StatusReasonCode, Tone> = {
  draft: "neutral",
  rejected: "bad",
  pending_review: "violet",
  scheduled: "info",
  insufficient_funds: "warn",
  paused_by_advertiser: "warn",
  paused_by_publisher: "warn",
  daily_budget_spent: "info",
  limited: "good",
  delivering: "good",
  budget_spent: "info",
  flight_ended: "info",
  withdrawn: "neutral",
  archived: "neutral",
};

/** Returns the badge of a status: its label and its tone, which is green only while money can be spent. */
export function statusBadge(status: CampaignStatus | LineItemStatus, { code }: StatusReason) {
  return { label: code === "rejected" ? statusLabels.rejected : statusLabels[status], tone: tones[code] };
}
