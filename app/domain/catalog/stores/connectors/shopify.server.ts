import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { RawProduct } from "#app/domain/catalog/imports/parsing/raw-product.ts";
import { slugify } from "#app/domain/catalog/imports/parsing/slugify.ts";
import { parseListingStatus, strictestStatus } from "#app/domain/catalog/imports/parsing/values/listing-status.ts";
import type { ListingStatus } from "#app/domain/catalog/product.ts";
import type { RetryPolicy } from "#app/outbound/send-with-retry.server.ts";
import { serviceApis } from "#app/outbound/service-apis.ts";
import type { StoreProblem } from "../store.ts";
import { fetchStoreJson } from "./fetch-store-json.server.ts";
import { requireCurrency, type StoreConnector, StoreConnectorError } from "./store-connector.ts";

/** shopify.dev, GraphQL Admin API, ProductVariant; API limits. */
const { version } = serviceApis.shopify;
/** A query may cost 1,000 points; a variant with its product costs seven. */
const pageSize = 100;
const maxAttempts = 6;
/** A bucket of 1,000 points refills within 20 seconds on the slowest plan. In milliseconds. */
const maxPauseMs = 60_000;

const shopQuery = "{ shop { name currencyCode } }";
const variantsQuery = `query ($after: String) {
  shop { currencyCode }
  productVariants(first: ${pageSize}, after: $after, sortKey: ID) {
    nodes {
      sku barcode price inventoryQuantity
      inventoryItem { tracked }
      selectedOptions { value }
      media(first: 1) { nodes { preview { image { url } } } }
      product { title handle descriptionHtml vendor productType status publishedAt category { fullName } featuredMedia { preview { image { url } } } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

const media = z.object({ preview: z.object({ image: z.object({ url: z.string() }).nullish() }).nullish() });
const throttle = z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() });
const envelope = z.object({
  data: z.unknown(),
  errors: z.array(z.object({ extensions: z.object({ code: z.string() }).partial().nullish() })).nullish(),
  extensions: z
    .object({ cost: z.object({ requestedQueryCost: z.number(), throttleStatus: throttle }).partial().nullish() })
    .nullish(),
});
const shopSchema = z.object({ shop: z.object({ name: z.string().min(1), currencyCode: z.string() }) });
const variantSchema = z.object({
  sku: z.string().nullish(),
  price: z.string(),
  inventoryQuantity: z.number().nullish(),
  inventoryItem: z.object({ tracked: z.boolean() }).nullish(),
  selectedOptions: z.array(z.object({ value: z.string() })),
  media: z.object({ nodes: z.array(media) }).nullish(),
  product: z.object({
    title: z.string(),
    handle: z.string(),
    status: z.string().nullish(),
    /** Null while the product is not published to the online store. */
    publishedAt: z.string().nullish(),
    descriptionHtml: z.string().nullish(),
    vendor: z.string().nullish(),
    productType: z.string().nullish(),
    category: z.object({ fullName: z.string() }).nullish(),
    featuredMedia: media.nullish(),
  }),
});
const pageSchema = z.object({
  shop: shopSchema.shape.shop.pick({ currencyCode: true }),
  productVariants: z.object({
    nodes: z.array(variantSchema),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
  }),
});

/**
 * Errors that pass, which Shopify responds with under the status 200 (shopify.dev, response status and error codes).
 */
const temporaryProblems: Partial<Record<string, StoreProblem>> = {
  THROTTLED: "rate_limited",
  INTERNAL_SERVER_ERROR: "unreachable",
};

type Wait = (milliseconds: number) => Promise<unknown>;

/** An app's client, which gets tokens that live a day, or the token of a custom app that was made by hand. */
export type ShopifyAccess = { accessToken?: string | undefined; client?: { id: string; secret: string } | undefined };

const tokenSchema = z.object({ access_token: z.string().min(1) });

/**
 * Reads a Shopify store as an app that has the scope `read_products`. Shopify's rate limit is a leaky bucket of points:
 * a query that does not fit waits until the bucket has refilled, unless that takes longer than `retryPolicy` allows,
 * which is `rate_limited`. A client's token (shopify.dev, client credentials grant) is requested with the first query,
 * and once more when it is rejected.
 */
export function shopify(
  { storeUrl, accessToken, client }: { storeUrl: string } & ShopifyAccess,
  { retryPolicy, pause = (milliseconds) => sleep(milliseconds) }: { retryPolicy?: RetryPolicy; pause?: Wait } = {},
): StoreConnector {
  const url = new URL(`/admin/api/${version}/graphql.json`, storeUrl);
  let token = accessToken;
  let waitMs = 0;

  async function requestToken({ id, secret }: NonNullable<typeof client>): Promise<string> {
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: id,
      client_secret: secret,
    }).toString();
    const headers = { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" };
    const request = { url: new URL("/admin/oauth/access_token", storeUrl), method: "POST", headers, body } as const;
    const { body: granted } = await fetchStoreJson(request, tokenSchema, retryPolicy).catch((error: unknown) => {
      // A client that is unknown, or not installed in this store, is a bad request (RFC 6749, section 5.2).
      const isRejected = error instanceof StoreConnectorError && error.problem === "unexpected_response";
      throw isRejected ? new StoreConnectorError("invalid_credentials") : error;
    });
    return granted.access_token;
  }

  /** Sends a query with a token; a client's token that has expired is replaced once. */
  async function send(body: string) {
    const withToken = async () => {
      if (client) token ??= await requestToken(client);
      const headers = { "X-Shopify-Access-Token": token ?? "", "Content-Type": "application/json" };
      return fetchStoreJson({ url, method: "POST", headers, body }, envelope, retryPolicy);
    };
    const isRenewable = client !== undefined && token !== undefined;
    return withToken().catch((error: unknown) => {
      const hasExpired = error instanceof StoreConnectorError && error.problem === "invalid_credentials";
      if (!isRenewable || !hasExpired) throw error;
      token = undefined;
      return withToken();
    });
  }

  async function sendQuery<S extends z.ZodType>(query: string, variables: object, schema: S): Promise<z.output<S>> {
    for (let attempt = 1; ; attempt += 1) {
      if (waitMs > (retryPolicy?.maxDelayMs ?? maxPauseMs)) throw new StoreConnectorError("rate_limited");
      if (waitMs > 0) await pause(waitMs);
      const body = JSON.stringify({ query, variables });
      const response = await send(body);
      waitMs = waitMsForCost(response.body.extensions?.cost);
      const codes = (response.body.errors ?? []).map(({ extensions }) => extensions?.code);
      const problem = codes.map((code) => temporaryProblems[code ?? ""]).find(Boolean);
      if (problem) {
        if (attempt === maxAttempts) throw new StoreConnectorError(problem);
        waitMs = Math.max(waitMs, 1_000);
        continue;
      }
      if (codes.includes("ACCESS_DENIED")) throw new StoreConnectorError("missing_scope");
      const parsed = schema.safeParse(response.body.data);
      if (codes.length > 0 || !parsed.success) throw new StoreConnectorError("unexpected_response");
      return parsed.data;
    }
  }

  return {
    async getName() {
      const { shop } = await sendQuery(shopQuery, {}, shopSchema);
      requireCurrency(shop.currencyCode);
      return shop.name;
    },
    async readPage(cursor) {
      const { shop, productVariants } = await sendQuery(variantsQuery, { after: cursor ?? null }, pageSchema);
      requireCurrency(shop.currencyCode);
      const { hasNextPage, endCursor } = productVariants.pageInfo;
      if (hasNextPage && !endCursor) throw new StoreConnectorError("unexpected_response");
      return {
        products: productVariants.nodes.map(rawProduct),
        skipped: 0,
        next: hasNextPage ? (endCursor ?? undefined) : undefined,
      };
    },
  };
}

/** Returns how long to wait, in milliseconds, until the bucket has enough points for another query of the same cost. */
function waitMsForCost(
  cost: z.output<typeof envelope>["extensions"] extends infer E ? NonNullable<E>["cost" & keyof NonNullable<E>] : never,
): number {
  if (!cost?.throttleStatus || cost.requestedQueryCost === undefined) return 0;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  return Math.max(0, Math.ceil(((cost.requestedQueryCost - currentlyAvailable) / restoreRate) * 1000));
}

/** Converts a variant to the same fields as a row of Shopify's export. Untracked inventory is unknown. */
function rawProduct(variant: z.output<typeof variantSchema>): RawProduct {
  const { product } = variant;
  const options = variant.selectedOptions.map(({ value }) => value).filter((value) => value !== "Default Title");
  const isCounted = variant.inventoryItem?.tracked === true && typeof variant.inventoryQuantity === "number";
  return {
    name: options.length > 0 ? `${product.title} – ${options.join(" / ")}` : product.title,
    sku: variant.sku ?? "",
    category: product.category?.fullName || product.productType || "",
    price: variant.price,
    description: product.descriptionHtml ?? "",
    inventory: isCounted ? String(variant.inventoryQuantity) : null,
    image: variant.media?.nodes[0]?.preview?.image?.url ?? product.featuredMedia?.preview?.image?.url ?? "",
    brand: product.vendor ?? "",
    group: product.handle,
    status: toListingStatus(product),
    derivedSku: slugify([product.handle, ...options]),
  };
}

/**
 * Returns the stricter of a product's status (ACTIVE, ARCHIVED, DRAFT and, by link only, UNLISTED) and whether it is
 * published to the online store, the two columns of Shopify's export.
 */
function toListingStatus({ status, publishedAt }: z.output<typeof variantSchema>["product"]): ListingStatus | null {
  const ofStatus = status ? (parseListingStatus(status) ?? "draft") : null;
  return strictestStatus([ofStatus, publishedAt === null ? "draft" : null]);
}
