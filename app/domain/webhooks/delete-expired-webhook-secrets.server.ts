import { lte } from "drizzle-orm";
import { webhooks } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../context.ts";

/** Deletes the previous secrets that no longer sign. Returns their number. */
export async function deleteExpiredWebhookSecrets(ctx: Ctx<JobActor>): Promise<number> {
  const { count } = await ctx.db
    .update(webhooks)
    .set({ previousSecret: null, previousSecretExpiresAt: null })
    .where(lte(webhooks.previousSecretExpiresAt, ctx.clock()));
  return count;
}
