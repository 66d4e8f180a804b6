import { type AudienceId, type LineItemId, parseId } from "../../ids.ts";

/**
 * The tags by which we recognize what a trafficker creates on an advertising platform, as part of the name. A
 * campaign's name contains `endcap:<line item>:v<version>`, an ad group's or ad set's `endcap:<audience>`. Pure.
 */
const start = "endcap:";
const id = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const campaign = new RegExp(`${start}(${id})(?::v(\\d{1,9}))?(?!\\d)`, "i");
const group = new RegExp(`${start}(${id})`, "i");

export const tagPrefix = start;

/** Returns the tag of a campaign. The version says that the campaign is set up for that version. */
export function campaignTag(lineItemId: LineItemId, version?: number): string {
  return version === undefined ? `${start}${lineItemId}` : `${start}${lineItemId}:v${version}`;
}

export function audienceTag(audienceId: AudienceId): string {
  return `${start}${audienceId}`;
}

/** Parses the tag in a campaign's name. Without a version the campaign is not set up for any. */
export function parseCampaignTag(name: string): { lineItemId: LineItemId; version: number | null } | undefined {
  const [, tagged, version] = campaign.exec(name) ?? [];
  const lineItemId = parseId<LineItemId>(tagged);
  return lineItemId && { lineItemId, version: version === undefined ? null : Number(version) };
}

/** Parses the tag in the name of an ad group or ad set. */
export function parseAudienceTag(name: string): AudienceId | undefined {
  return parseId<AudienceId>(group.exec(name)?.[1]);
}
