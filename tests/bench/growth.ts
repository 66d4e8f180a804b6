import { testSecret } from "#tests/support/test-secret.ts";
import type { Measured } from "./growth/compare.ts";
import type { GrowthWorld } from "./growth/world.ts";
import { pinTo } from "./support/bench-world.ts";
import { median, type Row, times } from "./support/pairs.ts";

const campaigns = { small: 1_000, large: Number(process.env.BENCH_SIZE ?? 5_000) };

/**
 * Row 13: every screen, form, call and job with 1,000 campaigns of one advertiser and one publisher and with
 * `BENCH_SIZE` (5,000) of them, each in turn on both sides, before statistics are gathered and after. Also what a
 * campaign takes in each table, and the rates at which a history is written and exported.
 */
export async function* growth(): AsyncGenerator<Row> {
  if (campaigns.large <= campaigns.small) throw new Error("BENCH_SIZE must be more than 1,000 for growth");
  // Sessions made here are read by the servers. Modules read the environment when they are loaded.
  Object.assign(process.env, { SESSION_SECRET: testSecret, LOG_LEVEL: "warn", RATE_LIMITS: "off" });
  const { startGrowthWorld } = await import("./growth/world.ts");
  const { compareSides, sendsPerComparison } = await import("./growth/compare.ts");
  const { bytesPerCampaign, exportRates, tableSizes, writeRates } = await import("./growth/constants.ts");
  const world = await startGrowthWorld({ campaigns, times: 2 * sendsPerComparison });
  try {
    pinTo(1, process.pid);
    yield* writeRates(world.large);
    const [before, after] = [await tableSizes(world.small.sql), await tableSizes(world.large.sql)];
    yield* bytesPerCampaign({ before, after, campaigns: campaigns.large - campaigns.small });
    yield* await summarize("cold", await compareSides(world, 0));
    await gatherStatistics(world);
    yield* await summarize("warm", await compareSides(world, sendsPerComparison));
    yield* await exportRates(world);
  } finally {
    await world.stop();
  }
}

async function gatherStatistics({ small, large }: GrowthWorld): Promise<void> {
  for (const { sql } of [small, large]) {
    await sql`set statement_timeout = 0`;
    await sql`vacuum analyze`;
  }
  await large.sql`checkpoint`;
}

async function summarize(statistics: "cold" | "warm", measured: readonly Measured[]): Promise<Row[]> {
  const { describeMeasured, goal } = await import("./growth/compare.ts");
  const bounded = measured.filter(({ isExport }) => !isExport);
  const beyond = bounded.filter(({ ratio }) => ratio > goal).sort((one, other) => other.ratio - one.ratio);
  const failed = measured.filter(({ status }) => /\b5\d\d\b|failed/.test(status));
  const different = measured.filter(({ status }) => status.includes("≠"));
  for (const one of beyond) console.info(`${statistics}, beyond ${goal}×:  ${describeMeasured(one)}`);
  for (const one of failed) console.info(`${statistics}, fails:  ${describeMeasured(one)}`);
  for (const one of different) console.info(`${statistics}, other responses:  ${describeMeasured(one)}`);
  const work = `${campaigns.large.toLocaleString("en-US")} campaigns ÷ 1,000, ${statistics} statistics`;
  const count = `${bounded.length} screens, forms, calls and jobs`;
  return [
    {
      row: "13",
      work: `${work}: median of ${count}`,
      reached: times(median(bounded.map(({ ratio }) => ratio))),
      goal: `≤ ${goal}×`,
    },
    { row: "13", work: `${work}: how many grow more`, reached: String(beyond.length), goal: "0" },
    { row: "13", work: `${work}: failures`, reached: String(failed.length), goal: "0" },
  ];
}
