import { desc, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { auditBlocks } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { type AuditEntryId, lowestIdAt } from "../../ids.ts";
import { acceptedFrom, type SealedEntry, unsettledFrom } from "./audit-chain.ts";
import { hashBlock, hashEntry, noHash } from "./hash-block.server.ts";
import { readSealedEntries } from "./read-sealed-entries.server.ts";
import { checkSignature, isNewestSignature, signBlock } from "./sign-block.server.ts";

/** The maximum number of entries in a block that are in order, and of late ones. */
const maxEntries = 1_000;
/**
 * The maximum number of blocks in one run. The rest waits for the next run, so that a stopping server does not have to
 * wait.
 */
const maxBlocks = 100;

/**
 * Seals the audit entries that are in no block yet, in blocks that each contain the hash of the previous block. Writers
 * of entries never wait for it. When several processes seal at once, one of them inserts each block, because the block
 * number is the primary key. Returns the number of entries sealed.
 */
export async function sealAuditEntries(ctx: Ctx<JobActor>): Promise<number> {
  let sealed = 0;
  for (let blocks = 0; blocks < maxBlocks; blocks += 1) {
    const previous = await newestBlock(ctx);
    const entries = await unsealedEntries(ctx, { sealedThrough: previous?.sealedThrough, withLate: blocks === 0 });
    // After a key rotation, a block without entries signs the chain with the new key, so that the earlier key can be
    // removed.
    const isDue = entries.length > 0 || (previous && !isNewestSignature(previous.signature));
    if (!isDue || !(await insertBlock(ctx, { previous, entries }))) break;
    sealed += entries.length;
  }
  return sealed;
}

type Block = typeof auditBlocks.$inferSelect;

async function newestBlock(ctx: Ctx<JobActor>): Promise<Block | undefined> {
  const [newest] = await ctx.db.select().from(auditBlocks).orderBy(desc(auditBlocks.number)).limit(1);
  // Without this check, later blocks would vouch for a block that someone without the key inserted.
  if (newest && checkSignature(newest) !== "valid") {
    throw new Error(
      `Audit block ${newest.number} is not signed with a key of this server. Run npm run audit:verify for details.`,
    );
  }
  return newest;
}

/**
 * Reads the entries that no block contains: all after `sealedThrough`, and with `withLate` those before it whose
 * transaction committed after their block was sealed.
 */
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
  if (!(await hasLateEntries(ctx, { from, sealedThrough }))) return next;
  const late = await readSealedEntries(ctx.db, {
    where: sql`entry.id >= ${from}::uuid and entry.id <= ${sealedThrough}::uuid and not exists (
      select from audit_blocks block, unnest(block.entry_ids) as sealed (id)
      where block.sealed_through >= ${from}::uuid and sealed.id = entry.id)`,
    limit: maxEntries,
  });
  return [...late, ...next];
}

const countsRow = z.object({ entries: z.string(), sealed: z.string() });

/**
 * Returns whether the entries of a range are not as many as blocks list of it. Counting takes a quarter of comparing
 * each entry. An entry that came late while another was removed is not seen until it is reported together with that
 * one.
 */
async function hasLateEntries(
  ctx: Ctx<JobActor>,
  { from, sealedThrough }: { from: AuditEntryId; sealedThrough: AuditEntryId },
): Promise<boolean> {
  const [counted] = await queryRows(
    ctx.db,
    countsRow,
    sql`
      select (select count(*)::text from audit_entries where id >= ${from}::uuid and id <= ${sealedThrough}::uuid) as entries,
        (select count(*)::text from audit_blocks block, unnest(block.entry_ids) as sealed (id)
          where block.sealed_through >= ${from}::uuid and sealed.id >= ${from}::uuid and sealed.id <= ${sealedThrough}::uuid) as sealed`,
  );
  return counted?.entries !== counted?.sealed;
}

/** Inserts the next block. Returns false when another process inserted the block of this number first. */
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
  const inserted = await ctx.db
    .insert(auditBlocks)
    .values({ ...block, hash, signature: signBlock(hash) })
    .onConflictDoNothing()
    .returning({ number: auditBlocks.number });
  return inserted.length > 0;
}

function latestId(ids: readonly AuditEntryId[], before: AuditEntryId): AuditEntryId {
  let latest = before;
  for (const id of ids) if (id > latest) latest = id;
  return latest;
}
