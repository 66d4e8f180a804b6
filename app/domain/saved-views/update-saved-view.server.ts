import { and, eq } from "drizzle-orm";
import { savedViews } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { invalidInput, notFound } from "../errors.ts";
import type { SavedViewId, UserId } from "../ids.ts";
import { getSavedView } from "./list-saved-views.server.ts";
import { ownViews } from "./own-views.server.ts";
import { normalizeViewQuery } from "./saved-view.ts";
import { tooLongQuery, withUniqueName } from "./view-name.server.ts";

/**
 * Renames a person's view, or replaces its query, and returns it. Throws `not_found`, also for the view of anyone else,
 * and `invalid_input` for a name that the person has on the list or a query that is too long.
 */
export async function updateSavedView(
  ctx: Ctx<TenantActor>,
  { userId, id, ...change }: { userId: UserId; id: SavedViewId } & ({ name: string } | { query: string }),
) {
  const view = await getSavedView(ctx, { userId, id });
  const query = normalizeViewQuery(ctx.actor.kind, { ...view, ...change });
  if (query === undefined) throw invalidInput({ query: [tooLongQuery] });
  const values = "name" in change ? change : { query };
  const [updated] = await withUniqueName(() =>
    ctx.db
      .update(savedViews)
      .set(values)
      .where(and(ownViews(ctx, userId), eq(savedViews.id, id)))
      .returning({ id: savedViews.id }),
  );
  // It was deleted meanwhile.
  if (!updated) throw notFound("View");
  return { ...view, ...values };
}
