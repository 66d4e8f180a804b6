import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { campaigns, lineItems } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { CampaignId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { type CampaignStatus, campaignTransitions } from "./campaign.ts";
import { type CampaignRow, lockOwnCampaign } from "./campaign-rows.server.ts";

/** The advertiser's pause: stops every line item. Already paused: nothing changes. Throws `not_found`, `invalid_transition`. */
export async function pauseCampaign(ctx: Ctx<AdvertiserActor>, input: { id: CampaignId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    const outcome = campaignTransitions[row.status].pause;
    if (outcome === "refused") throw refused("paused", row.status);
    if (outcome === "done") await setPaused(tx, row, tx.clock());
  });
}

/**
 * Ends the advertiser's pause; publishers' own pauses stay. Throws `not_found`, and `invalid_transition` also when
 * every publisher paused its own part, since only they can resume that.
 */
export async function resumeCampaign(ctx: Ctx<AdvertiserActor>, input: { id: CampaignId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    const outcome = campaignTransitions[row.status].resume;
    if (outcome === "refused") throw refused("resumed", row.status);
    if (outcome === "same") return await refuseWhenPublishersPaused(tx, row);
    await setPaused(tx, row, null);
  });
}

async function setPaused(ctx: Ctx<AdvertiserActor>, row: CampaignRow, pausedAt: Date | null): Promise<void> {
  const [from, to]: CampaignStatus[] = pausedAt ? ["active", "paused"] : ["paused", "active"];
  const verb = pausedAt ? "paused" : "resumed";
  await ctx.db.update(campaigns).set({ pausedAt, status: to, updatedAt: ctx.clock() }).where(eq(campaigns.id, row.id));
  const items = await ctx.db
    .update(lineItems)
    .set({ advertiserPausedAt: pausedAt, changedAt: ctx.clock() })
    .where(and(eq(lineItems.campaignId, row.id), isNull(lineItems.withdrawnAt)))
    .returning({ id: lineItems.id, publisherId: lineItems.publisherId });
  const shared = { campaignId: row.id, ownerId: row.advertiserId, before: { status: from }, after: { status: to } };
  await recordAudit(
    ctx,
    { ...shared, action: `campaign.${verb}`, entity: "campaign", entityId: row.id },
    ...items.map((item) => ({
      ...shared,
      action: `line_item.${verb}_with_campaign`,
      entity: "line_item" as const,
      entityId: item.id,
      accountId: item.publisherId,
    })),
  );
}

async function refuseWhenPublishersPaused(ctx: Ctx<AdvertiserActor>, row: CampaignRow): Promise<void> {
  const approved = await ctx.db
    .select({ pausedAt: lineItems.publisherPausedAt })
    .from(lineItems)
    .where(and(eq(lineItems.campaignId, row.id), isNotNull(lineItems.approvedVersion), isNull(lineItems.withdrawnAt)));
  if (approved.length > 0 && approved.every((item) => item.pausedAt !== null)) {
    throw new DomainError("invalid_transition", "The publisher paused this campaign; only the publisher can resume it");
  }
}

function refused(verb: "paused" | "resumed", status: CampaignStatus): DomainError {
  return new DomainError("invalid_transition", `A campaign that is ${status} cannot be ${verb}`);
}
