import { asc, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { withDeadline } from "#db/client.server.ts";
import { columnValue, pgArray, queryRows } from "#db/query-rows.server.ts";
import { auditBlocks, auditEntries } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { lowestIdAt } from "../../ids.ts";
import { inSnapshot } from "../../transaction.server.ts";
import { acceptedFrom, futureFrom, isMisdated, type SealedEntry } from "./audit-chain.ts";
import { hashBlock, hashBytes, hashEntry, noHash } from "./hash-block.server.ts";
import { readSealedEntries } from "./read-sealed-entries.server.ts";
import { checkSignature } from "./sign-block.server.ts";

type Block = typeof auditBlocks.$inferSelect;

export type ChainFault = { block?: number; entry?: string; problem: string };

export type ChainReport = {
  blocks: number;
  sealed: number;
  /** The number of entries that the next blocks will seal. */
  waiting: number;
  newest: { number: number; hash: string } | undefined;
};

type Verification = { expected?: { number: number; hash: string }; onFault: (fault: ChainFault) => void };

/** The deadline of a verification, in milliseconds: enough for the audit trail of many years. */
const deadlineMs = 2 * 60 * 60_000;
/** The number of blocks in memory at a time, and of entries read at a time. */
const [maxBlocksAtOnce, maxEntriesAtOnce] = [10, 1_000];
/** The maximum number of unsealed entries that are reported one by one. */
const maxExamples = 100;

/**
 * Compares the audit trail with its chain of blocks, in one snapshot of both and in bounded memory, and calls `onFault`
 * for each discrepancy. `expected` is a block's hash that was recorded outside the database: it detects a truncated or
 * rebuilt chain.
 */
export async function verifyAuditChain(ctx: Ctx<OperatorActor>, verification: Verification): Promise<ChainReport> {
  return inSnapshot(withDeadline(ctx, deadlineMs), (inside) => verifySnapshot(inside, verification));
}

async function verifySnapshot(ctx: Ctx<OperatorActor>, { expected, onFault }: Verification): Promise<ChainReport> {
  let [previous, blocks, sealed]: [Block | undefined, number, number] = [undefined, 0, 0];
  let expectedHash: string | undefined;
  for (;;) {
    const page: Block[] = await nextBlocks(ctx, previous?.number ?? Number.MIN_SAFE_INTEGER);
    if (page.length === 0) break;
    for (const block of page) {
      for (const problem of blockProblems(block, previous)) onFault({ block: block.number, problem });
      sealed += await verifyEntries(ctx, { block, onFault });
      if (block.number === expected?.number) expectedHash = block.hash.toString("hex");
      previous = block;
      blocks += 1;
    }
  }
  if (previous && checkSignature(previous) === "unknown_key") {
    onFault({
      block: previous.number,
      problem: "the newest block is signed with a key that this server does not have",
    });
  }
  if (expected && expectedHash !== expected.hash) {
    const problem = expectedHash ? `the block's hash is ${expectedHash}, not ${expected.hash}` : "the block is missing";
    onFault({ block: expected.number, problem });
  }
  const waiting = await verifyUnsealed(ctx, { newest: previous, onFault });
  const newest = previous && { number: previous.number, hash: previous.hash.toString("hex") };
  return { blocks, sealed, waiting, newest };
}

async function nextBlocks({ db }: Ctx, after: number): Promise<Block[]> {
  const later = gt(auditBlocks.number, after);
  return db.select().from(auditBlocks).where(later).orderBy(asc(auditBlocks.number)).limit(maxBlocksAtOnce);
}

/** Returns the faults of a block itself, regardless of its entries. */
function blockProblems(block: Block, previous: Block | undefined): string[] {
  const problems: string[] = [];
  const next = (previous?.number ?? 0) + 1;
  if (block.number !== next) problems.push(`the block does not follow block ${next - 1}: blocks between are missing`);
  else if (!block.previousHash.equals(previous?.hash ?? noHash)) {
    problems.push(previous ? `the block does not follow block ${previous.number}` : "the block is not the first");
  }
  if (!hashBlock(block).equals(block.hash)) problems.push("the block was changed");
  if (checkSignature(block) === "invalid") problems.push("the block's signature is wrong");
  return problems;
}

/**
 * Calls `onFault` for each entry of a block that is missing or differs from its sealed hash. Returns the number of
 * entries in the block.
 */
async function verifyEntries(
  { db }: Ctx,
  { block, onFault }: { block: Block; onFault: (fault: ChainFault) => void },
): Promise<number> {
  for (let from = 0; from < block.entryIds.length; from += maxEntriesAtOnce) {
    const ids = block.entryIds.slice(from, from + maxEntriesAtOnce);
    const sealedEntries = await readSealedEntries(db, {
      where: sql`entry.id = any(${pgArray(ids)}::uuid[])`,
      limit: ids.length,
    });
    const entries = new Map<string, SealedEntry>(sealedEntries.map((entry) => [entry.id, entry]));
    for (const [index, id] of ids.entries()) {
      const entry = entries.get(id);
      const start = (from + index) * hashBytes;
      const hash = block.entryHashes.subarray(start, start + hashBytes);
      const fault = (problem: string) => onFault({ block: block.number, entry: id, problem });
      if (!entry) fault("the entry was removed");
      else if (!hashEntry(entry).equals(hash)) fault("the entry was changed");
      else if (isMisdated(entry)) fault("the entry's time differs from when it was written");
    }
  }
  return block.entryIds.length;
}

const unsealedRow = z.object({
  waiting: z.coerce.number(),
  misplaced: z.coerce.number(),
  examples: z.array(columnValue(auditEntries.id)),
});

/**
 * Calls `onFault` for unsealed entries that no block will ever seal. Returns the number of entries that wait for the
 * next block.
 */
async function verifyUnsealed(
  ctx: Ctx<OperatorActor>,
  { newest, onFault }: { newest: Block | undefined; onFault: (fault: ChainFault) => void },
): Promise<number> {
  const from = newest ? acceptedFrom(newest.sealedThrough) : lowestIdAt(0);
  const waits = sql`id >= ${from}::uuid and id < ${futureFrom(ctx.clock())}::uuid`;
  const [unsealed] = await queryRows(
    ctx.db,
    unsealedRow,
    sql`
      with unsealed as (
        select entry.id, ${waits} as waits from audit_entries entry where not exists (
          select from audit_blocks block, unnest(block.entry_ids) as sealed (id) where sealed.id = entry.id)
      )
      select count(*) filter (where waits) as waiting, count(*) filter (where not waits) as misplaced,
        array(select id from unsealed where not waits order by id limit ${maxExamples}) as examples from unsealed`,
  );
  const { waiting = 0, misplaced = 0, examples = [] } = unsealed ?? {};
  for (const entry of examples)
    onFault({ entry, problem: "the entry is in no block, and its time differs from when it was written" });
  const more = misplaced - examples.length;
  if (more > 0)
    onFault({ problem: `${more} more entries are in no block, and their times differ from when they were written` });
  return waiting;
}
