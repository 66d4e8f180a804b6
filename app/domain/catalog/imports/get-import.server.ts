import { and, asc, count, eq, gt } from "drizzle-orm";
import { productImportProblems } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { ImportId } from "../../ids.ts";
import type { ImportProblem, ProblemKind } from "./catalog-import.ts";
import { getImportRow } from "./import-rows.server.ts";

export type CatalogImport = Awaited<ReturnType<typeof getImport>>;

/** Returns one of the account's imports with its status. Throws `not_found`. */
export async function getImport(ctx: Ctx<TenantActor>, id: ImportId) {
  const { accountId, createdBy, heartbeatAt, run, ...rest } = await getImportRow(ctx, id);
  return rest;
}

type ProblemQuery = { id: ImportId; kind?: ProblemKind; limit: number; after?: number };

/** Lists the problems of the file in its order. `after` is the `number` of the last problem already listed. */
export async function listImportProblems(
  ctx: Ctx<TenantActor>,
  { id, kind, limit, after = -1 }: ProblemQuery,
): Promise<(ImportProblem & { number: number })[]> {
  const { number, row, sku, column, message } = productImportProblems;
  return ctx.db
    .select({ number, kind: productImportProblems.kind, row, sku, column, message })
    .from(productImportProblems)
    .where(and(whereProblems(ctx, { id, kind }), gt(number, after)))
    .orderBy(asc(number))
    .limit(limit);
}

/** Counts the stored problems. */
export async function countImportProblems(
  ctx: Ctx<TenantActor>,
  query: Pick<ProblemQuery, "id" | "kind">,
): Promise<number> {
  const [importRow] = await ctx.db
    .select({ problems: count() })
    .from(productImportProblems)
    .where(whereProblems(ctx, query));
  return importRow?.problems ?? 0;
}

function whereProblems(ctx: Ctx<TenantActor>, { id, kind }: Pick<ProblemQuery, "id" | "kind">) {
  return and(
    eq(productImportProblems.importId, id),
    eq(productImportProblems.accountId, ctx.actor.accountId),
    kind && eq(productImportProblems.kind, kind),
  );
}
