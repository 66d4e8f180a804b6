import type { Sql } from "postgres";
import { z } from "zod";
import { StartupError } from "#app/startup-error.ts";
import { connect } from "../driver.server.ts";
import { isHeldLock, untilUnlocked } from "../until-unlocked.ts";
import {
  createMonthPartitions,
  distributedTables,
  distributionStatements,
  preparingStatements,
} from "./distribution-statements.server.ts";
import { lostNode } from "./lost-node.ts";

/**
 * Distributes `deliveries` and `delivery_revisions`, and then removes the rows that the coordinator had of them.
 * Repeated, it does what is left. Interrupted, it leaves the database as it was, at most without foreign keys of facts,
 * or with those rows. Throws a `StartupError` for a database without the extension or workers, and while others hold
 * the tables' locks.
 */
export async function distributeFacts(
  ownerUrl: string,
  { isDryRun, print }: { isDryRun: boolean; print: (line: string) => void },
): Promise<void> {
  const sql = connect(ownerUrl, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    if (isDryRun) {
      const statements = [...preparingStatements, ...distributionStatements];
      print([...statements, ...distributedTables.map(removalOf)].map((one) => `${one};`).join("\n"));
      return;
    }
    await rejectUnfitDatabase(sql);
    const wasDistributed = await isDistributed(sql);
    if (!wasDistributed) await distributeTables(sql);
    // A version before created the months of fewer tables.
    if (wasDistributed) await sql.unsafe(createMonthPartitions);
    for (const table of distributedTables) await runBriefly(sql, removalOf(table));
    print(wasDistributed ? "Facts are distributed already" : "Facts are distributed by line item");
  } catch (error) {
    throw asStartupError(error);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Runs the statements that distribute the tables, with the lock of facts alone while their rows are copied. */
export async function distributeTables(sql: Sql): Promise<void> {
  for (const statement of preparingStatements) await runBriefly(sql, statement);
  await run(sql, { statements: distributionStatements, lockTimeoutMs: 3_000 });
}

/** Citus keeps the rows of before, which no statement sees any more. Without such rows this does nothing. */
const removalOf = (table: string) => `select truncate_local_data_after_distributing_table('${table}')`;

async function rejectUnfitDatabase(sql: Sql): Promise<void> {
  const [known] = z
    .array(z.object({ version: z.string() }))
    .parse(await sql`select extversion as version from pg_extension where extname = 'citus'`);
  if (!known) {
    throw new StartupError(
      "The database has no extension citus. Set it up on every node first: CREATE EXTENSION citus on the coordinator and on each worker, then SELECT citus_add_node('WORKER', 5432) on the coordinator",
    );
  }
  const [nodes] = z
    .array(z.object({ workers: z.coerce.number() }))
    .parse(await sql`select count(*) as workers from citus_get_active_worker_nodes()`);
  if (!nodes?.workers) {
    throw new StartupError(
      "The database has no workers. Add them on the coordinator: SELECT citus_add_node('WORKER', 5432)",
    );
  }
}

async function isDistributed(sql: Sql): Promise<boolean> {
  const rows = await sql`select from pg_dist_partition where logicalrelid = 'deliveries'::regclass`;
  return rows.length > 0;
}

/**
 * Waits for locks less long than PostgreSQL waits before it looks for a deadlock, so that this fails and no page or
 * report.
 */
function runBriefly(sql: Sql, statement: string): Promise<void> {
  return run(sql, { statements: [statement], lockTimeoutMs: 500 });
}

const retry = { attempts: 40, pauseMs: 1_000 };

async function run(sql: Sql, work: { statements: readonly string[]; lockTimeoutMs: number }): Promise<void> {
  await untilUnlocked(async () => {
    await sql.begin(async (tx) => {
      await tx.unsafe(`set local lock_timeout = ${work.lockTimeoutMs}`);
      for (const statement of work.statements) await tx.unsafe(statement);
    });
  }, retry);
}

function asStartupError(error: unknown): unknown {
  if (isHeldLock(error)) return new StartupError("Reports or long queries hold the tables. Run this again");
  const node = lostNode(error);
  return node ? new StartupError(`Facts cannot be distributed without all nodes. Run this again: ${node}`) : error;
}
