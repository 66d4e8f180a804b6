import type { AdvertiserActor, Ctx } from "../../context.ts";
import type { CampaignId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { lockOwnCampaign, toCampaignValues } from "../campaign-rows.server.ts";
import { deleteDraft } from "../delete-draft.server.ts";
import { isBlank } from "./step-states.ts";

/**
 * Deletes a draft in which nothing was entered, when its editor leaves it. Returns whether it was one. Throws
 * `not_found`.
 */
export async function discardBlankDraft(ctx: Ctx<AdvertiserActor>, input: { id: CampaignId }): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    if (row.version > 0 || row.archivedAt || !isBlank(toCampaignValues(row))) return false;
    await deleteDraft(tx, input);
    return true;
  });
}
