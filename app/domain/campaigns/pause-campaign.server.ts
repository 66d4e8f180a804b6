import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { campaigns, lineItems } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { CampaignId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { requireNotArchived } from "./archive/archive-rules.ts";
import { type CampaignStatus, campaignTransitions } from "./campaign.ts";
import { type CampaignRow, lockOwnCampaign } from "./campaign-rows.server.ts";
import { lockLineItems } from "./line-items/lock-line-items.server.ts";

/**
 * Pauses a campaign for its advertiser: every line item stops. Returns whether it was not paused yet. Throws
 * `not_found`, `invalid_transition`.
 */
export async function pauseCampaign(ctx: Ctx<AdvertiserActor>, input: { id: CampaignId }): Promise<boolean> {
  return await inTransaction(ctx, async (tx) => {
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    const outcome = campaignTransitions[row.status].pause;
    if (outcome === "refused") throw transitionError("paused", row.status);
    if (outcome === "done") await setPaused(tx, row, tx.clock());
    return outcome === "done";
  });
}

/**
 * Ends the advertiser's pause; the publishers' own pauses remain. Returns whether there was one. Throws `not_found`,
 * and `invalid_transition` also for an archived campaign and when every publisher has paused its own line item, since
 * only they can resume it.
 */
export async function resumeCampaign(ctx: Ctx<AdvertiserActor>, input: { id: CampaignId }): Promise<boolean> {
  return await inTransaction(ctx, async (tx) => {
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    requireNotArchived(row);
    const outcome = campaignTransitions[row.status].resume;
    if (outcome === "refused") throw transitionError("resumed", row.status);
    if (outcome === "same") {
      await rejectWhenPublishersPaused(tx, row);
      return false;
    }
    await requireOpenAccount(tx, row.advertiserId);
    await setPaused(tx, row, null);
    return true;
  });
}

async function setPaused(ctx: Ctx<AdvertiserActor>, row: CampaignRow, pausedAt: Date | null): Promise<void> {
  const [from, to]: CampaignStatus[] = pausedAt ? ["active", "paused"] : ["paused", "active"];
  const verb = pausedAt ? "paused" : "resumed";
  await lockLineItems(ctx, { campaignIds: [row.id] });
  await ctx.db.update(campaigns).set({ pausedAt, status: to, updatedAt: ctx.clock() }).where(eq(campaigns.id, row.id));
  const items = await ctx.db
    .update(lineItems)
    .set({
      advertiserPausedAt: pausedAt,
      statusChangedAt: ctx.clock(),
      ...(!pausedAt && { archivedAt: whenStillIdle }),
    })
    .where(and(eq(lineItems.campaignId, row.id), isNull(lineItems.withdrawnAt)))
    .returning({
      id: lineItems.id,
      publisherId: lineItems.publisherId,
      status: lineItems.status,
      publisherPausedAt: lineItems.publisherPausedAt,
    });
  const shared = { campaignId: row.id, ownerId: row.advertiserId };
  await recordAudit(
    ctx,
    {
      ...shared,
      action: `campaign.${verb}`,
      entity: "campaign",
      entityId: row.id,
      before: { status: from },
      after: { status: to },
    },
    ...items.map((item) => ({
      ...shared,
      action: `line_item.${verb}_with_campaign`,
      entity: "line_item" as const,
      entityId: item.id,
      accountId: item.publisherId,
      // What is not approved, or paused by its publisher too, stays as it is.
      before: { status: item.status === to && item.publisherPausedAt === null ? from : item.status },
      after: { status: item.status },
    })),
  );
}

/** A publisher's archived line item that runs again returns to the publisher's lists. */
const whenStillIdle = sql`case when ${lineItems.publisherPausedAt} is null and ${lineItems.approvedVersion} is not null then null else ${lineItems.archivedAt} end`;

async function rejectWhenPublishersPaused(ctx: Ctx<AdvertiserActor>, row: CampaignRow): Promise<void> {
  const approved = await ctx.db
    .select({ pausedAt: lineItems.publisherPausedAt })
    .from(lineItems)
    .where(and(eq(lineItems.campaignId, row.id), isNotNull(lineItems.approvedVersion), isNull(lineItems.withdrawnAt)));
  if (approved.length > 0 && approved.every((item) => item.pausedAt !== null)) {
    throw new DomainError(
      "invalid_transition",
      "The publisher paused this campaign. Only the publisher can resume it.",
    );
  }
}

function transitionError(verb: "paused" | "resumed", status: CampaignStatus): DomainError {
  return new DomainError("invalid_transition", `This campaign is ${status} and can't be ${verb}`);
}
