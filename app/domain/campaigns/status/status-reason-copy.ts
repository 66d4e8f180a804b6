import { formatDate } from "#app/domain/calendar-date.ts";
import type { StatusReason, StatusSide } from "./status-reason.ts";

/** Formats the reason: `On hold: insufficient funds`, `Rejected by Harbor Goods`. */
export function describeStatusReason(reason: StatusReason, side: StatusSide): string {
  const own = side === "publisher";
  const day = reason.date && formatDate(reason.date);
  switch (reason.code) {
    case "draft":
      return "Not launched yet";
    case "rejected":
      return own ? "Rejected by you" : `Rejected by ${namesOf(reason)}`;
    case "pending_review":
      return own ? "Needs your review" : `Pending review by ${namesOf(reason)}`;
    case "scheduled":
      return day ? `Scheduled for ${day}` : "Scheduled";
    case "insufficient_funds":
      return own ? "On hold: advertiser has no funds" : "On hold: insufficient funds";
    case "paused_by_advertiser":
      return own ? "Paused by the advertiser" : "Paused by you";
    case "paused_by_publisher":
      return own ? "Paused by you" : `Paused by ${namesOf(reason)}`;
    case "daily_budget_spent":
      return "Daily budget spent. Resumes at midnight UTC";
    case "limited":
      return `Limited: delivering with ${reason.publishers.length} of ${reason.of} publishers`;
    case "delivering":
      return "Delivering";
    case "budget_spent":
      return "Budget spent";
    case "flight_ended":
      return day ? `Ended ${day}` : "Ended";
    case "archived":
      return day ? `Archived ${day}` : "Archived";
    case "withdrawn":
      if (day) return `Withdrawn: the campaign ended before ${own ? "your" : "its"} decision`;
      return `Withdrawn: ${own ? "your" : "its"} audiences were removed`;
  }
}

/** The reasons that say no more than the status does. */
const expected: readonly StatusReason["code"][] = ["draft", "delivering", "budget_spent", "flight_ended"];

/** Formats a reason that says more than the badge of the status, for places with room for one line; else undefined. */
export function describeUnexpectedReason(reason: StatusReason, side: StatusSide): string | undefined {
  return expected.includes(reason.code) ? undefined : describeStatusReason(reason, side);
}

function namesOf({ publishers }: StatusReason): string {
  const [only] = publishers;
  return publishers.length === 1 && only ? only : `${publishers.length} publishers`;
}
