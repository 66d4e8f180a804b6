import { and, asc, eq, isNotNull, isNull, lt } from "drizzle-orm";
import { campaignEdits, campaigns } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { forEachItem } from "../../for-each-item.ts";
import type { CampaignId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { closeEdit, findOpenEdit } from "./close-edit.server.ts";
import { editIdleMs, editSessionTtlMs } from "./edit-session.ts";

const batchSize = 200;

/**
 * Ends the edits in which nothing was saved for ten minutes, and forgets sessions after a day. Returns the number of
 * edits ended. Safe to run repeatedly and concurrently. An edit that fails to end keeps no other open; its error is
 * thrown in the end.
 */
export async function closeIdleEdits(ctx: Ctx<JobActor>): Promise<number> {
  const expiredBefore = new Date(ctx.clock().getTime() - editSessionTtlMs);
  await ctx.db.delete(campaignEdits).where(and(isNull(campaignEdits.before), lt(campaignEdits.savedAt, expiredBefore)));
  const idleSince = new Date(ctx.clock().getTime() - editIdleMs);
  const idle = await ctx.db
    .select({ id: campaignEdits.campaignId })
    .from(campaignEdits)
    .where(and(isNotNull(campaignEdits.before), lt(campaignEdits.savedAt, idleSince)))
    .orderBy(asc(campaignEdits.savedAt))
    .limit(batchSize);
  return forEachItem(ctx, idle, {
    kind: "campaigns",
    nameOf: ({ id }) => id,
    work: ({ id }) => inTransaction(ctx, (tx) => closeIfIdle(tx, { id, idleSince })),
  });
}

/** Skips a campaign that is being changed at this moment: that change ends the edit, or continues it. */
async function closeIfIdle(ctx: Ctx, { id, idleSince }: { id: CampaignId; idleSince: Date }): Promise<number> {
  const [row] = await ctx.db
    .select()
    .from(campaigns)
    .where(eq(campaigns.id, id))
    .for("no key update", { skipLocked: true });
  const open = row && (await findOpenEdit(ctx, row));
  if (!open || open.savedAt >= idleSince) return 0;
  await closeEdit(ctx, row);
  return 1;
}
