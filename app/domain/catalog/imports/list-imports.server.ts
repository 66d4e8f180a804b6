import { and, desc, eq, type SQL } from "drizzle-orm";
import { productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { isOpen } from "./import-rows.server.ts";

const maxResults = 10;

export type ListedImport = Awaited<ReturnType<typeof listImports>>[number];

/** Lists the account's newest imports, at most 10: those that are open first, because a preview waits for its user. */
export async function listImports(ctx: Ctx<TenantActor>) {
  const [open, newest] = await Promise.all([listNewest(ctx, isOpen()), listNewest(ctx)]);
  const listed = new Set(open.map(({ id }) => id));
  return [...open, ...newest.filter(({ id }) => !listed.has(id))].slice(0, maxResults);
}

async function listNewest(ctx: Ctx<TenantActor>, which?: SQL) {
  const { id, status, commitRequested, fileName, dialect, rowsRead, created, updated, rejected, createdAt } =
    productImports;
  return ctx.db
    .select({ id, status, commitRequested, fileName, dialect, rowsRead, created, updated, rejected, createdAt })
    .from(productImports)
    .where(and(eq(productImports.accountId, ctx.actor.accountId), which))
    .orderBy(desc(id))
    .limit(maxResults);
}
