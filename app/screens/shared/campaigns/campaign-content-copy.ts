import { type CampaignContent, findRowByKey } from "#app/domain/campaigns/campaign-fields.ts";

/** The name of a part of a campaign. */
export function contentFieldLabel(key: keyof CampaignContent): string {
  return findRowByKey(key)?.label ?? key;
}
