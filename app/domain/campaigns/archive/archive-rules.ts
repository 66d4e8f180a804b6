import { DomainError } from "../../errors.ts";
import type { ApprovalStatus, CampaignStatus, LineItemStatus } from "../campaign.ts";

/**
 * Returns why an advertiser cannot archive a campaign in this state, or null. `pending` says whether a publisher can
 * still approve a version. No other code decides this. Pure.
 */
export function campaignArchiveObstacle(campaign: { status: CampaignStatus; pending: boolean }): string | null {
  if (campaign.status === "active") return runningObstacle;
  if (campaign.pending) return "A publisher is reviewing this campaign. Archive it after the decision.";
  return null;
}

/** The same for a publisher and its line item. Pure. */
export function lineItemArchiveObstacle(item: {
  status: LineItemStatus;
  approvalStatus: ApprovalStatus;
}): string | null {
  if (item.approvalStatus === "pending") return "This campaign needs your review. Archive it after your decision.";
  if (item.status === "active") return runningObstacle;
  return null;
}

const runningObstacle = "This campaign is still running. Pause it before you archive it.";

/** Throws `invalid_transition` for an archived campaign or line item, which changes only after it is restored. */
export function requireNotArchived({ archivedAt }: { archivedAt: Date | null }): void {
  if (archivedAt) throw new DomainError("invalid_transition", archivedMessage);
}

export const archivedMessage = "This campaign is archived. Restore it first.";
