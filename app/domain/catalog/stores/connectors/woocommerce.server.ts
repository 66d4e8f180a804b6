import { z } from "zod";
import type { Patience } from "#app/outbound/send-patiently.server.ts";
import type { RawProduct } from "../../imports/reading/dialect-rows.ts";
import { askShop } from "./ask-shop.server.ts";
import { type ShopConnector, ShopError, type ShopPage } from "./shop-connector.ts";

/** Written to the WooCommerce REST API documentation, v3: Products, Product variations, Data currencies, Pagination. */
const pageSize = 100;

const currencySchema = z.object({ code: z.string() });
const amount = z.string().nullish();
const stock = {
  stock_quantity: z.number().nullish(),
  stock_status: z.string().nullish(),
};
const productSchema = z.object({
  id: z.int().positive(),
  name: z.string(),
  type: z.string(),
  sku: z.string().nullish(),
  price: amount,
  regular_price: amount,
  sale_price: amount,
  description: z.string().nullish(),
  short_description: z.string().nullish(),
  categories: z.array(z.object({ name: z.string() })).nullish(),
  brands: z.array(z.object({ name: z.string() })).nullish(),
  images: z.array(z.object({ src: z.string() })).nullish(),
  ...stock,
});
const variationSchema = z.object({
  id: z.int().positive(),
  sku: z.string().nullish(),
  regular_price: amount,
  sale_price: amount,
  price: amount,
  description: z.string().nullish(),
  image: z.object({ src: z.string() }).nullish(),
  attributes: z.array(z.object({ option: z.string().nullish() })).nullish(),
  ...stock,
});

type Product = z.output<typeof productSchema>;
type Variation = z.output<typeof variationSchema>;

/**
 * A WooCommerce shop, read with the consumer key and secret of a key that may read. Its products come a hundred at a time,
 * in the order of their numbers; the variations of each, again a hundred at a time. Over https, or the key would be read on the way.
 */
export function wooCommerce(
  { shopUrl, consumerKey, consumerSecret }: { shopUrl: string; consumerKey: string; consumerSecret: string },
  { patience }: { patience?: Patience } = {},
): ShopConnector {
  const headers = { Authorization: `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString("base64")}` };
  const root = shopUrl.endsWith("/") ? shopUrl : `${shopUrl}/`;

  async function get<S extends z.ZodType>(path: string, query: Record<string, string>, schema: S) {
    const url = new URL(`wp-json/wc/v3/${path}`, root);
    url.search = String(new URLSearchParams(query));
    return askShop({ url, headers }, schema, patience);
  }

  async function list<S extends z.ZodType>(path: string, page: number, schema: S) {
    const query = { per_page: String(pageSize), page: String(page), orderby: "id", order: "asc", status: "publish" };
    const { body, headers: said } = await get(path, query, z.array(schema));
    const pages = Number(said["x-wp-totalpages"]);
    if (!Number.isInteger(pages) || pages < 0) throw new ShopError("unreadable");
    return { rows: body, hasMore: page < pages };
  }

  async function variationsOf(product: Product): Promise<RawProduct[]> {
    const found: RawProduct[] = [];
    for (let page = 1, hasMore = true; hasMore; page += 1) {
      const answer = await list(`products/${product.id}/variations`, page, variationSchema);
      found.push(...answer.rows.map((variation) => rawVariation(product, variation)));
      hasMore = answer.hasMore;
    }
    return found;
  }

  return {
    async getName() {
      const { body } = await get("data/currencies/current", {}, currencySchema);
      if (body.code !== "USD") throw new ShopError("other_currency");
      // The key must open the products too, whatever else it opens.
      await list("products", 1, productSchema);
      return new URL(shopUrl).host;
    },
    async readPage(cursor) {
      const page = pageOf(cursor);
      const { rows, hasMore } = await list("products", page, productSchema);
      const made: ShopPage = { products: [], skipped: 0, next: hasMore ? String(page + 1) : undefined };
      for (const product of rows) {
        if (/^(variable|grouped)/.test(product.type)) made.skipped += 1;
        else made.products.push(rawSimple(product));
        if (product.type.startsWith("variable")) made.products.push(...(await variationsOf(product)));
      }
      return made;
    },
  };
}

function pageOf(cursor: string | undefined): number {
  if (cursor === undefined) return 1;
  if (!/^[1-9]\d{0,6}$/.test(cursor)) throw new ShopError("unreadable");
  return Number(cursor);
}

function rawSimple(product: Product): RawProduct {
  return {
    name: product.name,
    sku: product.sku ?? "",
    category: product.categories?.[0]?.name ?? "",
    price: priceOf(product),
    description: product.description || product.short_description || "",
    inventory: inventoryOf(product),
    image: product.images?.[0]?.src ?? "",
    brand: product.brands?.[0]?.name ?? "",
    group: "",
    derivedSku: `wc-${product.id}`,
  };
}

function rawVariation(product: Product, variation: Variation): RawProduct {
  const parent = rawSimple(product);
  const options = (variation.attributes ?? []).flatMap(({ option }) => option || []);
  return {
    ...parent,
    name: options.length > 0 ? `${product.name} – ${options.join(" / ")}` : product.name,
    sku: variation.sku ?? "",
    price: priceOf(variation),
    description: variation.description || parent.description,
    inventory: inventoryOf(variation),
    image: variation.image?.src || parent.image,
    group: product.sku || `id:${product.id}`,
    derivedSku: `wc-${variation.id}`,
  };
}

function priceOf({
  sale_price: sale,
  regular_price: regular,
  price,
}: Pick<Product, "sale_price" | "regular_price" | "price">) {
  return sale || regular || price || "";
}

/** Out of stock is none; in stock without a count is unknown. */
function inventoryOf({
  stock_quantity: quantity,
  stock_status: status,
}: Pick<Product, "stock_quantity" | "stock_status">) {
  if (typeof quantity === "number") return String(Math.trunc(quantity));
  return status === "outofstock" ? "0" : null;
}
