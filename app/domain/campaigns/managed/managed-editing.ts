import { archivedMessage } from "../archive/archive-rules.ts";

/** Whether a publisher can edit a campaign that it created for an advertiser, and if not, a sentence on why. */
export type ManagedEditing = { editable: true } | { editable: false; why: string };

/** Decides it; no other code does. Pure. */
export function managedEditing(campaign: {
  completed: boolean;
  /** Whether the advertiser archived the campaign, and whether the publisher archived its line item. */
  archivedByAdvertiser: boolean;
  archived: boolean;
  /** Whether the advertiser still allows publishers to manage its campaigns. */
  allowed: boolean;
  hasUnsentChanges: boolean;
  /** Whether the advertiser sent a version that the publisher has not reviewed. */
  pending: boolean;
  /** Whether the campaign uses audiences of other publishers, or none of the publisher's any longer. */
  shared: boolean;
}): ManagedEditing {
  if (campaign.completed) return { editable: false, why: "Completed campaigns can't be edited." };
  if (campaign.archived) return { editable: false, why: archivedMessage };
  if (campaign.archivedByAdvertiser)
    return { editable: false, why: "The advertiser archived this campaign, so it can't be edited." };
  if (!campaign.allowed)
    return { editable: false, why: "The advertiser no longer allows publishers to manage its campaigns." };
  if (campaign.shared)
    return { editable: false, why: "The advertiser added other publishers, so only the advertiser can edit it now." };
  if (campaign.pending)
    return { editable: false, why: "Review the advertiser's changes before you edit the campaign." };
  if (campaign.hasUnsentChanges)
    return { editable: false, why: "The advertiser is editing this campaign. Try again after it sends its changes." };
  return { editable: true };
}
