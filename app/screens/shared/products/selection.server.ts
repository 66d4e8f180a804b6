import type { z } from "zod";
import { categorizeProducts } from "#app/domain/catalog/categorize-products.server.ts";
import { deleteProducts } from "#app/domain/catalog/delete-products.server.ts";
import { mostSelected } from "#app/domain/catalog/product.ts";
import type { ProductSelection } from "#app/domain/catalog/product-filter.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { type ProductId, parseId } from "#app/domain/ids.ts";
import { formatNumberOf } from "#app/ui/format.ts";
import { filterOf, searchOf } from "./load-products.server.ts";
import type { selectionForms } from "./product-forms.ts";

/** What an address chooses: the ticked products, or all that its filter finds. Undefined when it chooses none. */
export function selectionIn(request: Request): ProductSelection | undefined {
  const query = new URL(request.url).searchParams;
  if (query.get("of") === "all") return { matching: filterOf(searchOf(request)) };
  const ids = query.getAll("product").flatMap((text) => parseId<ProductId>(text) ?? []);
  return ids.length === 0 ? undefined : { ids: ids.slice(0, mostSelected) };
}

/** Does what the form says, and answers with a sentence about it. */
export async function applyToSelection(
  ctx: Ctx<TenantActor>,
  { selection, form }: { selection: ProductSelection; form: z.output<typeof selectionForms> },
): Promise<string> {
  if (form.intent === "category") {
    const { changed } = await categorizeProducts(ctx, { selection, category: form.category });
    return `${formatNumberOf(changed, "product")} moved to “${form.category}”`;
  }
  const { deleted, kept } = await deleteProducts(ctx, selection);
  const stay =
    kept === 1
      ? "1 product stays, because campaigns show it"
      : `${formatNumberOf(kept, "product")} stay, because campaigns show them`;
  return `${formatNumberOf(deleted, "product")} deleted${kept > 0 ? `. ${stay}` : ""}`;
}
