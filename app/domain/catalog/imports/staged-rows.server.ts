import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { productImportBatches } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { ImportId } from "../../ids.ts";
import { asCents } from "../../money.ts";
import { inLongTransaction } from "../../transaction.server.ts";
import { listingStatuses } from "../product.ts";
import type { ImportField } from "./catalog-import.ts";
import type { ImportRow } from "./import-rows.server.ts";

type Staged = Pick<ImportRow, "id" | "readColumns" | "defaultCategory">;

/** The staged rows of an import as a table `staged` with the columns of products. */
export function stagedRows(id: ImportId): SQL {
  return sql`(
    select one.i as id, one.r as row, one.s as sku, one.n as name, one.c as category, one.p as price_cents,
      one.d as description, one.v as inventory, one.u as image_url, one.b as brand, one.g as group_key,
      coalesce(one.t, 'active') as listing_status
    from ${productImportBatches} block, jsonb_to_recordset(block.rows)
      as one (i uuid, r int, s text, n text, c text, p bigint, d text, v bigint, u text, b text, g text, t text)
    where block.import_id = ${id}
  ) staged`;
}

const fieldColumns: readonly [ImportField, string][] = [
  ["name", "name"],
  ["category", "category"],
  ["price", "price_cents"],
  ["description", "description"],
  ["inventory", "inventory"],
  ["image", "image_url"],
  ["brand", "brand"],
  ["group", "group_key"],
  ["status", "listing_status"],
];

/** The product columns that the file has values for; the others do not change. */
export function mappedColumns({ readColumns, defaultCategory }: Staged): string[] {
  const isMapped = (field: ImportField) =>
    (readColumns[field] ?? []).length > 0 || (field === "category" && defaultCategory !== null);
  return fieldColumns.filter(([field]) => isMapped(field)).map(([, column]) => column);
}

/** The condition that the file's values of a product differ from the catalog's. */
export function differsFromProduct(columns: readonly string[], from: "staged" | "excluded"): SQL {
  const columnsOfTable = (table: string) => sql.raw(columns.map((column) => `${table}.${column}`).join(", "));
  return sql`(row(${columnsOfTable("products")}) is distinct from row(${columnsOfTable(from)}))`;
}

const joinProducts = (ctx: Ctx<TenantActor>) =>
  sql`left join products on products.account_id = ${ctx.actor.accountId} and products.sku = staged.sku`;

const countsRow = z.object({ created: z.coerce.number(), unchanged: z.coerce.number() });

/** Counts the staged rows that are new, and those that match the catalog already. */
export async function countStaged(
  ctx: Ctx<TenantActor>,
  staged: Staged,
): Promise<{ created: number; unchanged: number }> {
  return inLongTransaction(ctx, async (tx) => {
    const query = sql`
      select count(*) filter (where products.id is null) as created,
        count(*) filter (where products.id is not null and not ${differsFromProduct(mappedColumns(staged), "staged")}) as unchanged
      from ${stagedRows(staged.id)} ${joinProducts(tx)}`;
    const [counts = { created: 0, unchanged: 0 }] = await queryRows(tx.db, countsRow, query);
    return counts;
  });
}

const previewRow = z.object({
  id: z.string(),
  row: z.number(),
  sku: z.string(),
  name: z.string(),
  category: z.string(),
  priceCents: z.coerce.number().transform(asCents),
  inventory: z.coerce.number().nullable(),
  imageUrl: z.string().nullable(),
  listingStatus: z.enum(listingStatuses),
  action: z.enum(["create", "update", "unchanged"]),
});

/** Lists the first staged rows with the action of each. */
export async function listStaged(ctx: Ctx<TenantActor>, staged: Staged, limit = 10) {
  const importsStatus = mappedColumns(staged).includes("listing_status");
  return queryRows(
    ctx.db,
    previewRow,
    sql`
      select staged.id, staged.row, staged.sku, staged.name, staged.category, staged.price_cents::text as "priceCents",
        staged.inventory::text as inventory, staged.image_url as "imageUrl",
        ${importsStatus ? sql`staged.listing_status` : sql`coalesce(products.listing_status, staged.listing_status)`} as "listingStatus",
        case when products.id is null then 'create' when ${differsFromProduct(mappedColumns(staged), "staged")} then 'update' else 'unchanged' end as action
      from (select * from ${stagedRows(staged.id)} order by staged.row limit ${limit}) staged ${joinProducts(ctx)}
      order by staged.row`,
  );
}
