import { campaignFieldRows } from "#app/domain/campaigns/campaign-fields.ts";
import type { CampaignChanges } from "#app/domain/campaigns/campaign-payloads.ts";
import { dropHiddenChannels } from "#app/screens/shared/campaigns/fields/drop-hidden-channels.ts";

/**
 * Returns the form as changes. The form owns every field but the products, which are the advertiser's, so an absent one
 * is cleared; it contains the channels of both types, so those of the other type are ignored.
 */
export function toManagedChanges(values: CampaignChanges): CampaignChanges {
  const cleared = campaignFieldRows
    .filter((row) => row.step !== null && row.cleared !== undefined && row.name !== "selected_products")
    .map((row) => [row.name, row.cleared]);
  const sent = Object.entries(values).filter(([name, value]) => value !== undefined && name !== "selected_products");
  const changes: CampaignChanges = { ...Object.fromEntries(cleared), ...Object.fromEntries(sent) };
  return dropHiddenChannels(changes);
}
