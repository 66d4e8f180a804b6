import type { AdvertiserActor, Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { CampaignId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { requireNotArchived } from "./archive/archive-rules.ts";
import { campaignTransitions } from "./campaign.ts";
import { lockOwnCampaign } from "./campaign-rows.server.ts";
import { closeEdit } from "./editing/close-edit.server.ts";
import { sendVersion } from "./send-version.server.ts";

/**
 * Sends the working copy to the publishers of its audiences: at the first launch, after all publishers rejected it, or
 * after changes to a running campaign. Launching without changes does nothing. Throws `not_found`, `invalid_input` with
 * every missing field, `invalid_transition` for a completed or archived campaign, and `version_changed` if the working
 * copy was changed after `seenAt`, the campaign's last change that the caller has seen: a pause counts too.
 */
export async function launchCampaign(
  ctx: Ctx<AdvertiserActor>,
  input: { id: CampaignId; seenAt?: Date | undefined },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    requireNotArchived(row);
    if (campaignTransitions[row.status].launch === "refused") {
      throw new DomainError(
        "invalid_transition",
        "Completed campaigns can't be launched again. Duplicate the campaign instead.",
      );
    }
    const hasChanges = row.status === "draft" || row.hasUnsentChanges;
    if (hasChanges && input.seenAt && input.seenAt.getTime() !== row.updatedAt.getTime()) {
      throw new DomainError(
        "version_changed",
        `The campaign was changed after you opened this page. Review it below, then ${row.status === "draft" ? "launch it" : "send the changes"} again.`,
      );
    }
    await closeEdit(tx, row);
    if (hasChanges) await sendVersion(tx, row);
  });
}
