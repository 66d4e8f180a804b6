import { and, eq, inArray } from "drizzle-orm";
import { products } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import { invalidInput } from "../errors.ts";
import type { AccountId } from "../ids.ts";
import { type CampaignContent, changeContent } from "./campaign-content.ts";
import type { CampaignChanges } from "./campaign-payloads.ts";
import { listUsableAudiences } from "./campaign-rows.server.ts";

/**
 * The content after the changes, with every id in it checked: audiences that can be used (or were chosen before), and
 * the owner's own products. A foreign id and an absent one get the same words.
 */
export async function checkedContent(
  ctx: Ctx,
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
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
  return content;
}
