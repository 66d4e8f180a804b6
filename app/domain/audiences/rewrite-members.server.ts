import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { audiences } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { allowIdle, inLongTransaction, longTimeoutMs } from "../transaction.server.ts";
import { readBlocks } from "./members/audience-blocks.server.ts";
import { dropReplaced, writeGeneration } from "./members/audience-deltas.server.ts";
import { openMembers, readMembers } from "./members/audience-members.server.ts";
import { type Generations, toStoredPlace } from "./members/deltas.ts";
import type { BlockStoreKind, Generation } from "./members/generation.ts";
import { MembersDigest } from "./members/members-digest.ts";
import { tryRewriteLock } from "./members/rewrite-lock.server.ts";
import { withoutUnnamedObjects } from "./members/stores/written-objects.server.ts";

type Rewrite = {
  /** Whether there is something to do, by where the audience's members are. */
  isDue: (place: Generations) => boolean;
  /** The store of the new base; otherwise that of the setting. The base is then read again and compared. */
  store?: BlockStoreKind;
};

export type RewriteOutcome = "rewritten" | "not_due" | "busy";

class MembersChanged extends Error {}

/**
 * Writes an audience's members, with its deltas, as a new base, in one transaction: whatever ends it, nothing
 * half-written is left, and others see the audience as before until it commits. Its members and version remain. When
 * they change meanwhile, it is repeated with the audience locked. Another process that does the same makes it `busy`.
 */
export async function rewriteMembers(ctx: Ctx, id: AudienceId, rewrite: Rewrite): Promise<RewriteOutcome> {
  return await withoutUnnamedObjects(ctx, async (track) => {
    try {
      return await rewriteOnce(ctx, id, { ...rewrite, track, isLocked: false });
    } catch (error) {
      if (!(error instanceof MembersChanged)) throw error;
      return await rewriteOnce(ctx, id, { ...rewrite, track, isLocked: true });
    }
  });
}

type Attempt = Rewrite & { track: (tx: Database) => void; isLocked: boolean };

async function rewriteOnce(
  ctx: Ctx,
  id: AudienceId,
  { isDue, store, track, isLocked }: Attempt,
): Promise<RewriteOutcome> {
  return inLongTransaction(ctx, async ({ db }) => {
    track(db);
    if (!(await tryRewriteLock(db, id))) return "busy";
    await allowIdle(db, longTimeoutMs);
    if (isLocked)
      await db.select({ id: audiences.id }).from(audiences).where(eq(audiences.id, id)).for("no key update");
    const old = await openMembers(db, id, { withAddresses: true });
    if (!old || !isDue(old)) return "not_due";
    const written = new MembersDigest();
    const members = written.passing(readMembers(db, old, { withAddresses: true }));
    const base = { ...(await writeGeneration(db, id, members, store)), deltas: null };
    if (store) await verify(db, base, { written, store });
    const [updated] = await db
      .update(audiences)
      .set(toStoredPlace(base))
      .where(and(eq(audiences.id, id), eq(audiences.version, old.version), eq(audiences.generation, old.generation)))
      .returning({ id: audiences.id });
    if (!updated) throw new MembersChanged();
    await dropReplaced(db, { dropped: old, kept: base });
    return "rewritten";
  });
}

/** Reads a generation from its store again, and throws unless it is there and what was written. */
async function verify(
  db: Database,
  base: Generation,
  { written, store }: { written: MembersDigest; store: BlockStoreKind },
): Promise<void> {
  if (base.store !== store) {
    const message = "Servers of the version before may still run. Objects are written from a day after the upgrade on.";
    throw new DomainError("invalid_transition", message);
  }
  const read = new MembersDigest();
  for await (const _ of read.passing(readBlocks(db, base, { withAddresses: true })));
  if (read.toString() !== written.toString())
    throw new Error(`generation ${base.generation} of audience ${base.audienceId} is not what was written`);
}
