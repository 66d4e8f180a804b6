import { z } from "zod";
import { BlockEditor } from "#app/domain/audiences/members/block-editor.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { idSchema } from "#app/domain/ids.ts";
import { closeDatabase, openDatabase } from "#db/client.server.ts";
import type { BenchWorld } from "./bench-world.ts";
import { secondsOf } from "./pairs.ts";

/** Returns the milliseconds of a look-up of one person in an audience: the median of five hundred. */
export async function lookUp({ databaseUrl, sql }: BenchWorld, audience: string): Promise<number> {
  const audienceId = idSchema<AudienceId>().parse(audience);
  const [row] = z
    .array(z.object({ generation: z.number() }))
    .parse(await sql`select generation from audiences where id = ${audienceId}`);
  const members = z.array(z.object({ hash: z.instanceof(Buffer) })).parse(
    await sql`select substr(hashes, 32 * (length(flags) / 2) + 1, 32) as hash
    from audience_blocks where audience_id = ${audienceId} and generation = ${row?.generation ?? 0} order by random() limit 500`,
  );
  const db = openDatabase({ url: databaseUrl, max: 1 });
  const durations: number[] = [];
  for (const { hash } of members) {
    const wanted = hash.toString("latin1");
    const live = new BlockEditor(db, { audienceId, generation: row?.generation ?? 0 });
    durations.push(await secondsOf(() => live.load([wanted])));
    if (!live.find(wanted)) throw new Error("a member was not found");
  }
  await closeDatabase();
  return 1_000 * (durations.sort((one, other) => one - other)[Math.floor(durations.length / 2)] ?? Number.NaN);
}
