import { and, eq } from "drizzle-orm";
import { savedViews, users } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { DomainError, invalidInput, notFound } from "../errors.ts";
import { newId, type SavedViewId, type UserId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { ownViews, viewModeOf } from "./own-views.server.ts";
import { normalizeViewQuery, savedViewLimits } from "./saved-view.ts";
import type { NewSavedView } from "./saved-view-payloads.ts";
import { tooLongQuery, withUniqueName } from "./view-name.server.ts";

/**
 * Saves a list's query under a name of a person of the account. Throws `invalid_input` for a name that the person has
 * on this list, in whatever case, or a query that is too long, `limit_reached` after 20 views of the list, and
 * `invalid_transition` when the account is closed.
 */
export async function saveView(ctx: Ctx<TenantActor>, { userId, ...input }: NewSavedView & { userId: UserId }) {
  const query = normalizeViewQuery(ctx.actor.kind, input);
  if (query === undefined) throw invalidInput({ name: [tooLongQuery] });
  return inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    await requireOpenAccount(tx, accountId);
    // The lock on the person serializes saving, so that the limit holds.
    const [person] = await tx.db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), eq(users.accountId, accountId)))
      .for("update");
    if (!person) throw notFound("User");
    const { list, name } = input;
    const count = await tx.db.$count(savedViews, and(ownViews(tx, userId), eq(savedViews.list, list)));
    if (count >= savedViewLimits.perList) {
      const message = `You've reached the limit of ${savedViewLimits.perList} views of this list. Delete one first.`;
      throw new DomainError("limit_reached", message);
    }
    const view = { id: newId<SavedViewId>(), list, name, query };
    await withUniqueName(() =>
      tx.db.insert(savedViews).values({ ...view, userId, accountId, mode: viewModeOf(tx), createdAt: tx.clock() }),
    );
    return view;
  });
}
