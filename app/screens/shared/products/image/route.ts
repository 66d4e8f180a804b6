import type { LoaderFunctionArgs } from "@remix-run/node";
import { fetchProductImage } from "#app/domain/catalog/fetch-product-image.server.ts";
import type { ProductId } from "#app/domain/ids.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

/**
 * Serves a product's image, fetched by the server, so that the image's host learns nothing about viewers of the catalog
 * (docs/decisions/0051). Responds with 204 if the image is unavailable, since that is no error of the page.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx } = await requireCurrentPortalAccess(request, context);
  const image = await orThrow404(fetchProductImage(ctx, requireIdParam<ProductId>(params.id)));
  if (!image) return new Response(null, { status: 204, headers: { "Cache-Control": "private, max-age=300" } });
  return new Response(Uint8Array.from(image.bytes), {
    headers: {
      "Content-Type": image.type,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cache-Control": "private, max-age=3600",
    },
  });
}
