import { and, desc, eq } from "drizzle-orm";
import { decisions, lineItems, users } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import type { CampaignId } from "../ids.ts";

const maxResults = 50;

/**
 * Lists the publisher's decision on each version it was sent, newest first; empty for a campaign without a line item of
 * the publisher.
 */
export async function listDecisions(ctx: Ctx<PublisherActor>, campaignId: CampaignId) {
  return ctx.db
    .select({
      id: decisions.id,
      version: decisions.version,
      action: decisions.action,
      notes: decisions.notes,
      reasons: decisions.reasons,
      decidedAt: decisions.decidedAt,
      decidedBy: users.name,
    })
    .from(decisions)
    .innerJoin(lineItems, eq(lineItems.id, decisions.lineItemId))
    .leftJoin(users, eq(users.id, decisions.decidedByUserId))
    .where(and(eq(lineItems.campaignId, campaignId), eq(lineItems.publisherId, ctx.actor.accountId)))
    .orderBy(desc(decisions.decidedAt))
    .limit(maxResults);
}

export type Decision = Awaited<ReturnType<typeof listDecisions>>[number];
