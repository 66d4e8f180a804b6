import { sql as drizzleSql } from "drizzle-orm";
import { z } from "zod";
import { openMembers } from "#app/domain/audiences/members/audience-members.server.ts";
import { MemberLookUp } from "#app/domain/audiences/members/member-look-up.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { idSchema } from "#app/domain/ids.ts";
import { closeDatabase, openDatabase } from "#db/client.server.ts";
import type { BenchWorld } from "./bench-world.ts";
import { median, secondsOf } from "./pairs.ts";

const emptyStatement = drizzleSql`select 1`;

/**
 * Returns the milliseconds of a look-up of one person in an audience, and those of an empty statement on the same
 * connection, in turn: the medians of five hundred.
 */
export async function lookUp(
  { databaseUrl, sql }: BenchWorld,
  audience: string,
): Promise<{ medianMs: number; emptyMs: number }> {
  const audienceId = idSchema<AudienceId>().parse(audience);
  const db = openDatabase({ url: databaseUrl, max: 1 });
  const opened = await openMembers(db, audienceId);
  if (!opened) throw new Error("there is no such audience");
  const members = z.array(z.object({ hash: z.instanceof(Buffer) })).parse(
    await sql`select substr(hashes, 32 * (length(flags) / 2) + 1, 32) as hash
    from audience_blocks where audience_id = ${audienceId} and generation = ${opened.generation} order by random() limit 500`,
  );
  const [durations, empty]: [number[], number[]] = [[], []];
  for (const { hash } of members) {
    const wanted = hash.toString("latin1");
    const live = new MemberLookUp(db, opened);
    empty.push(await secondsOf(() => db.execute(emptyStatement)));
    durations.push(await secondsOf(() => live.load([wanted])));
    // One of the base may have been removed by a delta.
    if (!live.find(wanted) && !opened.deltas) throw new Error("a member was not found");
  }
  await closeDatabase();
  return { medianMs: 1_000 * median(durations), emptyMs: 1_000 * median(empty) };
}
