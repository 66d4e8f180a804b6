import { and, eq, inArray } from "drizzle-orm";
import { creatives, products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { isFilm } from "../creatives/creative.ts";
import { listCreativesOf } from "../creatives/creative-rows.server.ts";
import { invalidInput } from "../errors.ts";
import type { AccountId, CreativeId } from "../ids.ts";
import { type CampaignContent, changeContent } from "./campaign-content.ts";
import type { CampaignChanges } from "./campaign-payloads.ts";
import { listUsableAudiences } from "./campaign-rows.server.ts";

/**
 * The content after the changes, with every id in it checked: audiences that can be used (or were chosen before), the
 * owner's own products, and the actor's own creatives. A foreign id and an absent one get the same words.
 */
export async function checkedContent(
  ctx: Ctx<TenantActor>,
  input: { from: CampaignContent; changes: CampaignChanges; ownerId: AccountId },
): Promise<CampaignContent> {
  const { content, errors } = changeContent(input.from, input.changes);
  const newAudienceIds = content.audienceIds.filter((id) => !input.from.audienceIds.includes(id));
  const usable = await listUsableAudiences(ctx, newAudienceIds);
  if (usable.length < newAudienceIds.length) errors.selected_audiences = ["Choose audiences from the list"];
  const newProductIds = content.productIds.filter((id) => !input.from.productIds.includes(id));
  if (newProductIds.length > 0) {
    const own = await ctx.db
      .select({ id: products.id })
      .from(products)
      .where(and(eq(products.accountId, input.ownerId), inArray(products.id, newProductIds)))
      // One that is being deleted is waited for, and the other way round.
      .for("key share");
    if (own.length < newProductIds.length) errors.selected_products = ["Choose products from the list"];
  }
  const newCreativeIds = content.creativeIds.filter((id) => !input.from.creativeIds.includes(id));
  if (newCreativeIds.length > 0 && (await countOwnCreatives(ctx, newCreativeIds)) < newCreativeIds.length) {
    errors.creative_ids = ["Choose creatives from the list"];
  }
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
  return { ...content, creativePreviewUrl: await previewOf(ctx, content) };
}

async function countOwnCreatives(ctx: Ctx<TenantActor>, ids: readonly CreativeId[]): Promise<number> {
  const own = await ctx.db
    .select({ id: creatives.id })
    .from(creatives)
    .where(and(eq(creatives.accountId, ctx.actor.accountId), inArray(creatives.id, [...ids])))
    .for("key share");
  return own.length;
}

async function previewOf(ctx: Ctx, { creativeIds }: CampaignContent): Promise<string | null> {
  const chosen = await listCreativesOf(ctx, creativeIds);
  return (chosen.find((one) => !isFilm(one)) ?? chosen[0])?.path ?? null;
}
