import { and, eq } from "drizzle-orm";
import { savedViews } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { SavedViewId, UserId } from "../ids.ts";
import { ownViews } from "./own-views.server.ts";

/** Deletes a person's view and returns its list and name. Throws `not_found`, also for the view of anyone else. */
export async function deleteSavedView(ctx: Ctx<TenantActor>, { userId, id }: { userId: UserId; id: SavedViewId }) {
  const [view] = await ctx.db
    .delete(savedViews)
    .where(and(ownViews(ctx, userId), eq(savedViews.id, id)))
    .returning({ list: savedViews.list, name: savedViews.name });
  if (!view) throw notFound("View");
  return view;
}
