import { type FakeServer, startFakeServer } from "./fake-integrations.ts";

/** Local fakes of stores, built from their public documentation: paths, headers, pages, limits, errors. */

export type ShopifyVariant = {
  title: string;
  handle: string;
  options?: string[];
  sku?: string | null;
  price?: string;
  quantity?: number;
  tracked?: boolean;
  productType?: string;
  category?: string;
  image?: string;
  description?: string;
  status?: string;
  isPublished?: boolean;
};

type Shopify = {
  token: string;
  variants: ShopifyVariant[];
  /** It may be changed later. */
  currency?: string;
  points?: number;
  /** Points per second. A store's is 100, for which a sync of a few pages would wait seconds. */
  restoreRate?: number;
  /** The app's client, which gets tokens for as many queries as `uses`. */
  client?: { id: string; secret: string; uses?: number };
};

/** GraphQL by POST, a hundred variants per page, and a bucket of points that each query consumes. */
export function startShopify(shop: Shopify): Promise<FakeServer> {
  const { token, variants, points = 2_000, restoreRate = 10_000, client } = shop;
  let available = points;
  let filledAt = Date.now();
  let granted = 0;
  let left = 0;
  return startFakeServer(({ method, url, headers, body }) => {
    if (method === "POST" && url.pathname === "/admin/oauth/access_token") {
      const given = new URLSearchParams(body);
      const isKnown = given.get("client_id") === client?.id && given.get("client_secret") === client?.secret;
      if (!isKnown || given.get("grant_type") !== "client_credentials") {
        return { status: 400, body: { error: "invalid_client" } };
      }
      granted += 1;
      left = client?.uses ?? Number.POSITIVE_INFINITY;
      return { body: { access_token: `shpat_${granted}`, scope: "read_products,read_inventory", expires_in: 86_399 } };
    }
    if (method !== "POST" || !/^\/admin\/api\/\d{4}-\d\d\/graphql\.json$/.test(url.pathname)) {
      return { status: 404, body: { errors: "Not Found" } };
    }
    const isGranted = granted > 0 && headers["x-shopify-access-token"] === `shpat_${granted}` && left-- > 0;
    if (headers["x-shopify-access-token"] !== token && !isGranted) {
      return { status: 401, body: { errors: "[API] Invalid API key or access token" } };
    }
    const { query, variables } = JSON.parse(body);
    const requested = query.includes("productVariants") ? 700 : 1;
    available = Math.min(points, available + ((Date.now() - filledAt) / 1000) * restoreRate);
    filledAt = Date.now();
    const cost = () => ({
      requestedQueryCost: requested,
      throttleStatus: { maximumAvailable: points, currentlyAvailable: available, restoreRate },
    });
    if (requested > available) {
      available = points;
      const throttled = { message: "Throttled", extensions: { code: "THROTTLED" } };
      return {
        body: {
          errors: [throttled],
          extensions: { cost: { ...cost(), throttleStatus: { ...cost().throttleStatus, currentlyAvailable: 0 } } },
        },
      };
    }
    available -= requested;
    const createResponse = (data: unknown) => ({ body: { data, extensions: { cost: cost() } } });
    const facts = { name: "Sahra & Beyond", currencyCode: shop.currency ?? "USD" };
    if (!query.includes("productVariants")) return createResponse({ shop: facts });
    const from = variables.after ? Number(Buffer.from(variables.after, "base64").toString()) : 0;
    const end = Math.min(from + 100, variants.length);
    return createResponse({
      shop: facts,
      productVariants: {
        nodes: variants.slice(from, end).map(variantNode),
        pageInfo: { hasNextPage: end < variants.length, endCursor: Buffer.from(String(end)).toString("base64") },
      },
    });
  });
}

function variantNode({ title, handle, options = [], sku, price = "10.00", quantity, ...more }: ShopifyVariant) {
  const picture = more.image ? { preview: { image: { url: more.image } } } : null;
  return {
    sku,
    barcode: null,
    price,
    inventoryQuantity: quantity ?? 0,
    inventoryItem: { tracked: more.tracked ?? quantity !== undefined },
    selectedOptions: (options.length > 0 ? options : ["Default Title"]).map((value) => ({ value })),
    media: { nodes: [] },
    product: {
      title,
      handle,
      descriptionHtml: more.description ?? "",
      vendor: "Sahra",
      status: more.status ?? "ACTIVE",
      publishedAt: more.isPublished === false ? null : "2024-03-01T09:00:00Z",
      productType: more.productType ?? "",
      category: more.category ? { fullName: more.category } : null,
      featuredMedia: picture,
    },
  };
}

type WooProduct = Record<string, unknown> & { id: number; variations?: Record<string, unknown>[] };

type WooCategory = { id: number; name: string; parent: number };
type Woo = {
  key: string;
  secret: string;
  products: WooProduct[];
  currency?: string;
  /** Undefined: the key may not read them. */
  categories?: WooCategory[];
};

/** Basic credentials, a hundred rows per page, the number of pages in `X-WP-TotalPages`. */
export function startWooCommerce(shop: Woo): Promise<FakeServer> {
  const { key, secret, products } = shop;
  return startFakeServer(({ url, headers }) => {
    const error = (status: number, code: string) => ({ status, body: { code, message: code, data: { status } } });
    const [, path] = url.pathname.match(/^\/shop\/wp-json\/wc\/v3\/(.+)$/) ?? [];
    if (!path) return error(404, "rest_no_route");
    const credentials = Buffer.from((headers.authorization ?? "").replace(/^Basic /, ""), "base64").toString();
    const { currency = "USD" } = shop;
    if (path === "data/currencies/current") return { body: { code: currency, name: currency, symbol: "" } };
    if (credentials !== `${key}:${secret}`) return error(401, "woocommerce_rest_cannot_view");
    const size = Number(url.searchParams.get("per_page") ?? 10);
    const page = Number(url.searchParams.get("page") ?? 1);
    if (size > 100) return error(400, "rest_invalid_param");
    const [, id] = path.match(/^products\/(\d+)\/variations$/) ?? [];
    if (path === "products/categories" && !shop.categories) return error(401, "woocommerce_rest_cannot_view");
    if (!id && !/^products(?:\/categories)?$/.test(path)) return error(404, "rest_no_route");
    const rows: object[] =
      path === "products/categories"
        ? (shop.categories ?? [])
        : id
          ? (products.find((one) => String(one.id) === id)?.variations ?? [])
          : products.map(wooNode);
    const pages = Math.ceil(rows.length / size);
    const fields = url.searchParams.get("_fields")?.split(",");
    const shown = (row: object) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => fields?.includes(name) ?? true));
    return {
      body: rows.slice((page - 1) * size, page * size).map(shown),
      headers: { "X-WP-Total": String(rows.length), "X-WP-TotalPages": String(pages) },
    };
  });
}

function wooNode({ variations, ...product }: WooProduct) {
  return {
    name: `Product ${product.id}`,
    type: variations ? "variable" : "simple",
    sku: `W-${product.id}`,
    price: "10",
    regular_price: variations ? "" : "10",
    sale_price: "",
    description: "",
    short_description: "",
    categories: [{ id: 1, name: "Clothing", slug: "clothing" }],
    images: [],
    stock_quantity: null,
    stock_status: "instock",
    ...product,
    variations: variations?.map(({ id }) => id) ?? [],
  };
}
