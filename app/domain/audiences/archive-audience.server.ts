import { and, desc, eq, inArray, or } from "drizzle-orm";
import { audienceSnapshots, audiences, lineItems, versionAudiences } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { lockOwnAudience } from "./audience-rows.server.ts";
import { usesAudience } from "./audience-use.server.ts";

const maxCampaigns = 20;

/**
 * Archives an audience: advertisers no longer see it and it accepts no uploads. Does nothing if it is archived already.
 * Throws `not_found`, and `invalid_transition` while a campaign of `listAudienceBlockingCampaigns` uses it.
 */
export async function archiveAudience(ctx: Ctx<PublisherActor>, { id }: { id: AudienceId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnAudience(tx, id, "update");
    if (row.status === "archived") return;
    const [campaign] = await listAudienceBlockingCampaigns(tx, id);
    if (campaign) {
      throw new DomainError(
        "invalid_transition",
        `The campaign “${campaign.name}” uses this audience. You can archive it once no approved or pending campaign uses it.`,
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

/**
 * Returns the publisher's newest campaigns, at most 20, that run on the audience or would run once the publisher
 * approves them.
 */
export async function listAudienceBlockingCampaigns(ctx: Ctx<PublisherActor>, id: AudienceId) {
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
    .limit(maxCampaigns);
}
