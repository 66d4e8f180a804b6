import { sql } from "drizzle-orm";
import { z } from "zod";
import { type Dimension, dimensionsOf } from "#app/domain/analytics/analytics.ts";
import { breakDownPerformance } from "#app/domain/analytics/break-down-performance.server.ts";
import { breakdownLimits } from "#app/domain/analytics/breakdown-limits.ts";
import { compareTotals } from "#app/domain/analytics/compare-totals.server.ts";
import { listCampaignMarks, maxMarks } from "#app/domain/analytics/list-campaign-marks.server.ts";
import type { Period } from "#app/domain/analytics/period.ts";
import { addDays } from "#app/domain/calendar-date.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { withDeadline } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { median, type Row, rounds, secondsOf } from "./support/pairs.ts";

/** The columns of each dimension in an aggregate of the facts by two of them. */
const columns = {
  campaign: "item.campaign_id",
  audience: "fact.audience_id",
  channel: "fact.channel",
  category: "version.product_category",
  publisher: "item.publisher_id",
} satisfies Partial<Record<Dimension, string>>;
type Pair = readonly [keyof typeof columns, keyof typeof columns];

/** Every pair of dimensions that the screen offers. */
const names = dimensionsOf.advertiser.filter((one): one is keyof typeof columns => one in columns);
const pairs = names.flatMap((group, place) => names.slice(place + 1).map((split): Pair => [group, split]));

/**
 * Row 14, continued: the year broken down by two dimensions, against one aggregate of its facts by the same two. Throws
 * if a breakdown differs from its facts, also after a restatement of a day. The last row is the marks of the year's
 * chart, with twice as many changes as are read.
 */
export async function* breakdowns(
  ctx: Ctx<AdvertiserActor>,
  { period, year }: { period: Period; year: string },
): AsyncGenerator<Row> {
  for (const [group, split] of pairs) {
    const ours = () => breakDownPerformance(ctx, { period, group, split, limits: breakdownLimits.screen });
    const seconds = await secondsEach(ours);
    const raw = await secondsEach(() => aggregate(ctx, { period, pair: [group, split] }), rawRounds);
    const reached = `${(raw / seconds).toFixed(0)}× as fast (${milliseconds(seconds)})`;
    yield { row: "14", work: `${year}: by ${group} and ${split}`, reached, goal: "≥ 100× as fast" };
  }
  for (const pair of pairs) await checkPair(ctx, { period, pair });
  const restated = await secondsOf(() => restateDay(ctx, period));
  yield { row: "14", work: `${year}: a day restated`, reached: `${restated.toFixed(1)} s`, goal: "–" };
  for (const pair of pairs) await checkPair(ctx, { period, pair });
  await insertChanges(ctx);
  const marks = () => listCampaignMarks(ctx, { period });
  if ((await marks()).marks.length !== maxMarks) throw new Error("there are too few marks");
  const reached = milliseconds(await secondsEach(marks));
  yield { row: "14", work: "marks of a year with a million changes", reached, goal: "≤ 50 ms" };
}

/** The aggregate reads every fact, so that its time hardly varies. */
const rawRounds = 2;

/** Compares every cell of a breakdown with the aggregate: counts exactly, and amounts to the cent. */
async function checkPair(
  ctx: Ctx<AdvertiserActor>,
  { period, pair: [group, split] }: { period: Period; pair: Pair },
): Promise<void> {
  const limits = { groups: 2_000, parts: 2_000 };
  const { groups } = await breakDownPerformance(ctx, { period, group, split, limits });
  const { totals } = await compareTotals(ctx, { period });
  const cells = new Map(groups.flatMap(({ key, parts }) => parts.map((part) => [`${key} ${part.key}`, part] as const)));
  const raw = await aggregate(ctx, { period, pair: [group, split] });
  const differs = raw.some(({ key, part, impressions, spend }) => {
    const cell = cells.get(`${key} ${part}`);
    return cell?.impressions !== Number(impressions) || Math.abs(cell.spendCents - Number(spend) / 10_000) >= 2;
  });
  const listed = groups.reduce((sum, row) => sum + row.spendCents, 0);
  if (differs || raw.length !== cells.size || listed !== totals.spendCents)
    throw new Error(`the sums by ${group} and ${split} differ`);
}

/** Restates every fact of a day in the middle of the period, as a report does. */
async function restateDay(ctx: Ctx<AdvertiserActor>, { from }: Period): Promise<void> {
  await withDeadline(ctx, 300_000).db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`
      update deliveries set revision = revision + 1, impressions = impressions + 7, spend_micros = spend_micros - 123457
      where day = ${addDays(from, 100)}::date`);
  });
}

async function secondsEach(work: () => Promise<unknown>, times: number = rounds): Promise<number> {
  const seconds: number[] = [];
  for (let round = 0; round < times; round += 1) seconds.push(await secondsOf(work));
  return median(seconds);
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1_000).toFixed(0)} ms`;
}

const cellRow = z.object({
  key: z.string().nullable(),
  part: z.string().nullable(),
  impressions: z.string(),
  spend: z.string(),
});

function aggregate(ctx: Ctx<AdvertiserActor>, { period, pair }: { period: Period; pair: Pair }) {
  const [key, part] = pair.map((dimension) => sql.raw(`${columns[dimension]}::text`));
  return withDeadline(ctx, 300_000).db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    return queryRows(
      tx,
      cellRow,
      sql`
        select ${key} as key, ${part} as part, sum(fact.impressions)::text as impressions, sum(fact.clicks), sum(fact.conversions), sum(fact.spend_micros)::text as spend, sum(fact.revenue_micros)
        from deliveries fact join line_items item on item.id = fact.line_item_id join campaigns owner on owner.id = item.campaign_id
        left join campaign_versions version on version.campaign_id = item.campaign_id and version.number = item.approved_version
        where owner.advertiser_id = ${ctx.actor.accountId} and fact.day between ${period.from} and ${period.to} group by ${sql.raw(pair.map((dimension) => columns[dimension]).join(", "))}`,
    );
  });
}

/** A million pauses of the account's campaigns within the year. */
async function insertChanges(ctx: Ctx<AdvertiserActor>): Promise<void> {
  await withDeadline(ctx, 300_000).db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`
      insert into audit_entries (id, created_at, action, entity, entity_id, campaign_id, owner_id, actor_kind, actor_name, entrypoint)
      select uuidv7(), now() - change.n * interval '30 seconds', 'campaign.paused', 'campaign', campaign_id, campaign_id, ${ctx.actor.accountId}, 'advertiser', 'Bench', 'api'
      from generate_series(1, 1000000) change (n) join bench_items item on item.n = 1 + change.n % (select count(*) from bench_items)`);
  });
  await ctx.db.execute(sql`analyze audit_entries`);
}
