import type { SubmissionResult } from "@conform-to/react";
import type { CampaignChanges } from "#app/domain/campaigns/campaign-payloads.ts";
import { getManagedCampaign } from "#app/domain/campaigns/managed/get-managed-campaign.server.ts";
import { updateManagedCampaign } from "#app/domain/campaigns/managed/update-managed-campaign.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { returnOutdatedForm } from "#app/screens/shared/campaigns/return-outdated-form.server.ts";
import { pluralize } from "#app/ui/format.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { withEnd } from "./decision-message.ts";

type Save = {
  id: CampaignId;
  changes: CampaignChanges;
  /** The version that the form was opened with. */
  version: number | null | undefined;
  reply: (options: { formErrors: string[] }) => SubmissionResult<string[]>;
  page: string;
  message: string;
};

/** Saves a form of a campaign that the publisher manages and redirects to its page. */
export async function saveManagedCampaign(
  ctx: Ctx<PublisherActor>,
  { id, changes, version, reply, page, message }: Save,
) {
  const save = async () => {
    const changed = await updateManagedCampaign(ctx, { id, changes, version });
    return redirectWithFlash(page, { tone: "success", message: withUnlisted(withEnd(message, changed), changed) });
  };
  const newestVersion = async () => (await getManagedCampaign(ctx, id)).version;
  return returnOutdatedForm(save, { reply, newestVersion });
}

/** Appends what to do about products that are not active any more, which only the advertiser can change. */
function withUnlisted(message: string, { unlistedProducts }: { unlistedProducts: number }): string {
  if (unlistedProducts === 0) return message;
  const which = pluralize(unlistedProducts, "product is", "products are");
  const them = unlistedProducts === 1 ? "it" : "them";
  const end = message.endsWith(".") ? "" : ".";
  return `${message}${end} ${which} not active in the advertiser's catalog. Ask the advertiser to make ${them} active or to remove ${them}.`;
}
