import { and, desc, eq, inArray, or } from "drizzle-orm";
import { audienceSnapshots, audiences, lineItems, versionAudiences } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { lockOwnAudience } from "./audience-rows.server.ts";
import { usesAudience } from "./audience-use.server.ts";

const shown = 20;

/**
 * Takes an audience out of use: advertisers see it no more, and nothing is added to it. Already so: unchanged.
 * Throws `not_found`, and `invalid_transition` while a campaign of `listKeepingCampaigns` uses it.
 */
export async function archiveAudience(ctx: Ctx<PublisherActor>, { id }: { id: AudienceId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnAudience(tx, id, "update");
    if (row.status === "archived") return;
    const [campaign] = await listKeepingCampaigns(tx, id);
    if (campaign) {
      throw new DomainError(
        "invalid_transition",
        `The campaign “${campaign.name}” uses this audience. It can be archived when no campaign uses it that is approved and not completed, or waits for your decision.`,
      );
    }
    const archivedAt = tx.clock();
    await tx.db
      .update(audiences)
      .set({ status: "archived", archivedAt, nextRefreshAt: null })
      .where(eq(audiences.id, id));
    await tx.db.delete(audienceSnapshots).where(eq(audienceSnapshots.audienceId, id));
    await recordAudit(tx, {
      action: "audience.archived",
      entity: "audience",
      entityId: id,
      accountId: row.publisherId,
      before: { status: row.status },
      after: { status: "archived" },
    });
  });
}

/** The newest of the publisher's campaigns that may run on the audience, or would with its yes, at most 20. */
export async function listKeepingCampaigns(ctx: Ctx<PublisherActor>, id: AudienceId) {
  return ctx.db
    .selectDistinct({ lineItemId: lineItems.id, id: lineItems.campaignId, name: lineItems.campaignName })
    .from(versionAudiences)
    .innerJoin(lineItems, usesAudience)
    .where(
      and(
        eq(versionAudiences.audienceId, id),
        eq(lineItems.publisherId, ctx.actor.accountId),
        or(inArray(lineItems.status, ["active", "paused"]), eq(lineItems.approvalStatus, "pending")),
      ),
    )
    .orderBy(desc(lineItems.id))
    .limit(shown);
}
