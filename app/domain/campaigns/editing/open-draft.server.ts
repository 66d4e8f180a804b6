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
 * created before, if there is one, so that looking at the steps never leaves several drafts without a name. In test
 * mode, where nobody is signed in, it is the one that the same browser opened before (`opened`).
 */
export async function openDraft(
  ctx: Ctx<AdvertiserActor>,
  { changes, isEmpty, opened }: { changes: CampaignChanges; isEmpty: boolean; opened?: CampaignId | undefined },
): Promise<{ id: CampaignId }> {
  return (isEmpty ? await findOwnBlankDraft(ctx, opened) : undefined) ?? createCampaign(ctx, changes);
}

async function findOwnBlankDraft(
  ctx: Ctx<AdvertiserActor>,
  opened: CampaignId | undefined,
): Promise<{ id: CampaignId } | undefined> {
  const { accountId, userId } = ctx.actor;
  const isOwn = userId
    ? eq(auditEntries.actorUserId, userId)
    : opened &&
      and(
        eq(auditEntries.campaignId, opened),
        isNull(auditEntries.actorUserId),
        eq(auditEntries.entrypoint, "test_mode"),
      );
  if (!isOwn) return undefined;
  const ownCreation = ctx.db
    .select({ found: sql`1` })
    .from(auditEntries)
    .where(and(eq(auditEntries.campaignId, campaigns.id), eq(auditEntries.action, "campaign.created"), isOwn));
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
