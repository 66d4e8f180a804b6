import { z } from "zod";
import { categorizeProducts } from "#app/domain/catalog/categorize-products.server.ts";
import { changeProduct } from "#app/domain/catalog/change-product.server.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { deleteProduct, deleteProducts } from "#app/domain/catalog/delete-products.server.ts";
import { getProduct } from "#app/domain/catalog/get-product.server.ts";
import { listCategories } from "#app/domain/catalog/list-categories.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { productSorts, productStatuses } from "#app/domain/catalog/product.ts";
import {
  chosenProductsSchema,
  newCategorySchema,
  productSchema as newProductSchema,
  productChangesSchema,
} from "#app/domain/catalog/product-payloads.ts";
import type { ProductId } from "#app/domain/ids.ts";
import { pageOfFew } from "#app/domain/page.ts";
import { tenantCall } from "../call.server.ts";
import { requireId } from "../path-id.ts";
import { productJson, productSchema } from "../product-json.ts";
import { done, doneShape, pageAnswer, pageQuery, searchText, wire } from "../wire.ts";

/** Calls about the catalogue, for both sides, each about its own. */
export const productCalls = {
  "GET /api/products": tenantCall({
    summary: "The account's products, by name unless sorted otherwise",
    query: z.object({
      ...pageQuery,
      q: searchText.describe("Searches names and SKUs"),
      category: searchText,
      status: z.enum(productStatuses).optional(),
      sort: z.enum(productSorts).optional(),
    }),
    answer: z.object({ products: z.array(productSchema), ...pageAnswer }),
    run: async ({ ctx, query }) => {
      const page = await listProducts(ctx, query);
      return { products: page.rows.map(productJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/products": tenantCall({
    summary: "Add a product; name, SKU, category and price are required",
    body: newProductSchema,
    answer: z.object({ product: productSchema }),
    status: 201,
    run: async ({ ctx, body }) => {
      const { id } = await createProduct(ctx, body);
      return { product: productJson(await getProduct(ctx, id)) };
    },
  }),
  "GET /api/products/categories": tenantCall({
    summary: "The categories of the account's products and how many each has, at most 300",
    query: z.object(pageQuery),
    answer: z.object({ categories: z.array(z.object({ category: z.string(), products: wire.count })), ...pageAnswer }),
    run: async ({ ctx, query }) => {
      const page = pageOfFew(await listCategories(ctx), query, ({ category }) => category);
      return { categories: page.rows, next_cursor: page.nextCursor };
    },
  }),
  "POST /api/products/delete": tenantCall({
    summary: "Delete several products, at most 500; those that campaigns show are kept",
    body: chosenProductsSchema,
    answer: z.object({ deleted: wire.count, kept: wire.count }),
    run: async ({ ctx, body }) => deleteProducts(ctx, { ids: body.products }),
  }),
  "POST /api/products/categorize": tenantCall({
    summary: "Put several products, at most 500, into a category",
    body: chosenProductsSchema.extend(newCategorySchema.shape),
    answer: z.object({ changed: wire.count }),
    run: async ({ ctx, body }) =>
      categorizeProducts(ctx, { selection: { ids: body.products }, category: body.category }),
  }),
  "GET /api/products/{id}": tenantCall({
    summary: "One of the account's products",
    answer: z.object({ product: productSchema }),
    run: async ({ ctx, params }) => ({
      product: productJson(await getProduct(ctx, requireId<ProductId>("Product", params.id))),
    }),
  }),
  "PATCH /api/products/{id}": tenantCall({
    summary: "Change a product; absent fields stay as they are",
    body: productChangesSchema,
    answer: z.object({ product: productSchema }),
    run: async ({ ctx, params, body }) => {
      const id = requireId<ProductId>("Product", params.id);
      await changeProduct(ctx, { id, changes: body });
      return { product: productJson(await getProduct(ctx, id)) };
    },
  }),
  "DELETE /api/products/{id}": tenantCall({
    summary: "Delete a product; refused while a campaign that may run shows it",
    answer: z.object(doneShape),
    run: async ({ ctx, params }) => {
      await deleteProduct(ctx, { id: requireId<ProductId>("Product", params.id) });
      return done;
    },
  }),
};
