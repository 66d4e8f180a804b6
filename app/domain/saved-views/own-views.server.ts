import { and, eq, type Placeholder } from "drizzle-orm";
import { savedViews } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { AccountId, UserId } from "../ids.ts";
import type { SavedViewMode } from "./saved-view.ts";

/** Returns the mode whose views the context sees. */
export function viewModeOf({ entrypoint }: Pick<Ctx, "entrypoint">): SavedViewMode {
  return entrypoint === "test_mode" ? "test" : "live";
}

/** The condition for the views of one person of the account, in the context's mode. */
export function ownViews(ctx: Ctx<TenantActor>, userId: UserId) {
  return viewsOf({ userId, accountId: ctx.actor.accountId, mode: viewModeOf(ctx) });
}

type Owner = {
  userId: UserId | Placeholder;
  accountId: AccountId | Placeholder;
  mode: SavedViewMode | Placeholder;
};

/** The condition for the views of one person of an account, in a mode; a prepared query has placeholders for them. */
export function viewsOf({ userId, accountId, mode }: Owner) {
  return and(eq(savedViews.userId, userId), eq(savedViews.accountId, accountId), eq(savedViews.mode, mode));
}
