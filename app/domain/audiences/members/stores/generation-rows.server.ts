import { and, eq, notInArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { type audienceBlocks, type audienceObjects, audiences } from "#db/schema/index.ts";
import type { AudienceId } from "../../../ids.ts";

/** The tables whose rows belong to a generation, each from its first hash to that of the next row. */
type GenerationTable = typeof audienceBlocks | typeof audienceObjects;

/**
 * A query of the generation and first hash of each row that contains one of these hashes (32 bytes, `latin1`) or would
 * contain it.
 */
export function rowsWith(
  table: GenerationTable,
  { audienceId, generations }: { audienceId: AudienceId; generations: readonly number[] },
  hashes: readonly string[],
): SQL {
  const list = hashes.map((hash) => Buffer.from(hash, "latin1").toString("hex"));
  const ofLayer = sql`audience_id = ${audienceId} and generation = layer.generation`;
  // Sent as hexadecimal text, because in an array the driver treats the backslash of `\\x…` as an escape.
  // Looked up one by one, because PostgreSQL plans a plain `in` as a scan of all of the audience's rows. The arrays are
  // subqueries, which have the same cost at any length: otherwise each call is planned again, for longer than it runs.
  return sql`
    select distinct layer.generation, coalesce(
      (select first_hash from ${table} where ${ofLayer} and first_hash <= decode(target, 'hex') order by first_hash desc limit 1),
      (select first_hash from ${table} where ${ofLayer} order by first_hash limit 1)
    ) as first from unnest((select ${sql.param(list)}::text[])) target cross join unnest((select ${sql.param(generations)}::int[])) layer (generation)`;
}

/** Whether an audience has rows of other generations than these. */
export async function hasOthersIn(
  db: Database,
  table: GenerationTable,
  { audienceId, generations }: { audienceId: AudienceId; generations: readonly number[] },
): Promise<boolean> {
  const others = await db
    .select({ generation: table.generation })
    .from(table)
    .where(and(eq(table.audienceId, audienceId), notInArray(table.generation, [...generations])))
    .limit(1);
  return others.length > 0;
}

/**
 * Returns audiences that have rows of generations which their own row does not name, at most 100. They are chosen at
 * random, so that those that cannot be swept keep no others from it for good.
 */
export async function listLeftOverIn(db: Database, table: GenerationTable): Promise<AudienceId[]> {
  const left = await db
    .select({ audienceId: audiences.id })
    .from(audiences)
    .innerJoin(table, sql`${table.audienceId} = ${audiences.id}`)
    .where(
      sql`${table.generation} <> ${audiences.generation} and not exists (
        select from jsonb_array_elements(${audiences.deltas} -> 'list') delta where (delta ->> 'generation')::int = ${table.generation})`,
    )
    .groupBy(audiences.id)
    .orderBy(sql`random()`)
    .limit(100);
  return left.map(({ audienceId }) => audienceId);
}
