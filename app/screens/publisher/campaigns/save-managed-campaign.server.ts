import type { SubmissionResult } from "@conform-to/react";
import { data } from "@remix-run/node";
import type { CampaignChanges } from "#app/domain/campaigns/campaign-payloads.ts";
import { getManagedCampaign } from "#app/domain/campaigns/managed/get-managed-campaign.server.ts";
import { updateManagedCampaign } from "#app/domain/campaigns/managed/update-managed-campaign.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { statusByErrorCode } from "#app/web/error-status.ts";
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

/**
 * Saves a form of a campaign that the publisher manages and redirects to its page. If the campaign has changed since the
 * form was opened, the form is returned as typed with the newest version, so that whoever sends it again replaces that
 * change knowingly.
 */
export async function saveManagedCampaign(
  ctx: Ctx<PublisherActor>,
  { id, changes, version, reply, page, message }: Save,
) {
  try {
    const changed = await updateManagedCampaign(ctx, { id, changes, version });
    return await redirectWithFlash(page, { tone: "success", message: withEnd(message, changed) });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "version_changed") throw error;
    const rejected = reply({ formErrors: [error.message] });
    const newest = (await getManagedCampaign(ctx, id)).version;
    const initialValue = { ...rejected.initialValue, version: String(newest) };
    return data({ ...rejected, initialValue }, { status: statusByErrorCode[error.code] });
  }
}
