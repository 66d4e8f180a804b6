import { type ListedAudience, listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { type ListedProduct, listProducts } from "#app/domain/catalog/list-products.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { pageLimits } from "#app/domain/page.ts";
import type { WizardStep } from "./steps.ts";

export type AudienceOption = Omit<ListedAudience, "description"> & Partial<Pick<ListedAudience, "description">>;
export type ProductOption = Pick<ListedProduct, "id" | "name" | "sku"> & {
  priceCents?: ListedProduct["priceCents"];
};

/**
 * Returns a step's options. Selected items come first even if the search does not match them: the form posts its whole
 * selection, so a missing item would be removed.
 */
export async function listStepOptions(
  ctx: Ctx<AdvertiserActor>,
  { step, find, campaign }: { step: WizardStep; find?: string; campaign: CampaignDetail },
): Promise<{ audiences: AudienceOption[]; products: ProductOption[]; more: boolean }> {
  const query = { q: find, limit: pageLimits.max };
  if (step === 3) {
    const { rows, nextCursor } = await listAudiences(ctx, query);
    return { audiences: chosenFirst(campaign.audiences, rows), products: [], more: nextCursor !== null };
  }
  if (step === 2 && campaign.content.creativeIds.length > 0) {
    const { rows, nextCursor } = await listProducts(ctx, { ...query, listed: true });
    return { audiences: [], products: chosenFirst(campaign.products, rows), more: nextCursor !== null };
  }
  return { audiences: [], products: [], more: false };
}

function chosenFirst<Choice extends { id: string }>(chosen: readonly Choice[], found: readonly Choice[]): Choice[] {
  const ids = new Set(chosen.map((choice) => choice.id));
  const inList = new Map(found.map((choice) => [choice.id, choice]));
  return [...chosen.map((choice) => inList.get(choice.id) ?? choice), ...found.filter((choice) => !ids.has(choice.id))];
}
