import { sql } from "drizzle-orm";
import { pgArray } from "#db/query-rows.server.ts";
import type { Ctx } from "../context.ts";
import type { AccountId } from "../ids.ts";

/**
 * Locks the roll-ups of accounts until the transaction ends. Everything that writes them in one statement and one order
 * shares the lock; what needs several statements locks them exclusively, so that no two writers deadlock. The procedure
 * `fill_roll_ups` takes all of these locks.
 */
export async function lockRollUps(
  ctx: Ctx,
  { accountIds, isExclusive }: { accountIds: Iterable<AccountId>; isExclusive: boolean },
): Promise<void> {
  const slots = new Set([...accountIds].map((id) => Number.parseInt(id.slice(-4), 16) % lockSlots));
  const lock = isExclusive ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  const inOrder = pgArray([...slots].sort((one, other) => one - other));
  await ctx.db.execute(sql`select ${lock}(${rollUpLock}, place) from unnest(${inOrder}::int[]) place`);
}

/**
 * The key of these advisory locks, unique in this database, and their number: the server has room for a few thousand.
 */
const rollUpLock = 1_482_116_003;
const lockSlots = 64;
