import { and, eq, isNotNull } from "drizzle-orm";
import { removePaymentMethod } from "#app/domain/billing/payment-methods/remove-payment-method.server.ts";
import { deleteDraft } from "#app/domain/campaigns/delete-draft.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { deleteCreative } from "#app/domain/creatives/delete-creative.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { campaigns, creatives, paymentMethods } from "#db/schema/index.ts";
import { isAdvertiser } from "./tenant-actor.ts";

/**
 * Deletes what has verbs of its own, one by one: cards, also at the payment provider, drafts, and creatives that no
 * campaign shows. Creatives of campaigns that ran stay with these.
 */
export async function removeAccountParts(ctx: Ctx<TenantActor>): Promise<void> {
  const { accountId } = ctx.actor;
  const cards = await ctx.db.select({ id: paymentMethods.id }).from(paymentMethods).where(areCardsOf(ctx));
  for (const card of cards) await removePaymentMethod(ctx, card);
  if (isAdvertiser(ctx)) {
    const drafts = await ctx.db
      .select({ id: campaigns.id })
      .from(campaigns)
      .where(and(eq(campaigns.advertiserId, accountId), eq(campaigns.status, "draft"), eq(campaigns.version, 0)));
    for (const draft of drafts) await deleteDraft(ctx, draft);
  }
  const files = await ctx.db.select({ id: creatives.id }).from(creatives).where(eq(creatives.accountId, accountId));
  for (const file of files) await unlessInUse(deleteCreative(ctx, file));
}

/** Whether the account has a card that is not removed, such as one that was added meanwhile. */
export async function hasCards(ctx: Ctx<TenantActor>): Promise<boolean> {
  return (await ctx.db.$count(paymentMethods, areCardsOf(ctx))) > 0;
}

function areCardsOf({ actor }: Ctx<TenantActor>) {
  return and(eq(paymentMethods.accountId, actor.accountId), isNotNull(paymentMethods.token));
}

async function unlessInUse(deletion: Promise<void>): Promise<void> {
  await deletion.catch((error: unknown) => {
    if (!(error instanceof DomainError && error.code === "invalid_transition")) throw error;
  });
}
