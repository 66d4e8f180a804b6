import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Patience } from "#app/outbound/send-patiently.server.ts";
import type { RawProduct } from "../../imports/reading/dialect-rows.ts";
import { slugOf } from "../../imports/reading/slug.ts";
import { askShop } from "./ask-shop.server.ts";
import { type ShopConnector, ShopError } from "./shop-connector.ts";

/** Of the documentation this was written to: shopify.dev, GraphQL Admin API, ProductVariant; API limits. */
const version = "2025-07";
/** A query may cost 1,000 points, and a variant with its product costs seven. */
const pageSize = 100;
const tries = 6;

const shopQuery = "{ shop { name currencyCode } }";
const variantsQuery = `query ($after: String) {
  productVariants(first: ${pageSize}, after: $after, sortKey: ID) {
    nodes {
      sku barcode price inventoryQuantity
      inventoryItem { tracked }
      selectedOptions { value }
      media(first: 1) { nodes { preview { image { url } } } }
      product { title handle descriptionHtml vendor productType category { fullName } featuredMedia { preview { image { url } } } }
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
    descriptionHtml: z.string().nullish(),
    vendor: z.string().nullish(),
    productType: z.string().nullish(),
    category: z.object({ fullName: z.string() }).nullish(),
    featuredMedia: media.nullish(),
  }),
});
const pageSchema = z.object({
  productVariants: z.object({
    nodes: z.array(variantSchema),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
  }),
});

type Wait = (milliseconds: number) => Promise<unknown>;

/**
 * A Shopify shop, read with the access token of a custom app that has the scope `read_products`. Its limit is a bucket
 * that each query takes points from and that fills by itself: a query that does not fit waits until it does.
 */
export function shopify(
  { shopUrl, accessToken }: { shopUrl: string; accessToken: string },
  { patience, pause = (milliseconds) => sleep(milliseconds) }: { patience?: Patience; pause?: Wait } = {},
): ShopConnector {
  const url = new URL(`/admin/api/${version}/graphql.json`, shopUrl);
  const headers = { "X-Shopify-Access-Token": accessToken, "Content-Type": "application/json" };
  let waitBefore = 0;

  async function ask<S extends z.ZodType>(query: string, variables: object, schema: S): Promise<z.output<S>> {
    for (let tried = 1; ; tried += 1) {
      if (waitBefore > 0) await pause(waitBefore);
      const body = JSON.stringify({ query, variables });
      const answer = await askShop({ url, method: "POST", headers, body }, envelope, patience);
      waitBefore = waitFor(answer.body.extensions?.cost);
      const codes = (answer.body.errors ?? []).map(({ extensions }) => extensions?.code);
      if (codes.includes("THROTTLED")) {
        if (tried === tries) throw new ShopError("busy");
        waitBefore = Math.max(waitBefore, 1_000);
        continue;
      }
      if (codes.includes("ACCESS_DENIED")) throw new ShopError("not_allowed");
      const read = schema.safeParse(answer.body.data);
      if (codes.length > 0 || !read.success) throw new ShopError("unreadable");
      return read.data;
    }
  }

  return {
    async getName() {
      const { shop } = await ask(shopQuery, {}, shopSchema);
      if (shop.currencyCode !== "USD") throw new ShopError("other_currency");
      return shop.name;
    },
    async readPage(cursor) {
      const { productVariants } = await ask(variantsQuery, { after: cursor ?? null }, pageSchema);
      const { hasNextPage, endCursor } = productVariants.pageInfo;
      if (hasNextPage && !endCursor) throw new ShopError("unreadable");
      return {
        products: productVariants.nodes.map(rawProduct),
        skipped: 0,
        next: hasNextPage ? (endCursor ?? undefined) : undefined,
      };
    },
  };
}

/** Until the bucket holds what the last query took, so that the next one like it fits. In milliseconds. */
function waitFor(
  cost: z.output<typeof envelope>["extensions"] extends infer E ? NonNullable<E>["cost" & keyof NonNullable<E>] : never,
): number {
  if (!cost?.throttleStatus || cost.requestedQueryCost === undefined) return 0;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  return Math.max(0, Math.ceil(((cost.requestedQueryCost - currentlyAvailable) / restoreRate) * 1000));
}

/** The same as a row of its export. What is not counted is unknown. */
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
    derivedSku: slugOf([product.handle, ...options]),
  };
}
