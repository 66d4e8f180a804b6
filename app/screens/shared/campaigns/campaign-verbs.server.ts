import { archiveCampaign, restoreCampaign } from "#app/domain/campaigns/archive/archive-campaign.server.ts";
import { archiveLineItem, restoreLineItem } from "#app/domain/campaigns/archive/archive-line-item.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";

/** The verb of each action that can be undone, for an advertiser and for a publisher. */
export const campaignVerbs = {
  pause: pauseCampaign,
  resume: resumeCampaign,
  archive: archiveCampaign,
  restore: restoreCampaign,
} as const;

export const lineItemVerbs = {
  pause: pauseLineItem,
  resume: resumeLineItem,
  archive: archiveLineItem,
  restore: restoreLineItem,
} as const;
