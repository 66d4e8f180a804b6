import { sql } from "drizzle-orm";
import { z } from "zod";
import { countLineItems } from "#app/domain/campaigns/line-items/count-line-items.server.ts";
import { listLineItems } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { type AccountId, parseId } from "#app/domain/ids.ts";
import { closeDatabase, type Database, openDatabase, withDeadline } from "#db/client.server.ts";
import { type BenchWorld, size } from "./support/bench-world.ts";
import { medianRatio, type Row, secondsOf, times } from "./support/pairs.ts";

const repeat = 30;

/** Row 13: a publisher with a great many campaigns. Each operation runs 30 times a round. */
export async function* manyCampaigns(world: BenchWorld): AsyncGenerator<Row> {
  const db = openDatabase({ url: world.databaseUrl, max: 2 });
  const [publisher] = z
    .array(z.object({ id: z.string() }))
    .parse(await world.sql`select account_id as id from users where email = 'publisher@example.com'`);
  const accountId = parseId<AccountId>(publisher?.id);
  if (!accountId) throw new Error("there is no demo publisher");
  const ctx: Ctx<PublisherActor> = {
    db,
    actor: { kind: "publisher", accountId },
    clock: () => new Date(),
    entrypoint: "job",
    report: () => undefined,
  };
  const [deep] = z
    .array(z.object({ id: z.string(), name: z.string() }))
    .parse(
      await world.sql`select id, campaign_name as name from line_items where publisher_id = ${accountId} order by id offset 26 limit 1`,
    );
  const cursor = `after.${deep?.id}.line_items`;
  const first = () => many(() => listLineItems(ctx, { limit: 25 }));
  const toRow = (work: string, ratio: number, goal: string): Row => {
    return { row: "13", work: `${size} campaigns: ${work}`, reached: times(ratio), goal };
  };
  yield toRow(
    "deepest page ÷ first page",
    await medianRatio({ ours: () => many(() => listLineItems(ctx, { limit: 25, cursor })), theirs: first }),
    "≤ 1.5×",
  );
  yield toRow(
    "tabs and tiles ÷ first page",
    await medianRatio({ ours: () => many(() => countLineItems(ctx)), theirs: first }),
    "≤ 1×",
  );
  const q = deep?.name ?? "";
  yield toRow(
    "name search ÷ unindexed search",
    await medianRatio({
      ours: () => secondsOf(() => listLineItems(ctx, { limit: 25, q })),
      theirs: () => secondsOf(() => unindexedSearch(db, accountId, q)),
    }),
    "≤ 0.05×",
  );
  await closeDatabase();
}

function many(work: () => Promise<unknown>): Promise<number> {
  return secondsOf(async () => {
    for (let time = 0; time < repeat; time += 1) await work();
  });
}

function unindexedSearch(db: Database, publisherId: AccountId, q: string): Promise<unknown> {
  return withDeadline({ db }, 60_000).db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`set local enable_bitmapscan = off`);
    return tx.execute(
      sql`select id from line_items where publisher_id = ${publisherId} and campaign_name || '' ilike ${`%${q}%`} order by id desc limit 26`,
    );
  });
}
