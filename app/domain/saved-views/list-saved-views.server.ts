import { and, eq, sql } from "drizzle-orm";
import { savedViews } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { SavedViewId, UserId } from "../ids.ts";
import { preparedQuery } from "../prepared-query.server.ts";
import { ownViews, viewModeOf, viewsOf } from "./own-views.server.ts";
import { type SavedViewList, savedViewLimits } from "./saved-view.ts";

const columns = { id: savedViews.id, list: savedViews.list, name: savedViews.name, query: savedViews.query };

/** Lists a person's views of a list by name. */
export async function listSavedViews(ctx: Ctx<TenantActor>, { userId, list }: { userId: UserId; list: SavedViewList }) {
  return viewsFor(ctx.db).execute({ userId, accountId: ctx.actor.accountId, mode: viewModeOf(ctx), list });
}

/** Every list runs this query. */
const viewsFor = preparedQuery((db) =>
  db
    .select(columns)
    .from(savedViews)
    .where(
      and(
        viewsOf({
          userId: sql.placeholder("userId"),
          accountId: sql.placeholder("accountId"),
          mode: sql.placeholder("mode"),
        }),
        eq(savedViews.list, sql.placeholder("list")),
      ),
    )
    .orderBy(sql`lower(${savedViews.name})`)
    .limit(savedViewLimits.perList)
    .prepare("list_saved_views"),
);

/** Returns a person's view. Throws `not_found`, also for the view of anyone else. */
export async function getSavedView(ctx: Ctx<TenantActor>, { userId, id }: { userId: UserId; id: SavedViewId }) {
  const [view] = await ctx.db
    .select(columns)
    .from(savedViews)
    .where(and(ownViews(ctx, userId), eq(savedViews.id, id)));
  if (!view) throw notFound("View");
  return view;
}

export type SavedView = Awaited<ReturnType<typeof getSavedView>>;
