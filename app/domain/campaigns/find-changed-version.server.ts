import { inArray } from "drizzle-orm";
import { creatives, products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { invariant } from "../invariant.ts";
import { differingFields } from "./campaign-content.ts";
import type { CampaignContent } from "./campaign-fields.ts";
import type { CampaignChanges } from "./campaign-payloads.ts";
import { type CampaignRow, findVersionContent } from "./campaign-rows.server.ts";
import { validateContent } from "./validate-content.server.ts";

/**
 * Returns the content of a launched campaign's newest version with these changes and no others; undefined when they
 * change nothing of it. The caller has locked the campaign. Throws `invalid_input`.
 */
export async function findChangedVersion(
  ctx: Ctx<TenantActor>,
  { row, changes }: { row: CampaignRow; changes: CampaignChanges },
): Promise<CampaignContent | undefined> {
  const sent = await findVersionContent(ctx, row.id, row.version);
  invariant(sent, "launched campaign has no version", { id: row.id });
  const from = await withoutDeleted(ctx, sent);
  const content = await validateContent(ctx, { from, changes, ownerId: row.advertiserId });
  return differingFields(from, content).length > 0 ? content : undefined;
}

/**
 * A version keeps the ids of products and creatives that were deleted since it was sent; another one has none of them.
 */
async function withoutDeleted(ctx: Ctx, content: CampaignContent): Promise<CampaignContent> {
  const { productIds, creativeIds } = content;
  const [ownProducts, ownCreatives] = await Promise.all([
    ctx.db.select({ id: products.id }).from(products).where(inArray(products.id, productIds)).for("key share"),
    ctx.db.select({ id: creatives.id }).from(creatives).where(inArray(creatives.id, creativeIds)).for("key share"),
  ]);
  const isKept = new Set<string>([...ownProducts, ...ownCreatives].map(({ id }) => id));
  return {
    ...content,
    productIds: productIds.filter((id) => isKept.has(id)),
    creativeIds: creativeIds.filter((id) => isKept.has(id)),
  };
}
