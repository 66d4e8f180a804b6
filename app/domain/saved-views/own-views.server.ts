import { and, eq } from "drizzle-orm";
import { savedViews } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { UserId } from "../ids.ts";
import type { SavedViewMode } from "./saved-view.ts";

/** Returns the mode whose views the context sees. */
export function viewModeOf({ entrypoint }: Pick<Ctx, "entrypoint">): SavedViewMode {
  return entrypoint === "test_mode" ? "test" : "live";
}

/** The condition for the views of one person of the account, in the context's mode. */
export function ownViews(ctx: Ctx<TenantActor>, userId: UserId) {
  return and(
    eq(savedViews.userId, userId),
    eq(savedViews.accountId, ctx.actor.accountId),
    eq(savedViews.mode, viewModeOf(ctx)),
  );
}
