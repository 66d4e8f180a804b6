import { eq } from "drizzle-orm";
import { lineItems } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { CampaignId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { type LockedLineItem, lockLineItem } from "../line-items/lock-line-item.server.ts";
import { lineItemArchiveObstacle } from "./archive-rules.ts";

/**
 * Archives the publisher's own line item: its lists and tabs leave the campaign out, its earnings and figures do not.
 * The advertiser's lists are not affected. Returns whether it was not archived yet. Throws `not_found`, and
 * `invalid_transition` while the line item runs or needs the publisher's review.
 */
export async function archiveLineItem(ctx: Ctx<PublisherActor>, input: { id: CampaignId }): Promise<boolean> {
  return await inTransaction(ctx, async (tx) => {
    const item = await lockLineItem(tx, input.id);
    if (item.archivedAt) return false;
    const obstacle = lineItemArchiveObstacle(item);
    if (obstacle) throw new DomainError("invalid_transition", obstacle);
    await setArchived(tx, item, tx.clock());
    return true;
  });
}

/** Ends the archiving. Returns whether it was archived. Throws `not_found`. */
export async function restoreLineItem(ctx: Ctx<PublisherActor>, input: { id: CampaignId }): Promise<boolean> {
  return await inTransaction(ctx, async (tx) => {
    const item = await lockLineItem(tx, input.id);
    if (item.archivedAt) await setArchived(tx, item, null);
    return item.archivedAt !== null;
  });
}

async function setArchived(ctx: Ctx<PublisherActor>, item: LockedLineItem, archivedAt: Date | null): Promise<void> {
  await ctx.db.update(lineItems).set({ archivedAt }).where(eq(lineItems.id, item.id));
  // The entry is about the publisher's lists alone, so it is not in the advertiser's history.
  await recordAudit(ctx, {
    action: archivedAt ? "line_item.archived" : "line_item.restored",
    entity: "line_item",
    entityId: item.id,
    campaignId: item.campaignId,
    accountId: item.publisherId,
    before: { archived: item.archivedAt !== null },
    after: { archived: archivedAt !== null },
  });
}
