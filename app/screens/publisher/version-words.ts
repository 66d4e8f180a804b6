import type { PublisherCampaign } from "#app/domain/campaigns/list-line-items.server.ts";

/** ` · version 2, changed since you approved version 1`; nothing for a first version. */
export function versionWords({
  version,
  approvedVersion,
}: Pick<PublisherCampaign, "version" | "approvedVersion">): string {
  if (version === 1) return "";
  if (approvedVersion === null || approvedVersion === version) return ` · version ${version}`;
  return ` · version ${version}, changed since you approved version ${approvedVersion}`;
}
