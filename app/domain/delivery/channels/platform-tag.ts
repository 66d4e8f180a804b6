import { type AudienceId, type LineItemId, parseId } from "../../ids.ts";

/**
 * How what a trafficker makes on an advertising platform is known as ours: by its name. A campaign's holds
 * `endcap:<line item>:v<version>`, an ad group's or ad set's `endcap:<audience>`. Pure.
 */
const start = "endcap:";
const id = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const campaign = new RegExp(`${start}(${id})(?::v(\\d{1,9}))?(?!\\d)`, "i");
const group = new RegExp(`${start}(${id})`, "i");

export const anyTag = start;

/** With the version: it says that the campaign is set up as that version wants it. */
export function campaignTag(lineItemId: LineItemId, version?: number): string {
  return version === undefined ? `${start}${lineItemId}` : `${start}${lineItemId}:v${version}`;
}

export function audienceTag(audienceId: AudienceId): string {
  return `${start}${audienceId}`;
}

/** What a campaign's name says; without a version it is set up for none yet. */
export function readCampaignTag(name: string): { lineItemId: LineItemId; version: number | null } | undefined {
  const [, tagged, version] = campaign.exec(name) ?? [];
  const lineItemId = parseId<LineItemId>(tagged);
  return lineItemId && { lineItemId, version: version === undefined ? null : Number(version) };
}

/** What the name of an ad group or ad set says. */
export function readAudienceTag(name: string): AudienceId | undefined {
  return parseId<AudienceId>(group.exec(name)?.[1]);
}
