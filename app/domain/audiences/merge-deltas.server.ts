import { and, eq, isNotNull, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { audiences } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../context.ts";
import type { AudienceId } from "../ids.ts";
import { inLongTransaction } from "../transaction.server.ts";
import { dropReplaced, writeGeneration } from "./members/audience-deltas.server.ts";
import { openMembers, readMembers } from "./members/audience-members.server.ts";
import { isMergeDue } from "./members/delta-policy.ts";

const lockRow = z.object({ isOurs: z.boolean() });

/** Merges the deltas of audiences into their bases where they are large or old. Returns the number of audiences. */
export async function mergeDueDeltas(ctx: Ctx<JobActor>): Promise<number> {
  const found = await ctx.db
    .select({ id: audiences.id, deltas: audiences.deltas })
    .from(audiences)
    .where(isNotNull(audiences.deltas));
  const due = found.filter(({ deltas }) => deltas !== null && isMergeDue(deltas, ctx.clock()));
  let count = 0;
  for (const { id } of due) if (await mergeDeltas(ctx, id)) count += 1;
  return count;
}

class MembersChanged extends Error {}

/**
 * Merges an audience's deltas into a new base, in one transaction: whatever ends it, nothing half-written is left, and
 * others see the audience as before until it commits. Its members and version remain. When they change meanwhile, it is
 * repeated with the audience locked. Returns false when there was nothing to do, or another process is at it.
 */
export async function mergeDeltas(ctx: Ctx<JobActor>, id: AudienceId): Promise<boolean> {
  try {
    return await merge(ctx, id, { isLocked: false });
  } catch (error) {
    if (!(error instanceof MembersChanged)) throw error;
    return merge(ctx, id, { isLocked: true });
  }
}

async function merge(ctx: Ctx<JobActor>, id: AudienceId, { isLocked }: { isLocked: boolean }): Promise<boolean> {
  return inLongTransaction(ctx, async ({ db }) => {
    const key = sql`hashtextextended(${`audience_deltas ${id}`}, 0)`;
    const [lock] = await queryRows(db, lockRow, sql`select pg_try_advisory_xact_lock(${key}) as "isOurs"`);
    if (!lock?.isOurs) return false;
    if (isLocked)
      await db.select({ id: audiences.id }).from(audiences).where(eq(audiences.id, id)).for("no key update");
    const old = await openMembers(db, id, { withAddresses: true });
    if (!old?.deltas) return false;
    const generation = await writeGeneration(db, id, readMembers(db, old, { withAddresses: true }));
    const [merged] = await db
      .update(audiences)
      .set({ generation, deltas: null })
      .where(and(eq(audiences.id, id), eq(audiences.version, old.version), eq(audiences.generation, old.generation)))
      .returning({ id: audiences.id });
    if (!merged) throw new MembersChanged();
    await dropReplaced(db, { dropped: old, kept: { audienceId: id, generation, deltas: null } });
    return true;
  });
}
