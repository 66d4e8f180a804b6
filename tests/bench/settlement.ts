import { sql } from "drizzle-orm";
import { z } from "zod";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { addDays, type CalendarDate, calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { closeDatabase, openDatabase, withDeadline } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { insertRunning, operatorKey, type Place, sendReport } from "./deliveries.ts";
import { type BenchWorld, pinTo } from "./support/bench-world.ts";
import { median, type Row, rounds, secondsOf, times } from "./support/pairs.ts";

const campaigns = Number(process.env.BENCH_REPORTED_CAMPAIGNS ?? 27_400);

/**
 * Row 16: a day of so many campaigns is reported by one call and then settled, a day after the other; the ratio of each
 * round is of the same day. Settled again, nothing changes; and the ledger sums to zero after all of it.
 */
export async function settlement(world: BenchWorld): Promise<Row[]> {
  const places = await insertRunning(world.sql, campaigns);
  await world.sql.unsafe("vacuum analyze");
  const key = operatorKey(world.databaseUrl);
  const db = openDatabase({ url: world.databaseUrl, max: 2 });
  const job: Ctx<JobActor> = {
    db,
    clock: () => new Date(),
    entrypoint: "job",
    report: () => undefined,
    actor: { kind: "job", name: "bench" },
  };
  await settleDelivery(withDeadline(job, 120_000));
  const ratios: number[] = [];
  let [seconds, again] = [0, 0];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const day = addDays(calendarDateOf(new Date()), round - rounds - 2);
      await world.sql`checkpoint`;
      const text = csvOf(places, day);
      const ingest = await secondsOf(() => sendReport(world, { key, text, rows: campaigns }));
      await world.sql`checkpoint`;
      let settled = 0;
      // Settlement is the server's work, so it runs on the server's processor.
      pinTo(0, process.pid);
      seconds = await secondsOf(async () => {
        settled = await settleDelivery(job, { through: day });
      });
      pinTo(1, process.pid);
      if (settled !== campaigns) throw new Error(`${settled} line items were settled`);
      // The first round warms up.
      if (round > 0) ratios.push(seconds / ingest);
      again = await secondsOf(() => expectUnchanged(job, day));
    }
    const faults = await checkLedger(withDeadline(job, 120_000));
    if (faults.length > 0) throw new Error(JSON.stringify(faults));
  } finally {
    await closeDatabase();
  }
  const work = `settlement of a day of ${campaigns.toLocaleString("en-US")} campaigns`;
  return [
    {
      row: "16",
      work: `${work}, against the call that reported it`,
      reached: `${times(median(ratios))} its time`,
      goal: "≤ 1×",
    },
    {
      row: "16",
      work: `${work}, the last time · again`,
      reached: `${seconds.toFixed(1)} s · ${again.toFixed(1)} s`,
      goal: "–",
    },
  ];
}

async function expectUnchanged(job: Ctx<JobActor>, day: CalendarDate): Promise<void> {
  const state = async () => {
    const [row] = await queryRows(
      job.db,
      z.object({ state: z.string() }),
      sql`select (select count(*) from ledger_entries) || ' ' || (select sum(balance_cents) from ledger_accounts) as state`,
    );
    return row?.state ?? "";
  };
  const before = await state();
  const settled = await settleDelivery(job, { through: day });
  const after = await state();
  if (settled !== 0 || after !== before || !after.endsWith(" 0")) throw new Error(`settled again: ${before}, ${after}`);
}

function csvOf(places: readonly Place[], day: CalendarDate): string {
  const lines = ["campaign_id,audience_id,channel,date,impressions,clicks,conversions,spend,revenue"];
  for (const [at, { campaign_id, audience_id }] of places.entries()) {
    const impressions = 1_000 + ((at * 7_919) % 9_000);
    lines.push(
      [
        campaign_id,
        audience_id,
        "dv360",
        day,
        impressions,
        impressions % 97,
        1,
        ((impressions * 4_251) / 1e6).toFixed(6),
        "9.5",
      ].join(","),
    );
  }
  return lines.join("\n");
}
