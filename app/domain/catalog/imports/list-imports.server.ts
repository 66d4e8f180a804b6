import { desc, eq } from "drizzle-orm";
import { productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";

const maxResults = 10;

export type ListedImport = Awaited<ReturnType<typeof listImports>>[number];

/** Lists the account's newest imports, at most 10. */
export async function listImports(ctx: Ctx<TenantActor>) {
  const { id, status, commitRequested, fileName, dialect, rowsRead, created, updated, rejected, createdAt } =
    productImports;
  return ctx.db
    .select({ id, status, commitRequested, fileName, dialect, rowsRead, created, updated, rejected, createdAt })
    .from(productImports)
    .where(eq(productImports.accountId, ctx.actor.accountId))
    .orderBy(desc(id))
    .limit(maxResults);
}
