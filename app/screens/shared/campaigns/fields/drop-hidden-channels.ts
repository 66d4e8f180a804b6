import { isChannelOf } from "#app/domain/campaigns/campaign.ts";
import type { CampaignChanges } from "#app/domain/campaigns/campaign-payloads.ts";

/** A form contains the channels of both types and hides one, so checked channels of the other type are dropped. */
export function dropHiddenChannels<Changes extends CampaignChanges>(changes: Changes): Changes {
  const { channel_type: type, channels } = changes;
  if (!type || !channels) return changes;
  return { ...changes, channels: channels.filter((channel) => isChannelOf(type, channel)) };
}
