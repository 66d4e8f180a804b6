import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { type AccountId, parseId } from "#app/domain/ids.ts";
import { searchAccount } from "#app/domain/search/search-account.server.ts";
import { closeDatabase, openDatabase } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { type BenchWorld, size } from "./support/bench-world.ts";
import { median, type Row, secondsOf } from "./support/pairs.ts";

const repeat = 20;
const limitMs = 50;

/** Texts by how many names have them, and where: among the newest rows, only among the oldest, or nowhere. */
const texts = {
  "one letter": "s",
  "two letters": "la",
  "the beginning of a quarter of all names": "spring",
  "a word of a quarter of all names": "clearance",
  "a word of the oldest tenth alone": "legacy",
  "one name": `launch ${Math.round(size / 2 / 16) * 16}`,
  "no name": "nothing like this",
} as const;

/**
 * Measures a search among that many campaigns of one advertiser and as many of one publisher: median and maximum of
 * 20.
 */
export async function* search(world: BenchWorld): AsyncGenerator<Row> {
  await insertNames(world);
  const db = openDatabase({ url: world.databaseUrl, max: 2 });
  for (const kind of ["advertiser", "publisher"] as const) {
    const [account] = await queryRows(
      db,
      z.object({ id: z.string() }),
      sql`select account_id as id from users where email = ${`${kind}@example.com`}`,
    );
    const accountId = parseId<AccountId>(account?.id);
    if (!accountId) throw new Error(`there is no demo ${kind}`);
    const ctx: Ctx<TenantActor> = {
      db,
      actor: { kind, accountId },
      clock: () => new Date(),
      entrypoint: "job",
      report: () => undefined,
    };
    for (const [work, q] of Object.entries(texts)) {
      const seconds: number[] = [];
      for (let time = 0; time < repeat; time += 1) seconds.push(await secondsOf(() => searchAccount(ctx, { q })));
      const reached = `${(median(seconds) * 1_000).toFixed(1)} ms, ${(Math.max(...seconds) * 1_000).toFixed(1)} at most`;
      yield { row: "13", work: `${size} campaigns: search, ${kind}, ${work}`, reached, goal: `≤ ${limitMs} ms` };
    }
  }
  await closeDatabase();
}

/**
 * Rows with names and owners alone: without triggers, and with the search indexes made at the end, a million take a
 * minute.
 */
async function insertNames({ sql: connection }: BenchWorld): Promise<void> {
  await connection.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local session_replication_role = replica`;
    const indexes = z
      .array(z.object({ indexdef: z.string(), indexname: z.string() }))
      .parse(
        await tx`select indexname, indexdef from pg_indexes where indexname in ('campaigns_name_search', 'line_items_name_search')`,
      );
    for (const { indexname } of indexes) await tx`drop index ${tx(indexname)}`;
    await tx`create temp table names on commit drop as select n, uuidv7() as id, format('%s %s %s',
      (array['Spring', 'Summer', 'Autumn', 'Winter'])[1 + n % 4],
      case when n < ${size / 10}::int then 'legacy' else (array['launch', 'sale', 'clearance', 'loyalty'])[1 + n / 4 % 4] end,
      n) as name from generate_series(1, ${size}::int) n`;
    await tx`insert into campaigns (id, advertiser_id, name)
      select id, (select account_id from users where email = 'advertiser@example.com'), name from names`;
    await tx`insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, approval_status, approved_version, commission_rate_bps, sent_at)
      select id, id, (select account_id from users where email = 'publisher@example.com'), name, 'Bench', 1, 'approved', 1, 7000, now() from names`;
    for (const { indexdef } of indexes) await tx.unsafe(indexdef);
  });
  await connection.unsafe("vacuum analyze campaigns, line_items");
  await connection`checkpoint`;
}
