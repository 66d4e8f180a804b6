import { z } from "zod";
import { categorizeProducts } from "#app/domain/catalog/categorize-products.server.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { deleteProduct, deleteProducts } from "#app/domain/catalog/delete-products.server.ts";
import { getProduct } from "#app/domain/catalog/get-product.server.ts";
import { listCategories } from "#app/domain/catalog/list-categories.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { productLimits, productSorts, productStatuses } from "#app/domain/catalog/product.ts";
import {
  newCategorySchema,
  productSchema as newProductSchema,
  productChangesSchema,
  selectedProductsSchema,
} from "#app/domain/catalog/product-payloads.ts";
import { updateProduct } from "#app/domain/catalog/update-product.server.ts";
import type { ProductId } from "#app/domain/ids.ts";
import { pageOfFew } from "#app/domain/page.ts";
import { patchText } from "#app/domain/text.ts";
import { longTimeoutMs } from "#app/domain/transaction.server.ts";
import { tenantEndpoint } from "../endpoint.server.ts";
import { productJson, productSchema } from "../json/product-json.ts";
import { requireId } from "../require-id.ts";
import { pageQuery, pageResponse, searchParamSchema, successBody, successShape, wire } from "../wire.ts";

/** Product endpoints, for both sides; each sees only its own catalog. */
export const productEndpoints = {
  "GET /api/products": tenantEndpoint({
    summary: "List the account's products, sorted by name by default",
    query: z.object({
      ...pageQuery,
      q: searchParamSchema.describe("Searches names and SKUs"),
      category: patchText({ max: productLimits.category }).transform((text) => text ?? undefined),
      status: z.enum(productStatuses).optional(),
      sort: z.enum(productSorts).optional(),
    }),
    response: z.object({ products: z.array(productSchema), ...pageResponse }),
    run: async ({ ctx, query }) => {
      const page = await listProducts(ctx, query);
      return { products: page.rows.map(productJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/products": tenantEndpoint({
    summary: "Add a product; name, SKU, category and price are required",
    body: newProductSchema,
    response: z.object({ product: productSchema }),
    status: 201,
    errors: ["invalid_transition"],
    run: async ({ ctx, body }) => {
      const { id } = await createProduct(ctx, body);
      return { product: productJson(await getProduct(ctx, id)) };
    },
  }),
  "GET /api/products/categories": tenantEndpoint({
    summary: "List up to 300 product categories with product counts",
    query: z.object(pageQuery),
    response: z.object({
      categories: z.array(z.object({ category: z.string(), products: wire.count })),
      ...pageResponse,
    }),
    run: async ({ ctx, query }) => {
      const page = pageOfFew(await listCategories(ctx), query, ({ category }) => category);
      return { categories: page.rows, next_cursor: page.nextCursor };
    },
  }),
  "POST /api/products/delete": tenantEndpoint({
    summary: "Delete up to 500 products. Products of pending, active or paused campaigns are kept",
    body: selectedProductsSchema,
    deadlineMs: longTimeoutMs,
    errors: ["invalid_transition"],
    response: z.object({ deleted: wire.count, kept: wire.count }),
    run: async ({ ctx, body }) => deleteProducts(ctx, { ids: body.products }),
  }),
  "POST /api/products/categorize": tenantEndpoint({
    summary: "Move up to 500 products to a category",
    body: selectedProductsSchema.extend(newCategorySchema.shape),
    deadlineMs: longTimeoutMs,
    response: z.object({ changed: wire.count }),
    run: async ({ ctx, body }) =>
      categorizeProducts(ctx, { selection: { ids: body.products }, category: body.category }),
  }),
  "GET /api/products/{id}": tenantEndpoint({
    summary: "Get a product",
    response: z.object({ product: productSchema }),
    run: async ({ ctx, params }) => ({
      product: productJson(await getProduct(ctx, requireId<ProductId>("Product", params.id))),
    }),
  }),
  "PATCH /api/products/{id}": tenantEndpoint({
    summary: "Update a product. Omitted fields are unchanged",
    body: productChangesSchema,
    response: z.object({ product: productSchema }),
    run: async ({ ctx, params, body }) => {
      const id = requireId<ProductId>("Product", params.id);
      await updateProduct(ctx, { id, changes: body });
      return { product: productJson(await getProduct(ctx, id)) };
    },
  }),
  "DELETE /api/products/{id}": tenantEndpoint({
    summary: "Delete a product. Fails while a pending, active or paused campaign uses it",
    response: z.object(successShape),
    errors: ["invalid_transition"],
    run: async ({ ctx, params }) => {
      await deleteProduct(ctx, { id: requireId<ProductId>("Product", params.id) });
      return successBody;
    },
  }),
};
