import { eq } from "drizzle-orm";
import { campaigns } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { CampaignId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { lockOwnCampaign } from "./campaign-rows.server.ts";
import { closeEdit } from "./editing/close-edit.server.ts";

/**
 * Deletes a draft that was never sent to a publisher. Throws `not_found`, and `invalid_transition` for a launched
 * campaign.
 */
export async function deleteDraft(ctx: Ctx<AdvertiserActor>, input: { id: CampaignId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    if (row.version > 0)
      throw new DomainError(
        "invalid_transition",
        "Launched campaigns can't be deleted. Pause the campaign, or archive it once it no longer runs.",
      );
    await closeEdit(tx, row);
    await tx.db.delete(campaigns).where(eq(campaigns.id, row.id));
    await recordAudit(tx, {
      action: "campaign.deleted",
      entity: "campaign",
      entityId: row.id,
      ownerId: row.advertiserId,
      before: { name: row.name },
    });
  });
}
