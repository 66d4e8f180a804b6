import { campaigns } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import { type CampaignId, newId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { emptyContent } from "./campaign-content.ts";
import type { CampaignChanges } from "./campaign-payloads.ts";
import { checkedContent } from "./checked-content.server.ts";

/** Makes a draft, however empty: the wizard's first save. Throws `invalid_input` for what cannot be saved at all. */
export async function createCampaign(ctx: Ctx<AdvertiserActor>, input: CampaignChanges): Promise<{ id: CampaignId }> {
  return inTransaction(ctx, async (tx) => {
    const content = await checkedContent(tx, { from: emptyContent, changes: input, ownerId: tx.actor.accountId });
    const id = newId<CampaignId>();
    const name = input.name ?? "";
    await tx.db.insert(campaigns).values({
      id,
      advertiserId: tx.actor.accountId,
      name,
      pacing: input.pacing ?? "even",
      ...content,
      createdAt: tx.clock(),
      updatedAt: tx.clock(),
    });
    await recordAudit(tx, {
      action: "campaign.created",
      entity: "campaign",
      entityId: id,
      campaignId: id,
      ownerId: tx.actor.accountId,
      after: { name },
    });
    return { id };
  });
}
