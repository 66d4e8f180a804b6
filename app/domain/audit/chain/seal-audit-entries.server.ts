import { desc, sql } from "drizzle-orm";
import { auditBlocks } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { AuditEntryId } from "../../ids.ts";
import { acceptedFrom, lowestIdAt, type SealedEntry, unsettledFrom } from "./audit-chain.ts";
import { hashBlock, hashEntry, noHash } from "./hash-block.server.ts";
import { readSealedEntries } from "./read-sealed-entries.server.ts";
import { checkSignature, isNewestSignature, signBlock } from "./sign-block.server.ts";

/** Entries of a block that come in order, and as many that came late. */
const maxEntries = 1_000;
/** Blocks of one run: what is left waits for the next, so that a server that stops need not wait for it. */
const maxBlocks = 100;

/**
 * Seals the audit entries that are in no block yet, in blocks that each hold the hash of the one before. Nothing that writes entries
 * waits for it. Of several processes that seal at once, one makes each block: its number is the table's key. Returns how many were sealed.
 */
export async function sealAuditEntries(ctx: Ctx<JobActor>): Promise<number> {
  let sealed = 0;
  for (let blocks = 0; blocks < maxBlocks; blocks += 1) {
    const previous = await newestBlock(ctx);
    const entries = await unsealedEntries(ctx, { sealedThrough: previous?.sealedThrough, withLate: blocks === 0 });
    // After a rotation a block without entries vouches for the chain with the new key, so that the earlier one can go.
    const isDue = entries.length > 0 || (previous && !isNewestSignature(previous.signature));
    if (!isDue || !(await insertBlock(ctx, { previous, entries }))) break;
    sealed += entries.length;
  }
  return sealed;
}

type Block = typeof auditBlocks.$inferSelect;

async function newestBlock(ctx: Ctx<JobActor>): Promise<Block | undefined> {
  const [newest] = await ctx.db.select().from(auditBlocks).orderBy(desc(auditBlocks.number)).limit(1);
  // Else a block that somebody without the key put there would be vouched for by those that follow.
  if (newest && checkSignature(newest) !== "valid") {
    throw new Error(
      `Audit block ${newest.number} is not signed with a key of this server; npm run audit:verify says more`,
    );
  }
  return newest;
}

/** Beyond what is sealed no entry is in a block; before it those are left whose transaction was committed after the block. */
async function unsealedEntries(
  ctx: Ctx<JobActor>,
  { sealedThrough, withLate }: { sealedThrough: AuditEntryId | undefined; withLate: boolean },
): Promise<SealedEntry[]> {
  const until = unsettledFrom(ctx.clock());
  const after = sealedThrough ?? lowestIdAt(0);
  const next = await readSealedEntries(ctx.db, {
    where: sql`entry.id > ${after}::uuid and entry.id < ${until}::uuid`,
    limit: maxEntries,
  });
  if (!sealedThrough || !withLate) return next;
  const from = acceptedFrom(sealedThrough);
  const late = await readSealedEntries(ctx.db, {
    where: sql`entry.id >= ${from}::uuid and entry.id <= ${sealedThrough}::uuid and not exists (
      select from audit_blocks block, unnest(block.entry_ids) as sealed (id)
      where block.sealed_through >= ${from}::uuid and sealed.id = entry.id)`,
    limit: maxEntries,
  });
  return [...late, ...next];
}

/** False when another process made the block of this number meanwhile. */
async function insertBlock(
  ctx: Ctx<JobActor>,
  { previous, entries }: { previous: Block | undefined; entries: SealedEntry[] },
): Promise<boolean> {
  const entryIds = entries.map(({ id }) => id);
  const block = {
    number: (previous?.number ?? 0) + 1,
    previousHash: previous?.hash ?? noHash,
    entryIds,
    entryHashes: Buffer.concat(entries.map(hashEntry)),
    sealedThrough: latestId(entryIds, previous?.sealedThrough ?? lowestIdAt(0)),
    sealedAt: ctx.clock(),
  };
  const hash = hashBlock(block);
  const made = await ctx.db
    .insert(auditBlocks)
    .values({ ...block, hash, signature: signBlock(hash) })
    .onConflictDoNothing()
    .returning({ number: auditBlocks.number });
  return made.length > 0;
}

function latestId(ids: readonly AuditEntryId[], before: AuditEntryId): AuditEntryId {
  let latest = before;
  for (const id of ids) if (id > latest) latest = id;
  return latest;
}
