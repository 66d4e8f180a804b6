import type { PublisherCampaign } from "#app/domain/campaigns/line-items/publisher-campaigns.server.ts";

/** Formats ` · version 2, changed since you approved version 1`; empty for a first version. */
export function describeVersion({
  version,
  approvedVersion,
}: Pick<PublisherCampaign, "version" | "approvedVersion">): string {
  if (version === 1) return "";
  if (approvedVersion === null || approvedVersion === version) return ` · version ${version}`;
  return ` · version ${version}, changed since version ${approvedVersion}, which you approved`;
}
