import { campaigns } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import { type CampaignId, newId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { applyUnreviewedChanges, emptyContent, emptyUnreviewed } from "./campaign-content.ts";
import type { CampaignChanges } from "./campaign-payloads.ts";
import { validateContent } from "./validate-content.server.ts";

/**
 * Creates a draft; every field may be empty, as in the wizard's first step. Throws `invalid_input` for values that
 * cannot be stored, and `invalid_transition` when the account is closed.
 */
export async function createCampaign(ctx: Ctx<AdvertiserActor>, input: CampaignChanges): Promise<{ id: CampaignId }> {
  return inTransaction(ctx, async (tx) => {
    await requireOpenAccount(tx, tx.actor.accountId);
    const content = await validateContent(tx, { from: emptyContent, changes: input, ownerId: tx.actor.accountId });
    const id = newId<CampaignId>();
    const unreviewed = applyUnreviewedChanges(emptyUnreviewed, input);
    await tx.db.insert(campaigns).values({
      id,
      advertiserId: tx.actor.accountId,
      ...unreviewed,
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
      after: { name: unreviewed.name },
    });
    return { id };
  });
}
