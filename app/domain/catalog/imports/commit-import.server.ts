import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { productImports, products } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { ImportId } from "../../ids.ts";
import { reportError } from "../../report-error.ts";
import { runAside } from "../../running-imports.server.ts";
import { inLongTransaction } from "../../transaction.server.ts";
import { importFieldLabels } from "./catalog-import.ts";
import { dropImportData, failImport, getImportRow, keepImportAlive, ownImport } from "./import-rows.server.ts";
import { columnsSaid, differs, stagedRows } from "./staged-rows.server.ts";

/** How long an answer waits for the rest of the work. In milliseconds. */
const patience = 2_000;

/**
 * Takes a previewed import into the catalogue, beside the answer when it takes long. Throws `not_found`, and
 * `invalid_transition` when it is not waiting for that, or lacks a column.
 */
export async function commitImport(ctx: Ctx<TenantActor>, { id }: { id: ImportId }): Promise<void> {
  const { missingFields } = await getImportRow(ctx, id);
  const [missing] = missingFields;
  if (missing) throw new DomainError("invalid_transition", `Choose a column for ${importFieldLabels[missing]} first`);
  const begun = await ctx.db
    .update(productImports)
    .set({ status: "running", committed: true, finishedAt: null, aliveAt: ctx.clock() })
    .where(and(ownImport(ctx, id), eq(productImports.status, "previewed")))
    .returning({ id: productImports.id });
  if (begun.length === 0) throw new DomainError("invalid_transition", "This import is not waiting to be committed");
  const facts = { work: "commit_import", importId: id } as const;
  const work = async () => {
    const stopBeating = keepImportAlive(ctx, id);
    try {
      await commitStaged(ctx, { id });
    } catch (error) {
      reportError(ctx, error, facts);
      const message = "Something went wrong on our side; the catalog is as it was. Send the file again.";
      await failImport(ctx, { id, message }).catch((ending: unknown) =>
        reportError(ctx, ending, { ...facts, step: "ending" }),
      );
    } finally {
      stopBeating();
    }
  };
  await Promise.race([runAside(ctx, facts, work), sleep(patience)]);
}

const writtenRow = z.object({ products: z.coerce.number(), created: z.coerce.number(), changed: z.coerce.number() });

/**
 * All of it or nothing, in one statement: a SKU that the catalogue has is updated where the file says something else, a new
 * one becomes a product. In the order of SKUs, so that two imports at once wait for one another instead of for ever. (Only a
 * shop that was read in two goes can have said the same SKU twice; the later one counts.)
 */
export async function commitStaged(ctx: Ctx<TenantActor>, { id }: { id: ImportId }): Promise<void> {
  await inLongTransaction(ctx, async (tx) => {
    const row = await getImportRow(tx, id);
    const { accountId } = tx.actor;
    const now = tx.clock().toISOString();
    const columns = columnsSaid(row);
    const changes = sql.raw(columns.map((column) => `${column} = excluded.${column}`).join(", "));
    const query = sql`
      with chosen as materialized (
        select distinct on (staged.sku) staged.* from ${stagedRows(id)} order by staged.sku, staged.row desc
      ), written as (
        insert into ${products} (id, account_id, sku, name, category, price_cents, description, inventory, image_url, brand, group_key, created_at, updated_at)
        select id, ${accountId}::uuid, sku, name, category, price_cents, description, inventory, image_url, brand, group_key,
          ${now}::timestamptz, ${now}::timestamptz
        from chosen order by sku
        on conflict (account_id, sku) do update set ${changes}, updated_at = excluded.updated_at
          where ${differs(columns, "excluded")}
        returning (xmax = 0) as is_new
      )
      select (select count(*) from chosen) as products, count(*) filter (where is_new) as created,
        count(*) filter (where not is_new) as changed
      from written`;
    const [written] = await queryRows(tx.db, writtenRow, query);
    if (!written) throw new Error("counts without a group are one row");
    const { products: all, created, changed } = written;
    const updated = all - created;
    const counts = { created, updated, unchanged: updated - changed };
    const ended = await tx.db
      .update(productImports)
      .set({ ...counts, status: "succeeded", finishedAt: tx.clock() })
      .where(and(ownImport(tx, id), eq(productImports.status, "running")))
      .returning({ id: productImports.id });
    if (ended.length === 0) throw new Error("the import was ended by somebody else");
    await dropImportData(tx, id);
    await recordAudit(tx, {
      action: "products.imported",
      entity: "product_import",
      entityId: id,
      accountId,
      after: { file: row.fileName, ...counts, rejected: row.rejected },
    });
  });
}
