import { and, eq, isNull, sql } from "drizzle-orm";
import { audiences, decisions, lineItems, versionAudiences } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import { requirePlanCapacity } from "../billing/require-plan-capacity.server.ts";
import { calendarDateOf } from "../calendar-date.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import { type CampaignId, type DecisionId, newId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import type { Review } from "./campaign-payloads.ts";
import { completeIfExhausted } from "./complete-campaigns.server.ts";
import { type LockedLineItem, lockLineItem } from "./line-items/lock-line-item.server.ts";
import { notifyAllDecided } from "./notifications/notify-all-decided.server.ts";
import { refreshCampaignStatus } from "./refresh-campaign-status.server.ts";
import { isChangeFor } from "./send-version.server.ts";

/**
 * Records a publisher's decision on the version it was sent; it is final. An approval freezes the CPM of the
 * publisher's audiences and lets the version run; a rejection leaves an earlier approved version running. Returns
 * whether the campaign has ended with it, because what is left of its budget is already spent. Throws `not_found`,
 * `not_pending`, `version_changed` (the reviewer saw another version), `limit_reached` and `invalid_transition` (the
 * flight has ended).
 */
export async function reviewCampaign(
  ctx: Ctx<PublisherActor>,
  input: { id: CampaignId } & Review,
): Promise<{ hasEnded: boolean }> {
  return inTransaction(ctx, async (tx) => {
    // A review that ends the campaign writes the line items of all publishers.
    const item = await lockLineItem(tx, input.id, { withOthers: true });
    if (item.approvalStatus !== "pending") {
      throw new DomainError("not_pending", "This campaign was already approved or rejected");
    }
    if (input.version && input.version !== item.sentVersion) {
      throw new DomainError("version_changed", "The advertiser changed this campaign. Review the new version first.");
    }
    if (input.action === "approve") await approve(tx, item);
    await recordDecision(tx, item, input);
    await refreshCampaignStatus(tx, item.campaignId);
    await notifyAllDecided(tx, item);
    // A rejected change may have raised the budget, and an approved one may have lowered it.
    return { hasEnded: await completeIfExhausted(tx, item.campaignId) };
  });
}

async function approve(ctx: Ctx<PublisherActor>, item: LockedLineItem): Promise<void> {
  if (item.endDate && item.endDate < calendarDateOf(ctx.clock())) {
    throw new DomainError("invalid_transition", "This campaign's end date has passed, so it can't be approved");
  }
  if (item.approvedVersion === null) await requirePlanCapacity(ctx);
  await freezeCpm(ctx, { campaignId: item.campaignId, version: item.sentVersion });
}

/** Freezes the CPM of the publisher's audiences in the version that it approves. */
export async function freezeCpm(
  ctx: Ctx<PublisherActor>,
  input: { campaignId: CampaignId; version: number },
): Promise<void> {
  await ctx.db
    .update(versionAudiences)
    .set({
      cpmCents: sql`(select ${audiences.cpmCents} from ${audiences} where ${audiences.id} = ${versionAudiences.audienceId})`,
    })
    .where(
      and(
        eq(versionAudiences.campaignId, input.campaignId),
        eq(versionAudiences.version, input.version),
        eq(versionAudiences.publisherId, ctx.actor.accountId),
        isNull(versionAudiences.cpmCents),
      ),
    );
}

async function recordDecision(ctx: Ctx<PublisherActor>, item: LockedLineItem, review: Review): Promise<void> {
  const now = ctx.clock();
  const approvalStatus = review.action === "approve" ? "approved" : "rejected";
  const notes = review.notes ?? null;
  const reasons = review.action === "reject" ? [...new Set(review.reasons ?? [])] : [];
  await ctx.db
    .update(lineItems)
    .set({
      approvalStatus,
      notes,
      decidedAt: now,
      ...(review.action === "approve" && { approvedVersion: item.sentVersion, statusChangedAt: now }),
    })
    .where(
      and(
        eq(lineItems.id, item.id),
        eq(lineItems.approvalStatus, "pending"),
        eq(lineItems.sentVersion, item.sentVersion),
      ),
    );
  await ctx.db.insert(decisions).values({
    id: newId<DecisionId>(),
    lineItemId: item.id,
    version: item.sentVersion,
    action: review.action,
    notes,
    reasons,
    decidedByUserId: ctx.actor.userId,
    decidedAt: now,
  });
  await recordAudit(ctx, {
    action: `line_item.${approvalStatus}`,
    entity: "line_item",
    entityId: item.id,
    campaignId: item.campaignId,
    ownerId: item.advertiserId,
    accountId: item.publisherId,
    before: { approval_status: "pending", version: item.sentVersion },
    after: {
      approval_status: approvalStatus,
      version: item.sentVersion,
      ...(reasons.length > 0 && { reasons }),
      ...(notes && { notes }),
    },
    notificationFacts: { ...isChangeFor(item), ...(reasons.length > 0 && { rejectionReasons: reasons }) },
  });
}
