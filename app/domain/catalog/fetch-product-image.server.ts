import { OutboundError } from "#app/outbound/outbound-error.ts";
import { type OutboundResponse, sendOutbound } from "#app/outbound/send-outbound.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { ProductId } from "../ids.ts";
import { isDemoProductImage, readDemoProductImage } from "./demo-product-image.server.ts";
import { getProduct } from "./get-product.server.ts";

const maxBytes = 5 * 1024 * 1024;
const maxRedirects = 2;
/** For the image and its redirects together, in milliseconds. */
const maxMs = 5_000;

type ProductImage = { type: string; bytes: Buffer };

/**
 * Fetches the image of one of the account's products from its URL in the catalog. The response counts as an image by
 * its first bytes, whatever its content type. The images of demo products are files of the project. Returns undefined
 * when there is no image or none that a page may show. Throws `not_found`.
 */
export async function fetchProductImage(
  ctx: Ctx<TenantActor>,
  id: ProductId,
  timeoutMs = maxMs,
): Promise<ProductImage | undefined> {
  const { imageUrl } = await getProduct(ctx, id);
  if (!imageUrl) return undefined;
  if (isDemoProductImage(imageUrl)) {
    const bytes = await readDemoProductImage(imageUrl);
    return bytes && { type: "image/png", bytes };
  }
  try {
    const { status, body } = await follow(imageUrl, timeoutMs);
    const type = imageType(body);
    return status === 200 && type ? { type, bytes: body } : undefined;
  } catch (error) {
    if (error instanceof OutboundError) return undefined;
    throw error;
  }
}

/** Follows redirects; every URL is checked like the first. */
async function follow(imageUrl: string, timeoutMs: number): Promise<OutboundResponse> {
  const end = performance.now() + timeoutMs;
  let url = new URL(imageUrl);
  for (let redirects = 0; ; redirects += 1) {
    const headers = { Accept: "image/webp, image/png, image/jpeg, image/gif" };
    const left = Math.ceil(end - performance.now());
    if (left <= 0) throw new OutboundError("timed_out", url.host);
    const response = await sendOutbound({ url, headers, bytes: maxBytes, timeoutMs: left });
    const { location } = response.headers;
    const isRedirect = response.status >= 300 && response.status < 400 && location && URL.canParse(location, url);
    if (!isRedirect || redirects === maxRedirects) return response;
    url = new URL(location, url);
  }
}

/** Image formats that browsers display and that cannot contain scripts. */
function imageType(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, 12);
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  return /^RIFF....WEBP$/s.test(start) ? "image/webp" : undefined;
}
