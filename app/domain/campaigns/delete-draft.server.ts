import { eq } from "drizzle-orm";
import { campaigns } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { CampaignId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { lockOwnCampaign } from "./campaign-rows.server.ts";

/** Deletes a draft that no publisher ever saw. Throws `not_found`, `invalid_transition` once it was launched. */
export async function deleteDraft(ctx: Ctx<AdvertiserActor>, input: { id: CampaignId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    if (row.version > 0) throw new DomainError("invalid_transition", "A campaign that was launched cannot be deleted");
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
