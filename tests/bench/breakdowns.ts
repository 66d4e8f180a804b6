import { sql } from "drizzle-orm";
import type { Dimension } from "#app/domain/analytics/analytics.ts";
import { breakDownPerformance } from "#app/domain/analytics/break-down-performance.server.ts";
import { breakdownLimits } from "#app/domain/analytics/breakdown-limits.ts";
import { compareTotals } from "#app/domain/analytics/compare-totals.server.ts";
import { listCampaignMarks, maxMarks } from "#app/domain/analytics/list-campaign-marks.server.ts";
import type { Period } from "#app/domain/analytics/period.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { withDeadline } from "#db/client.server.ts";
import { median, medianRatio, type Row, rounds, secondsOf } from "./support/pairs.ts";

/** The columns of each dimension in an aggregate of the facts by two of them. */
const columns = {
  campaign: "item.campaign_id",
  audience: "fact.audience_id",
  channel: "fact.channel",
  category: "version.product_category",
  publisher: "item.publisher_id",
} satisfies Partial<Record<Dimension, string>>;
type Pair = readonly [keyof typeof columns, keyof typeof columns];

const pairs: readonly Pair[] = [
  ["campaign", "channel"],
  ["campaign", "audience"],
  ["campaign", "publisher"],
  ["channel", "audience"],
  ["audience", "publisher"],
  ["category", "publisher"],
  ["category", "channel"],
];

/**
 * Row 14, continued: the year broken down by two dimensions, against one aggregate of its facts by the same two. Throws
 * if the cents of a breakdown differ from the totals. A pair that is refused has the time until it is. The last row is the
 * marks of the year's chart, with twice as many changes as are read.
 */
export async function breakdowns(ctx: Ctx<AdvertiserActor>, period: Period): Promise<Row[]> {
  const { totals } = await compareTotals(ctx, { period });
  const rows: Row[] = [];
  for (const [group, split] of pairs) {
    const work = `a year of 10 M facts: by ${group} and ${split}`;
    const ours = () => breakDownPerformance(ctx, { period, group, split, limits: breakdownLimits.screen });
    const isRefused = await ours().then(
      ({ groups }) => {
        const listed = groups.reduce((sum, row) => sum + row.spendCents, 0);
        if (listed !== totals.spendCents) throw new Error(`the sums by ${group} and ${split} differ`);
        return false;
      },
      (error: unknown) => {
        if (error instanceof DomainError && error.code === "invalid_input") return true;
        throw error;
      },
    );
    if (isRefused) {
      const seconds = await secondsEach(() => ours().catch(() => undefined));
      rows.push({ row: "14", work, reached: `refused after ${milliseconds(seconds)}`, goal: "≤ 1 s" });
      continue;
    }
    const ratio = await medianRatio({
      ours: () => secondsOf(ours),
      theirs: () => secondsOf(() => aggregate(ctx, { period, pair: [group, split] })),
    });
    const reached = `${(1 / ratio).toFixed(1)}× as fast (${milliseconds(await secondsEach(ours))})`;
    rows.push({ row: "14", work, reached, goal: "≤ 1 s" });
  }
  await insertChanges(ctx);
  const marks = () => listCampaignMarks(ctx, { period });
  if ((await marks()).marks.length !== maxMarks) throw new Error("there are too few marks");
  const reached = milliseconds(await secondsEach(marks));
  rows.push({ row: "14", work: "marks of a year with a million changes", reached, goal: "≤ 50 ms" });
  return rows;
}

async function secondsEach(work: () => Promise<unknown>): Promise<number> {
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) seconds.push(await secondsOf(work));
  return median(seconds);
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1_000).toFixed(0)} ms`;
}

function aggregate(ctx: Ctx<AdvertiserActor>, { period, pair }: { period: Period; pair: Pair }): Promise<unknown> {
  const keys = sql.raw(pair.map((dimension) => columns[dimension]).join(", "));
  return withDeadline(300_000, () =>
    ctx.db.transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = 0`);
      return tx.execute(sql`
        select ${keys}, sum(fact.impressions), sum(fact.clicks), sum(fact.conversions), sum(fact.spend_micros), sum(fact.revenue_micros)
        from deliveries fact join line_items item on item.id = fact.line_item_id join campaigns owner on owner.id = item.campaign_id
        left join campaign_versions version on version.campaign_id = item.campaign_id and version.number = item.approved_version
        where owner.advertiser_id = ${ctx.actor.accountId} and fact.day between ${period.from} and ${period.to} group by 1, 2`);
    }),
  );
}

/** A million pauses of the account's campaigns within the year. */
async function insertChanges(ctx: Ctx<AdvertiserActor>): Promise<void> {
  await withDeadline(300_000, () =>
    ctx.db.transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = 0`);
      await tx.execute(sql`
        insert into audit_entries (id, created_at, action, entity, entity_id, campaign_id, owner_id, actor_kind, actor_name, entrypoint)
        select uuidv7(), now() - change.n * interval '30 seconds', 'campaign.paused', 'campaign', campaign_id, campaign_id, ${ctx.actor.accountId}, 'advertiser', 'Bench', 'api'
        from generate_series(1, 1000000) change (n) join bench_items item on item.n = 1 + change.n % (select count(*) from bench_items)`);
    }),
  );
  await ctx.db.execute(sql`analyze audit_entries`);
}
