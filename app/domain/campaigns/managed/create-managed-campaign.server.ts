import { campaigns } from "#db/schema/index.ts";
import { requirePlanCapacity } from "../../billing/require-plan-capacity.server.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { invalidInput } from "../../errors.ts";
import { type CampaignId, newId } from "../../ids.ts";
import { defaultCommissionBps } from "../../rate.ts";
import { inTransaction } from "../../transaction.server.ts";
import { applyUnreviewedChanges, emptyContent, emptyUnreviewed } from "../campaign-content.ts";
import type { ManagedCampaign } from "../campaign-payloads.ts";
import { sendVersion } from "../send-version.server.ts";
import { validateContent } from "../validate-content.server.ts";
import { approveOwnVersion } from "./approve-own-version.server.ts";
import { allowsManagedCampaigns, requireOwnAudiences } from "./managed-campaign-rules.server.ts";

/**
 * Creates a campaign on behalf of an advertiser that allows it. The campaign belongs to the advertiser, uses only the
 * publisher's own audiences, has the agreed commission rate, and is launched and approved at once. Throws
 * `invalid_input` (as a launch does, and for an advertiser that cannot be selected), `limit_reached`, and
 * `invalid_transition` when the advertiser's account is closed meanwhile.
 */
export async function createManagedCampaign(
  ctx: Ctx<PublisherActor>,
  input: ManagedCampaign,
): Promise<{ id: CampaignId }> {
  return inTransaction(ctx, async (tx) => {
    if (!(await allowsManagedCampaigns(tx, input.advertiser_id))) {
      throw invalidInput({ advertiser_id: ["Choose an advertiser from the list"] });
    }
    await requireOwnAudiences(tx, input.selected_audiences ?? []);
    const content = await validateContent(tx, { from: emptyContent, changes: input, ownerId: input.advertiser_id });
    // May lock the account, which the publisher's closing locks after the audiences too.
    await requirePlanCapacity(tx);
    const id = newId<CampaignId>();
    const now = tx.clock();
    const [row] = await tx.db
      .insert(campaigns)
      .values({
        id,
        advertiserId: input.advertiser_id,
        ...applyUnreviewedChanges(emptyUnreviewed, input),
        ...content,
        managedByPublisherId: tx.actor.accountId,
        createdAt: now,
        updatedAt: now,
      })
      .returning();
    if (!row) throw new Error(`insert into campaigns returned no row: ${id}`);
    const commissionRateBps = input.commission_rate ?? defaultCommissionBps;
    await sendVersion(tx, row, { managed: { commissionRateBps } });
    await approveOwnVersion(tx, { id, advertiserId: input.advertiser_id, version: 1 });
    return { id };
  });
}
