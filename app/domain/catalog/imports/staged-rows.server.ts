import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { productImportBlocks } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { ImportId } from "../../ids.ts";
import { toCents } from "../../money.ts";
import { inLongTransaction } from "../../transaction.server.ts";
import type { ImportField } from "./catalog-import.ts";
import type { ImportRow } from "./import-rows.server.ts";

type Staged = Pick<ImportRow, "id" | "readColumns" | "defaultCategory">;

/** The staged rows of an import as a table `staged` with the columns of products. */
export function stagedRows(id: ImportId): SQL {
  return sql`(
    select one.i as id, one.r as row, one.s as sku, one.n as name, one.c as category, one.p as price_cents,
      one.d as description, one.v as inventory, one.u as image_url, one.b as brand, one.g as group_key
    from ${productImportBlocks} block, jsonb_to_recordset(block.rows)
      as one (i uuid, r int, s text, n text, c text, p bigint, d text, v bigint, u text, b text, g text)
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
];

/** The columns of products that the file says something of; the others stay as they are. */
export function columnsSaid({ readColumns, defaultCategory }: Staged): string[] {
  const isSaid = (field: ImportField) =>
    (readColumns[field] ?? []).length > 0 || (field === "category" && defaultCategory !== null);
  return fieldColumns.filter(([field]) => isSaid(field)).map(([, column]) => column);
}

/** Whether what the file says of a product is other than what the catalogue has. */
export function differs(columns: readonly string[], from: "staged" | "excluded"): SQL {
  const of = (table: string) => sql.raw(columns.map((column) => `${table}.${column}`).join(", "));
  return sql`(row(${of("products")}) is distinct from row(${of(from)}))`;
}

const joinProducts = (ctx: Ctx<TenantActor>) =>
  sql`left join products on products.account_id = ${ctx.actor.accountId} and products.sku = staged.sku`;

const countsRow = z.object({ created: z.coerce.number(), unchanged: z.coerce.number() });

/** How many of the staged rows are new, and how many say what the catalogue has already. */
export async function countStaged(
  ctx: Ctx<TenantActor>,
  staged: Staged,
): Promise<{ created: number; unchanged: number }> {
  return inLongTransaction(ctx, async (tx) => {
    const query = sql`
      select count(*) filter (where products.id is null) as created,
        count(*) filter (where products.id is not null and not ${differs(columnsSaid(staged), "staged")}) as unchanged
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
  priceCents: z.coerce.number().transform(toCents),
  inventory: z.coerce.number().nullable(),
  imageUrl: z.string().nullable(),
  action: z.enum(["create", "update", "unchanged"]),
});

/** The first of the staged rows, and what each would do. */
export async function listStaged(ctx: Ctx<TenantActor>, staged: Staged, limit = 10) {
  return queryRows(
    ctx.db,
    previewRow,
    sql`
      select staged.id, staged.row, staged.sku, staged.name, staged.category, staged.price_cents::text as "priceCents",
        staged.inventory::text as inventory, staged.image_url as "imageUrl",
        case when products.id is null then 'create' when ${differs(columnsSaid(staged), "staged")} then 'update' else 'unchanged' end as action
      from (select * from ${stagedRows(staged.id)} order by staged.row limit ${limit}) staged ${joinProducts(ctx)}
      order by staged.row`,
  );
}
