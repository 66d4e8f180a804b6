import type { LoaderFunctionArgs } from "@remix-run/node";
import { fetchProductImage } from "#app/domain/catalog/fetch-product-image.server.ts";
import type { ProductId } from "#app/domain/ids.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";

/**
 * A product's image, fetched by the server: its host learns nothing of who looks at the catalog (docs/decisions/0051). 204 where none
 * can be shown, since that is no fault of the page.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx } = await enterThisPortal(request, context);
  const image = await orNotFoundPage(fetchProductImage(ctx, idInAddress<ProductId>(params.id)));
  if (!image) return new Response(null, { status: 204, headers: { "Cache-Control": "private, max-age=300" } });
  return new Response(Uint8Array.from(image.bytes), {
    headers: {
      "Content-Type": image.type,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cache-Control": "private, max-age=3600",
    },
  });
}
