import { and, eq, isNotNull, notInArray } from "drizzle-orm";
import { removePaymentMethod } from "#app/domain/billing/payment-methods/remove-payment-method.server.ts";
import { deleteDraft } from "#app/domain/campaigns/delete-draft.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { deleteCreative } from "#app/domain/creatives/delete-creative.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { CreativeId } from "#app/domain/ids.ts";
import { campaigns, creatives, paymentMethods } from "#db/schema/index.ts";
import { isAdvertiser } from "./tenant-actor.ts";

/**
 * Deletes what has verbs of its own, one by one: cards, also at the payment provider, drafts, and creatives that no
 * campaign shows. Creatives of campaigns that ran stay with these, and are returned.
 */
export async function removeAccountParts(ctx: Ctx<TenantActor>): Promise<CreativeId[]> {
  const { accountId } = ctx.actor;
  const cards = await ctx.db.select({ id: paymentMethods.id }).from(paymentMethods).where(areCardsOf(ctx));
  for (const card of cards) await removePaymentMethod(ctx, card);
  if (isAdvertiser(ctx)) {
    const drafts = await ctx.db.select({ id: campaigns.id }).from(campaigns).where(areDraftsOf(ctx));
    for (const draft of drafts) await deleteDraft(ctx, draft);
  }
  const files = await ctx.db.select({ id: creatives.id }).from(creatives).where(eq(creatives.accountId, accountId));
  const staying: CreativeId[] = [];
  for (const file of files) if (!(await unlessInUse(deleteCreative(ctx, file)))) staying.push(file.id);
  return staying;
}

/** Whether the account has a part that was not removed, because it was added meanwhile. */
export async function hasOtherParts(ctx: Ctx<TenantActor>, stayingCreatives: readonly CreativeId[]): Promise<boolean> {
  const { db, actor } = ctx;
  if ((await db.$count(paymentMethods, areCardsOf(ctx))) > 0) return true;
  const others = and(eq(creatives.accountId, actor.accountId), notInArray(creatives.id, [...stayingCreatives]));
  if ((await db.$count(creatives, others)) > 0) return true;
  return isAdvertiser(ctx) && (await db.$count(campaigns, areDraftsOf(ctx))) > 0;
}

function areDraftsOf({ actor }: Ctx<TenantActor>) {
  return and(eq(campaigns.advertiserId, actor.accountId), eq(campaigns.status, "draft"), eq(campaigns.version, 0));
}

function areCardsOf({ actor }: Ctx<TenantActor>) {
  return and(eq(paymentMethods.accountId, actor.accountId), isNotNull(paymentMethods.token));
}

/** Returns whether it was deleted. */
async function unlessInUse(deletion: Promise<void>): Promise<boolean> {
  try {
    await deletion;
    return true;
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "invalid_transition")) throw error;
    return false;
  }
}
