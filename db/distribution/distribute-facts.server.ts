import type { Sql } from "postgres";
import { z } from "zod";
import { errorCode, StartupError } from "#app/startup-error.ts";
import { connect } from "../driver.server.ts";
import { createMonthPartitions, distributedTables, distributionStatements } from "./distribution-statements.server.ts";

/**
 * Distributes `deliveries` and `delivery_revisions` in one transaction, and then removes the rows that the coordinator had
 * of them. Repeated, it does what is left; an interruption leaves the database as it was, or with those rows. Throws a
 * `StartupError` for a database without the extension or workers, and while others hold the tables' locks for ten seconds.
 */
export async function distributeFacts(
  ownerUrl: string,
  { isDryRun, print }: { isDryRun: boolean; print: (line: string) => void },
): Promise<void> {
  const sql = connect(ownerUrl, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    if (isDryRun) {
      print([...distributionStatements, ...distributedTables.map(removalOf)].map((one) => `${one};`).join("\n"));
      return;
    }
    await rejectUnfitDatabase(sql);
    const wasDistributed = await isDistributed(sql);
    if (!wasDistributed) await runStatements(sql);
    // A version before created the months of fewer tables.
    if (wasDistributed) await sql.unsafe(createMonthPartitions);
    for (const table of distributedTables) await sql.unsafe(removalOf(table));
    print(wasDistributed ? "Facts are distributed already" : "Facts are distributed by line item");
  } finally {
    await sql.end({ timeout: 5 });
  }
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

/** PostgreSQL's codes for a lock that was not granted in time, and for a deadlock. */
const heldLockCodes = new Set(["55P03", "40P01"]);

async function runStatements(sql: Sql): Promise<void> {
  try {
    await sql.begin(async (tx) => {
      for (const statement of distributionStatements) await tx.unsafe(statement);
    });
  } catch (error) {
    if (!heldLockCodes.has(errorCode(error) ?? "")) throw error;
    throw new StartupError("Reports or long queries hold the tables. Nothing was changed. Run this again");
  }
}
