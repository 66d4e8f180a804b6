import { z } from "zod";
import { importLimits } from "#app/domain/catalog/imports/catalog-import.ts";
import type { RawProduct } from "#app/domain/catalog/imports/parsing/raw-product.ts";
import { strictestStatus } from "#app/domain/catalog/imports/parsing/values/listing-status.ts";
import type { ListingStatus } from "#app/domain/catalog/product.ts";
import type { RetryPolicy } from "#app/outbound/send-with-retry.server.ts";
import { serviceApis } from "#app/outbound/service-apis.ts";
import { fetchStoreJson } from "./fetch-store-json.server.ts";
import { requireCurrency, type StoreConnector, StoreConnectorError, type StorePage } from "./store-connector.ts";

/**
 * Written for the WooCommerce REST API v3: Products, Product variations, Product categories, Data currencies,
 * Pagination.
 */
const pageSize = 100;
/** A list with more pages has more products than are imported, or belongs to a faulty store whose pages never end. */
const maxPages = importLimits.rows / pageSize;
/** More levels of categories are a loop. */
const maxLevels = 20;

const currencySchema = z.object({ code: z.string() });
const amount = z.string().nullish();
const offer = {
  status: z.string().nullish(),
  /** Whether the sale price applies now: WooCommerce compares its dates. */
  on_sale: z.boolean().nullish(),
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
  categories: z.array(z.object({ id: z.int().nullish(), name: z.string() })).nullish(),
  brands: z.array(z.object({ name: z.string() })).nullish(),
  images: z.array(z.object({ src: z.string() })).nullish(),
  ...offer,
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
  ...offer,
});

const categorySchema = z.object({ id: z.int(), name: z.string(), parent: z.int().nullish() });

/** A store's categories by their ids. */
type Categories = ReadonlyMap<number, z.output<typeof categorySchema>>;
type Product = z.output<typeof productSchema>;
type Variation = z.output<typeof variationSchema>;

/**
 * Reads a WooCommerce store with the consumer key and secret of an API key with read permission. Products are read in
 * pages of a hundred by id, and the variations of each likewise. Only over https, because the key is sent with every
 * request.
 */
export function wooCommerce(
  { storeUrl, consumerKey, consumerSecret }: { storeUrl: string; consumerKey: string; consumerSecret: string },
  { retryPolicy }: { retryPolicy?: RetryPolicy } = {},
): StoreConnector {
  const headers = { Authorization: `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString("base64")}` };
  const root = storeUrl.endsWith("/") ? storeUrl : `${storeUrl}/`;

  async function get<S extends z.ZodType>(path: string, query: Record<string, string>, schema: S) {
    const url = new URL(`wp-json/wc/${serviceApis.woocommerce.version}/${path}`, root);
    url.search = String(new URLSearchParams(query));
    return fetchStoreJson({ url, headers }, schema, retryPolicy);
  }

  /** Only the fields of the schema: the metadata of plugins would make a page of a hundred products too large. */
  async function list<S extends z.ZodObject>(path: string, page: number, schema: S) {
    const order = { orderby: "id", order: "asc", status: "any" };
    const fields = Object.keys(schema.shape).join();
    const query = { per_page: String(pageSize), page: String(page), ...order, _fields: fields };
    const { body, headers: responseHeaders } = await get(path, query, z.array(schema));
    const pages = Number(responseHeaders["x-wp-totalpages"]);
    if (!Number.isInteger(pages) || pages < 0) throw new StoreConnectorError("unexpected_response");
    if (pages > maxPages) throw new StoreConnectorError("too_large");
    return { rows: body, hasMore: page < pages };
  }

  async function listAll<S extends z.ZodObject>(path: string, schema: S): Promise<z.output<S>[]> {
    const rows: z.output<S>[] = [];
    for (let page = 1, hasMore = true; hasMore; page += 1) {
      const response = await list(path, page, schema);
      rows.push(...response.rows);
      hasMore = response.hasMore;
    }
    return rows;
  }

  /**
   * Read once, with the first page that has products. A key that may not read categories gets those of the products.
   */
  async function readCategories(): Promise<Categories> {
    const categories = await listAll("products/categories", categorySchema).catch((error: unknown) => {
      if (error instanceof StoreConnectorError && refusals.includes(error.problem)) return [];
      throw error;
    });
    return new Map(categories.map((category) => [category.id, category]));
  }

  async function checkCurrency() {
    const { body } = await get("data/currencies/current", {}, currencySchema);
    requireCurrency(body.code);
  }

  let categories: Categories | undefined;
  return {
    async getName() {
      await checkCurrency();
      // The key must also have permission to read products.
      await list("products", 1, productSchema);
      return new URL(storeUrl).host;
    },
    async readPage(cursor) {
      const page = parsePageCursor(cursor);
      if (page === 1) await checkCurrency();
      const { rows, hasMore } = await list("products", page, productSchema);
      const result: StorePage = { products: [], skipped: 0, next: hasMore ? String(page + 1) : undefined };
      for (const product of rows) {
        categories ??= await readCategories();
        const own = rawSimple(product, categories);
        if (/^(variable|grouped)/.test(product.type)) result.skipped += 1;
        else result.products.push(own);
        if (!product.type.startsWith("variable")) continue;
        const variations = await listAll(`products/${product.id}/variations`, variationSchema);
        result.products.push(...variations.map((variation) => rawVariation(product, own, variation)));
      }
      return result;
    },
  };
}

function parsePageCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 1;
  if (!/^[1-9]\d{0,6}$/.test(cursor)) throw new StoreConnectorError("unexpected_response");
  return Number(cursor);
}

/** What a store responds with where the key lacks a permission. */
const refusals: readonly string[] = ["invalid_credentials", "missing_scope"];

/** Returns the name of a category behind those above it, as the store's export writes it. */
function categoryOf({ categories }: Product, all: Categories): string {
  const first = categories?.[0];
  const names: string[] = [];
  for (let at = all.get(first?.id ?? 0); at && names.length < maxLevels; at = all.get(at.parent ?? 0))
    names.unshift(at.name);
  return names.length > 0 ? names.join(" > ") : (first?.name ?? "");
}

function rawSimple(product: Product, categories: Categories): RawProduct {
  return {
    name: product.name,
    sku: product.sku ?? "",
    category: categoryOf(product, categories),
    price: effectivePrice(product),
    description: product.description || product.short_description || "",
    inventory: toInventory(product),
    image: product.images?.[0]?.src ?? "",
    brand: product.brands?.[0]?.name ?? "",
    group: "",
    status: toListingStatus(product.status),
    derivedSku: `wc-${product.id}`,
  };
}

function rawVariation(product: Product, parent: RawProduct, variation: Variation): RawProduct {
  const options = (variation.attributes ?? []).flatMap(({ option }) => option || []);
  return {
    ...parent,
    name: options.length > 0 ? `${product.name} – ${options.join(" / ")}` : product.name,
    sku: variation.sku ?? "",
    price: effectivePrice(variation),
    description: variation.description || parent.description,
    inventory: toInventory(variation),
    image: variation.image?.src || parent.image,
    group: product.sku || `id:${product.id}`,
    status: strictestStatus([parent.status, toListingStatus(variation.status)]),
    derivedSku: `wc-${variation.id}`,
  };
}

/** The sale price counts while WooCommerce says so; a store that does not say it has no dates. */
function effectivePrice({
  on_sale: isOnSale,
  sale_price: sale,
  regular_price: regular,
  price,
}: Pick<Product, "on_sale" | "sale_price" | "regular_price" | "price">) {
  return (isOnSale === false ? "" : sale) || regular || price || "";
}

/** Drafts, pending and private products are not for sale; products in the trash are not listed. */
function toListingStatus(status: string | null | undefined): ListingStatus | null {
  if (!status) return null;
  return status === "publish" ? "active" : "draft";
}

/** Out of stock is 0; in stock without a quantity is unknown. */
function toInventory({
  stock_quantity: quantity,
  stock_status: status,
}: Pick<Product, "stock_quantity" | "stock_status">) {
  if (typeof quantity === "number") return String(Math.trunc(quantity));
  return status === "outofstock" ? "0" : null;
}
