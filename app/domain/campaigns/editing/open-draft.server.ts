import { and, desc, eq, exists, isNull, sql } from "drizzle-orm";
import { auditEntries, campaigns } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import type { CampaignId } from "../../ids.ts";
import type { CampaignChanges } from "../campaign-payloads.ts";
import { toCampaignValues } from "../campaign-rows.server.ts";
import { createCampaign } from "../create-campaign.server.ts";
import { isBlank } from "./step-states.ts";

/**
 * Opens a draft for the wizard's first step. A person who entered nothing gets back the blank draft that the person
 * created before, if there is one, so that looking at the steps never leaves several drafts without a name. In test mode,
 * where nobody is signed in, all who look at the demo are one person.
 */
export async function openDraft(
  ctx: Ctx<AdvertiserActor>,
  { changes, isEmpty }: { changes: CampaignChanges; isEmpty: boolean },
): Promise<{ id: CampaignId }> {
  return (isEmpty ? await findOwnBlankDraft(ctx) : undefined) ?? createCampaign(ctx, changes);
}

async function findOwnBlankDraft(ctx: Ctx<AdvertiserActor>): Promise<{ id: CampaignId } | undefined> {
  const { accountId, userId } = ctx.actor;
  if (!userId && ctx.entrypoint !== "test_mode") return undefined;
  const ownCreation = ctx.db
    .select({ found: sql`1` })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.campaignId, campaigns.id),
        eq(auditEntries.action, "campaign.created"),
        userId
          ? eq(auditEntries.actorUserId, userId)
          : and(isNull(auditEntries.actorUserId), eq(auditEntries.entrypoint, ctx.entrypoint)),
      ),
    );
  const [newest] = await ctx.db
    .select()
    .from(campaigns)
    .where(
      and(
        eq(campaigns.advertiserId, accountId),
        eq(campaigns.status, "draft"),
        eq(campaigns.name, ""),
        eq(campaigns.version, 0),
        isNull(campaigns.archivedAt),
        exists(ownCreation),
      ),
    )
    .orderBy(desc(campaigns.id))
    .limit(1);
  const blank = newest && isBlank(toCampaignValues(newest));
  return blank ? { id: newest.id } : undefined;
}
