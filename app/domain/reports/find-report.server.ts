import { and, eq } from "drizzle-orm";
import { savedViews } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { parseId, type SavedViewId } from "../ids.ts";
import { ownReports } from "./own-reports.server.ts";

/** Returns the account's report with the ID in a URL, if there is one. */
export async function findReport(ctx: Ctx<TenantActor>, requested: string | undefined) {
  const id = parseId<SavedViewId>(requested);
  if (!id) return undefined;
  const [report] = await ctx.db
    .select({ id: savedViews.id, name: savedViews.name, query: savedViews.query })
    .from(savedViews)
    .where(and(ownReports(ctx), eq(savedViews.id, id)));
  return report;
}
