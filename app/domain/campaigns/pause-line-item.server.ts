import { eq } from "drizzle-orm";
import { lineItems } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { CampaignId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { lineItemPauseTransitions } from "./campaign.ts";
import { type LockedLineItem, lockLineItem } from "./lock-line-item.server.ts";

/**
 * The publisher's own pause, of its own line item. Over an advertiser's pause it is kept beside it, so that the line
 * item stays stopped when the advertiser resumes. Throws `not_found`, `invalid_transition`.
 */
export async function pauseLineItem(ctx: Ctx<PublisherActor>, input: { id: CampaignId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const item = await lockLineItem(tx, input.id);
    if (lineItemPauseTransitions[item.status].pause === "refused") throw refused("paused", item);
    if (item.publisherPausedAt === null) await setPaused(tx, item, tx.clock());
  });
}

/** Ends the publisher's own pause. Throws `not_found`, and `invalid_transition` also when only the advertiser paused. */
export async function resumeLineItem(ctx: Ctx<PublisherActor>, input: { id: CampaignId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const item = await lockLineItem(tx, input.id);
    const outcome = lineItemPauseTransitions[item.status].resume;
    if (outcome === "refused") throw refused("resumed", item);
    if (outcome === "same") return;
    if (item.publisherPausedAt === null) {
      throw new DomainError(
        "invalid_transition",
        "The advertiser paused this campaign; only the advertiser can resume it",
      );
    }
    await setPaused(tx, item, null);
  });
}

async function setPaused(
  ctx: Ctx<PublisherActor>,
  item: LockedLineItem,
  publisherPausedAt: Date | null,
): Promise<void> {
  await ctx.db.update(lineItems).set({ publisherPausedAt, changedAt: ctx.clock() }).where(eq(lineItems.id, item.id));
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
}

function refused(verb: "paused" | "resumed", item: LockedLineItem): DomainError {
  return new DomainError("invalid_transition", `A campaign that is ${item.status} cannot be ${verb}`);
}
