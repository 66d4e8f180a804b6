import { type CampaignStatus, type RejectionReason, rejectionReasonLabels } from "../campaign.ts";
import { lineItemStatusReason, type StatusFacts } from "./status-reason.ts";

/** How much of a campaign was rejected: all of it, some publishers' parts, or only a change of what was approved. */
export type CampaignRejection = { extent: "all" | "part" | "change"; publishers: readonly string[] };

/**
 * Returns what publishers rejected of the versions sent to them; null when nothing is rejected or it no longer counts.
 */
export function campaignRejection(status: CampaignStatus, items: readonly StatusFacts[]): CampaignRejection | null {
  const rejecting = items.filter((item) => item.status !== "withdrawn" && item.approvalStatus === "rejected");
  if (status === "completed" || rejecting.length === 0) return null;
  const never = rejecting.filter((item) => lineItemStatusReason(item).code === "rejected");
  if (status === "draft") return { extent: "all", publishers: namesOf(never) };
  if (never.length > 0) return { extent: "part", publishers: namesOf(never) };
  return { extent: "change", publishers: namesOf(rejecting) };
}

function namesOf(items: readonly StatusFacts[]): string[] {
  return items.map(({ publisherName }) => publisherName);
}

export const rejectionLabels: Record<CampaignRejection["extent"], string> = {
  all: "Rejected",
  part: "Partly rejected",
  change: "Change rejected",
};

/** Formats the rejection with who rejected: `Partly rejected by Harbor Goods`, `Rejected by 2 publishers`. */
export function describeRejection({ extent, publishers }: CampaignRejection): string {
  const [only] = publishers;
  return `${rejectionLabels[extent]} by ${publishers.length === 1 && only ? only : `${publishers.length} publishers`}`;
}

/** Names the reasons that a publisher selected: `Creative needs work, Budget too low`. Empty without one. */
export function describeRejectionReasons(reasons: readonly RejectionReason[]): string {
  return reasons.map((reason) => rejectionReasonLabels[reason]).join(", ");
}

/** Says what a publisher rejected: a campaign, or changes of one that keeps running as it approved it. */
export function describeRejectedPart({ approvedVersion }: { approvedVersion: number | null }): string {
  return approvedVersion === null ? "this campaign" : `your changes. Version ${approvedVersion} keeps running.`;
}
