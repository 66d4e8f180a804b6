import { and, eq, inArray } from "drizzle-orm";
import { accounts, audiences, campaigns, decisions, lineItems } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import { requirePlanRoom } from "../billing/require-plan-room.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { type AccountId, type AudienceId, type CampaignId, type DecisionId, newId } from "../ids.ts";
import { defaultCommissionBps } from "../rate.ts";
import { inTransaction } from "../transaction.server.ts";
import { emptyContent } from "./campaign-content.ts";
import type { ManagedCampaign } from "./campaign-payloads.ts";
import { checkedContent } from "./checked-content.server.ts";
import { refreshCampaignStatus } from "./refresh-campaign-status.server.ts";
import { freezeCpm } from "./review-campaign.server.ts";
import { sendVersion } from "./send-version.server.ts";

/**
 * A publisher creates a campaign for an advertiser that allows it: owned by the advertiser, over the publisher's own
 * audiences only, at the agreed commission rate, launched and approved at once.
 * Throws `invalid_input` (as a launch would, and for an advertiser that cannot be chosen), `limit_reached`.
 */
export async function createManagedCampaign(
  ctx: Ctx<PublisherActor>,
  input: ManagedCampaign,
): Promise<{ id: CampaignId }> {
  return inTransaction(ctx, async (tx) => {
    await requireChoosableAdvertiser(tx, input.advertiser_id);
    await requireOwnAudiences(tx, input.selected_audiences ?? []);
    await requirePlanRoom(tx);
    const content = await checkedContent(tx, { from: emptyContent, changes: input, ownerId: input.advertiser_id });
    const id = newId<CampaignId>();
    const now = tx.clock();
    const [row] = await tx.db
      .insert(campaigns)
      .values({
        id,
        advertiserId: input.advertiser_id,
        name: input.name ?? "",
        pacing: input.pacing ?? "even",
        ...content,
        managedByPublisherId: tx.actor.accountId,
        createdAt: now,
        updatedAt: now,
      })
      .returning();
    if (!row) throw new Error("insert returned no row");
    await sendVersion(tx, row, { commissionRateBps: input.commission_rate ?? defaultCommissionBps });
    await approveOwn(tx, { id, advertiserId: input.advertiser_id });
    return { id };
  });
}

async function requireChoosableAdvertiser(ctx: Ctx<PublisherActor>, id: AccountId): Promise<void> {
  const [advertiser] = await ctx.db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.id, id),
        eq(accounts.type, "advertiser"),
        eq(accounts.status, "approved"),
        eq(accounts.allowsManagedCampaigns, true),
      ),
    );
  if (!advertiser) throw invalidInput({ advertiser_id: ["Choose an advertiser from the list"] });
}

async function requireOwnAudiences(ctx: Ctx<PublisherActor>, ids: readonly AudienceId[]): Promise<void> {
  const asked = [...new Set(ids)];
  if (asked.length === 0) return;
  const own = await ctx.db.$count(
    audiences,
    and(eq(audiences.publisherId, ctx.actor.accountId), inArray(audiences.id, asked)),
  );
  if (own < asked.length) throw invalidInput({ selected_audiences: ["Choose audiences from the list"] });
}

async function approveOwn(
  ctx: Ctx<PublisherActor>,
  campaign: { id: CampaignId; advertiserId: AccountId },
): Promise<void> {
  const now = ctx.clock();
  const [item] = await ctx.db
    .update(lineItems)
    .set({ approvalStatus: "approved", approvedVersion: 1, decidedAt: now, changedAt: now })
    .where(and(eq(lineItems.campaignId, campaign.id), eq(lineItems.publisherId, ctx.actor.accountId)))
    .returning({ id: lineItems.id });
  if (!item) throw new Error("a managed campaign has its publisher's line item");
  await freezeCpm(ctx, { campaignId: campaign.id, version: 1 });
  await ctx.db.insert(decisions).values({
    id: newId<DecisionId>(),
    lineItemId: item.id,
    version: 1,
    action: "approve",
    decidedByUserId: ctx.actor.userId,
    decidedAt: now,
  });
  await refreshCampaignStatus(ctx, campaign.id);
  await recordAudit(ctx, {
    action: "line_item.approved",
    entity: "line_item",
    entityId: item.id,
    campaignId: campaign.id,
    ownerId: campaign.advertiserId,
    accountId: ctx.actor.accountId,
    before: { approval_status: "pending", version: 1 },
    after: { approval_status: "approved", version: 1, managed_by_retailer: true },
  });
}
