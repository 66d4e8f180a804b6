import type { z } from "zod";
import { categorizeProducts } from "#app/domain/catalog/categorize-products.server.ts";
import { deleteProducts } from "#app/domain/catalog/delete-products.server.ts";
import { maxSelectedProducts } from "#app/domain/catalog/product.ts";
import type { ProductSelection } from "#app/domain/catalog/product-filter.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { type ProductId, parseId } from "#app/domain/ids.ts";
import { pluralize } from "#app/ui/format.ts";
import { parseProductSearch, toProductFilter } from "./list/load-products.server.ts";
import type { selectionActionSchema } from "./product-form-schemas.ts";

/** Parses a URL's selection: the selected products, or all that match its filter. Undefined if nothing is selected. */
export function parseSelection(request: Request): ProductSelection | undefined {
  const query = new URL(request.url).searchParams;
  if (query.get("of") === "all") return { matching: toProductFilter(parseProductSearch(request)) };
  const ids = query.getAll("product").flatMap((text) => parseId<ProductId>(text) ?? []);
  return ids.length === 0 ? undefined : { ids: ids.slice(0, maxSelectedProducts) };
}

/** Performs the form's bulk action and responds with a message. */
export async function handleSelectionAction(
  ctx: Ctx<TenantActor>,
  { selection, form }: { selection: ProductSelection; form: z.output<typeof selectionActionSchema> },
): Promise<string> {
  if (form.intent === "category") {
    const { changed } = await categorizeProducts(ctx, { selection, category: form.category });
    return `${pluralize(changed, "product")} moved to “${form.category}”`;
  }
  const { deleted, kept } = await deleteProducts(ctx, selection);
  const stay =
    kept === 1
      ? "1 product was not deleted because campaigns use it"
      : `${pluralize(kept, "product")} were not deleted because campaigns use them`;
  return `${pluralize(deleted, "product")} deleted${kept > 0 ? `. ${stay}` : ""}`;
}
