import { eq } from "drizzle-orm";
import { requireOpenAccount } from "#app/domain/accounts/require-open-account.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { requireNotArchived } from "#app/domain/campaigns/archive/archive-rules.ts";
import { lineItemPauseTransitions } from "#app/domain/campaigns/campaign.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { lineItems } from "#db/schema/index.ts";
import { type LockedLineItem, lockLineItem } from "./lock-line-item.server.ts";

/**
 * Pauses the publisher's own line item. The pause is stored beside the advertiser's, so that the line item stays paused
 * when the advertiser resumes. Returns whether it was not paused yet. Throws `not_found`, `invalid_transition`.
 */
export async function pauseLineItem(ctx: Ctx<PublisherActor>, input: { id: CampaignId }): Promise<boolean> {
  return await inTransaction(ctx, async (tx) => {
    const item = await lockLineItem(tx, input.id);
    if (lineItemPauseTransitions[item.status].pause === "refused") throw transitionError("paused", item);
    if (item.publisherPausedAt !== null) return false;
    requireNotArchived(item);
    await setPaused(tx, item, tx.clock());
    return true;
  });
}

/**
 * Ends the publisher's own pause. Returns whether there was one. Throws `not_found`, and `invalid_transition` also when
 * only the advertiser has paused.
 */
export async function resumeLineItem(ctx: Ctx<PublisherActor>, input: { id: CampaignId }): Promise<boolean> {
  return await inTransaction(ctx, async (tx) => {
    const item = await lockLineItem(tx, input.id);
    const outcome = lineItemPauseTransitions[item.status].resume;
    if (outcome === "refused") throw transitionError("resumed", item);
    if (outcome === "same") return false;
    requireNotArchived(item);
    if (item.publisherPausedAt === null) {
      throw new DomainError(
        "invalid_transition",
        "The advertiser paused this campaign. Only the advertiser can resume it.",
      );
    }
    await requireOpenAccount(tx, item.publisherId);
    await setPaused(tx, item, null);
    return true;
  });
}

async function setPaused(
  ctx: Ctx<PublisherActor>,
  item: LockedLineItem,
  publisherPausedAt: Date | null,
): Promise<void> {
  await recordAudit(ctx, {
    action: publisherPausedAt ? "line_item.paused" : "line_item.resumed",
    entity: "line_item",
    entityId: item.id,
    campaignId: item.campaignId,
    ownerId: item.advertiserId,
    accountId: item.publisherId,
    before: { paused_by_publisher: item.publisherPausedAt !== null },
    after: { paused_by_publisher: publisherPausedAt !== null },
  });
  // Last, because the row that counts the publisher's line items is locked from here until the commit.
  await ctx.db
    .update(lineItems)
    .set({ publisherPausedAt, statusChangedAt: ctx.clock() })
    .where(eq(lineItems.id, item.id));
}

function transitionError(verb: "paused" | "resumed", item: LockedLineItem): DomainError {
  return new DomainError("invalid_transition", `This campaign is ${item.status} and can't be ${verb}`);
}
