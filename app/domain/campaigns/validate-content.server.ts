import { and, eq, inArray } from "drizzle-orm";
import { creatives, products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { isVideo } from "../creatives/creative.ts";
import { listCreativesById } from "../creatives/creative-rows.server.ts";
import { invalidInput } from "../errors.ts";
import type { AccountId, CreativeId } from "../ids.ts";
import { applyContentChanges } from "./campaign-content.ts";
import type { CampaignContent } from "./campaign-fields.ts";
import type { CampaignChanges } from "./campaign-payloads.ts";
import { lockUsableAudiences } from "./campaign-rows.server.ts";

/**
 * Returns the content after the changes, with every id validated: audiences that can be used or were selected before,
 * the owner's own products, and the actor's own creatives. Foreign and unknown ids get the same message.
 */
export async function validateContent(
  ctx: Ctx<TenantActor>,
  input: { from: CampaignContent; changes: CampaignChanges; ownerId: AccountId },
): Promise<CampaignContent> {
  const { content, errors } = applyContentChanges(input.from, input.changes);
  const newAudienceIds = content.audienceIds.filter((id) => !input.from.audienceIds.includes(id));
  const usable = await lockUsableAudiences(ctx, { ids: newAudienceIds });
  if (usable.length < newAudienceIds.length) errors.selected_audiences = ["Choose audiences from the list"];
  const newProductIds = content.productIds.filter((id) => !input.from.productIds.includes(id));
  if (newProductIds.length > 0) {
    const own = await ctx.db
      .select({ id: products.id, name: products.name, listingStatus: products.listingStatus })
      .from(products)
      .where(and(eq(products.accountId, input.ownerId), inArray(products.id, newProductIds)))
      // Waits for a concurrent deletion, and the other way round.
      .for("key share");
    if (own.length < newProductIds.length) errors.selected_products = ["Choose products from the list"];
    const unlisted = own.find(({ listingStatus }) => listingStatus !== "active");
    if (unlisted)
      errors.selected_products = [`“${unlisted.name}” is not active in the catalog. Choose active products.`];
  }
  const newCreativeIds = content.creativeIds.filter((id) => !input.from.creativeIds.includes(id));
  if (newCreativeIds.length > 0 && (await countOwnCreatives(ctx, newCreativeIds)) < newCreativeIds.length) {
    errors.creative_ids = ["Choose creatives from the list"];
  }
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
  return { ...content, creativePreviewUrl: await findPreviewUrl(ctx, content) };
}

async function countOwnCreatives(ctx: Ctx<TenantActor>, ids: readonly CreativeId[]): Promise<number> {
  const own = await ctx.db
    .select({ id: creatives.id })
    .from(creatives)
    .where(and(eq(creatives.accountId, ctx.actor.accountId), inArray(creatives.id, [...ids])))
    .for("key share");
  return own.length;
}

async function findPreviewUrl(ctx: Ctx, { creativeIds }: CampaignContent): Promise<string | null> {
  const chosen = await listCreativesById(ctx, creativeIds);
  return (chosen.find((one) => !isVideo(one)) ?? chosen[0])?.path ?? null;
}
