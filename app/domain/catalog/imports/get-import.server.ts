import { and, asc, count, eq, gt } from "drizzle-orm";
import { productImportProblems } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { ImportId } from "../../ids.ts";
import type { ImportProblem, ProblemKind } from "./catalog-import.ts";
import { getImportRow } from "./import-rows.server.ts";

export type CatalogImport = Awaited<ReturnType<typeof getImport>>;

/** One of the account's imports and how it stands. Throws `not_found`. */
export async function getImport(ctx: Ctx<TenantActor>, id: ImportId) {
  const { accountId, createdBy, aliveAt, ...shown } = await getImportRow(ctx, id);
  return shown;
}

type Asked = { id: ImportId; kind?: ProblemKind; limit: number; after?: number };

/** What was wrong or odd in the file, in its order. `after` is the `number` of the last one seen. */
export async function listImportProblems(
  ctx: Ctx<TenantActor>,
  { id, kind, limit, after = -1 }: Asked,
): Promise<(ImportProblem & { number: number })[]> {
  const { number, row, sku, column, message } = productImportProblems;
  return ctx.db
    .select({ number, kind: productImportProblems.kind, row, sku, column, message })
    .from(productImportProblems)
    .where(and(whereProblems(ctx, { id, kind }), gt(number, after)))
    .orderBy(asc(number))
    .limit(limit);
}

/** How many of them are kept. */
export async function countImportProblems(ctx: Ctx<TenantActor>, asked: Pick<Asked, "id" | "kind">): Promise<number> {
  const [found] = await ctx.db
    .select({ problems: count() })
    .from(productImportProblems)
    .where(whereProblems(ctx, asked));
  return found?.problems ?? 0;
}

function whereProblems(ctx: Ctx<TenantActor>, { id, kind }: Pick<Asked, "id" | "kind">) {
  return and(
    eq(productImportProblems.importId, id),
    eq(productImportProblems.accountId, ctx.actor.accountId),
    kind && eq(productImportProblems.kind, kind),
  );
}
