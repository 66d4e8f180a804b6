import { OutboundError } from "#app/outbound/outbound-error.ts";
import { type OutboundAnswer, sendOutbound } from "#app/outbound/send-outbound.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { ProductId } from "../ids.ts";
import { getProduct } from "./get-product.server.ts";

const maxBytes = 5 * 1024 * 1024;
const maxRedirects = 2;

type ProductImage = { type: string; bytes: Buffer };

/**
 * Fetches the image of one of the account's products from where the catalog says that it is. What comes counts as an image by its
 * first bytes, whatever its server calls it. Undefined where there is none, or none that a page may show. Throws `not_found`.
 */
export async function fetchProductImage(ctx: Ctx<TenantActor>, id: ProductId): Promise<ProductImage | undefined> {
  const { imageUrl } = await getProduct(ctx, id);
  if (!imageUrl) return undefined;
  try {
    const { status, body } = await follow(imageUrl);
    const type = imageType(body);
    return status === 200 && type ? { type, bytes: body } : undefined;
  } catch (error) {
    if (error instanceof OutboundError) return undefined;
    throw error;
  }
}

/** Each address on the way is checked like the first. */
async function follow(imageUrl: string): Promise<OutboundAnswer> {
  let url = new URL(imageUrl);
  for (let turn = 0; ; turn += 1) {
    const headers = { Accept: "image/webp, image/png, image/jpeg, image/gif" };
    const answer = await sendOutbound({ url, headers, bytes: maxBytes });
    const { location } = answer.headers;
    const goesOn = answer.status >= 300 && answer.status < 400 && location && URL.canParse(location, url);
    if (!goesOn || turn === maxRedirects) return answer;
    url = new URL(location, url);
  }
}

/** Images that browsers show and that carry no scripts. */
function imageType(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, 12);
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  return /^RIFF....WEBP$/s.test(start) ? "image/webp" : undefined;
}
