import { campaigns } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import { type CampaignId, newId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { displayCampaignName } from "./campaign.ts";
import { lockOwnCampaign, toCampaignContent, toUnreviewedValues } from "./campaign-rows.server.ts";

/**
 * Creates a draft with the campaign's content but without dates, because its flight is likely over. Throws `not_found`,
 * and `invalid_transition` when the account is closed.
 */
export async function duplicateCampaign(
  ctx: Ctx<AdvertiserActor>,
  input: { id: CampaignId },
): Promise<{ id: CampaignId }> {
  return inTransaction(ctx, async (tx) => {
    await requireOpenAccount(tx, tx.actor.accountId);
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    const id = newId<CampaignId>();
    const name = [...`Copy of ${displayCampaignName(row.name)}`].slice(0, 120).join("");
    const now = tx.clock();
    await tx.db.insert(campaigns).values({
      id,
      advertiserId: row.advertiserId,
      ...toUnreviewedValues(row),
      name,
      ...toCampaignContent(row),
      startDate: null,
      endDate: null,
      createdAt: now,
      updatedAt: now,
    });
    await recordAudit(tx, {
      action: "campaign.created",
      entity: "campaign",
      entityId: id,
      campaignId: id,
      ownerId: row.advertiserId,
      after: { name, copied_from: row.id },
    });
    return { id };
  });
}
