import type { AdvertiserActor, Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { CampaignId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { campaignTransitions } from "./campaign.ts";
import { lockOwnCampaign } from "./campaign-rows.server.ts";
import { sendVersion } from "./send-version.server.ts";

/**
 * Sends the working copy to the publishers of its audiences: the first launch, a launch after all said no, or a change
 * of a campaign that runs. Launching again with nothing new to send changes nothing.
 * Throws `not_found`, `invalid_input` with every field that is missing, `invalid_transition` when completed.
 */
export async function launchCampaign(ctx: Ctx<AdvertiserActor>, input: { id: CampaignId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    if (campaignTransitions[row.status].launch === "refused") {
      throw new DomainError("invalid_transition", "A completed campaign cannot be launched again");
    }
    if (row.status === "draft" || row.hasUnsentChanges) await sendVersion(tx, row);
  });
}
