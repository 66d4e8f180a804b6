import { spawnSync } from "node:child_process";
import type postgres from "postgres";
import { z } from "zod";
import { asFile } from "./customers.ts";
import type { BenchWorld } from "./support/bench-world.ts";
import { medianRatio, type Row, secondsOf, times } from "./support/pairs.ts";

/** 5,000 campaigns have 200,000 rows; `BENCH_REPORTED_CAMPAIGNS` is another number of them. */
const campaigns = Number(process.env.BENCH_REPORTED_CAMPAIGNS ?? 5_000);
const days = 10;
const channels = ["dv360", "amazon_dsp", "trade_desk", "adobe_advertising"] as const;
const batch = 50_000;
/** The number of rows of the row-by-row reference, whose time is then extrapolated. */
const fewRows = 2_000;
const columns =
  "line_item_id, publisher_id, day, audience_id, channel, source, revision, impressions, clicks, conversions";
const allColumns = `${columns}, spend_micros, revenue_micros, reported_micros, report_id`;

const placeRow = z.object({
  campaign_id: z.string(),
  line_item_id: z.string(),
  publisher_id: z.string(),
  audience_id: z.string(),
});
export type Place = z.output<typeof placeRow>;

/**
 * Row 15: 200,000 rows of reports by calls of 50,000 at most, with all roll-ups, against `psql \copy` of the facts into
 * a table with the same keys and checks, and against one statement a row into the real table. Each round has days of
 * its own.
 */
export async function deliveries(world: BenchWorld): Promise<Row[]> {
  if (spawnSync("psql", ["--version"]).status !== 0) {
    return [{ row: "15", work: "delivery reports", reached: "psql is not installed", goal: "≤ 2.5×" }];
  }
  const { sql } = world;
  const places = await insertRunning(sql, campaigns);
  await sql.unsafe("vacuum analyze");
  await sql`create table bench_deliveries (like deliveries including all)`;
  await sql`alter table bench_deliveries add foreign key (line_item_id, publisher_id) references line_items (id, publisher_id),
    add foreign key (audience_id, publisher_id) references audiences (id, publisher_id), add foreign key (report_id) references delivery_reports (id)`;
  const [{ id: reportId } = { id: "" }] = z
    .array(z.object({ id: z.string() }))
    .parse(await sql`select id from delivery_reports limit 1`);
  const key = operatorKey(world.databaseUrl);
  let ours = 0;
  let theirs = 0;
  let each = 0;
  const settle = async () => void (await sql`checkpoint`);
  const report = async () => {
    const texts = csvTexts(places, ours);
    ours += 1;
    await settle();
    return secondsOf(async () => {
      for (const one of texts) await sendReport(world, { key, ...one });
    });
  };
  const copied = await medianRatio({
    ours: report,
    theirs: async () => {
      const { path, remove } = asFile(Buffer.from(factLines(places, theirs, reportId).join("\n")));
      theirs += 1;
      await settle();
      const copy = `\\copy bench_deliveries (${allColumns}) from '${path}' with (format csv)`;
      const seconds = await secondsOf(async () => {
        const args = ["-c", "1", "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", copy, world.databaseUrl];
        const ran = spawnSync("taskset", args, { encoding: "utf8" });
        if (ran.status !== 0) throw new Error(ran.stderr);
      });
      remove();
      return seconds;
    },
  });
  await same(sql, ours);
  const rowByRow = await medianRatio({
    ours: report,
    theirs: async () => {
      const lines = factLines(places, each, reportId).slice(0, fewRows);
      each += 1;
      const seconds = await secondsOf(async () => {
        for (const line of lines) {
          const cells = line.split(",");
          cells[5] = "each";
          await sql`insert into deliveries ${sql(Object.fromEntries(allColumns.split(", ").map((name, at) => [name, cells[at] ?? ""])))}`;
        }
      });
      return (seconds * campaigns * days * channels.length) / fewRows;
    },
  });
  const work = `delivery reports, ${(campaigns * days * channels.length).toLocaleString("en-US")} rows with roll-ups`;
  return [
    { row: "15", work: `${work}, against psql \\copy`, reached: `${times(copied)} its time`, goal: "≤ 2.5×" },
    { row: "15", work: `${work}, against row by row`, reached: `${(1 / rowByRow).toFixed(0)}× as fast`, goal: "≥ 20×" },
  ];
}

/** Both sides have the same facts, and the roll-ups are their sums. */
async function same(sql: postgres.Sql, rounds: number): Promise<void> {
  const [found] = z.array(z.object({ equal: z.boolean() })).parse(
    await sql`
    select (select (count(*), sum(spend_micros), sum(impressions)) from deliveries where source = 'bench')
      = (select (count(*), sum(spend_micros), sum(impressions)) from bench_deliveries)
      and (select sum(days.spend_micros) from line_item_days days join bench_places using (line_item_id)) = (select sum(spend_micros) from bench_deliveries) as equal`,
  );
  if (!found?.equal) throw new Error(`after ${rounds} rounds the two sides do not have the same`);
}

/** Inserts campaigns that have been running for a year on four channels. Their placements are in `bench_places` too. */
export async function insertRunning(sql: postgres.Sql, campaigns: number): Promise<Place[]> {
  return sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`drop table if exists bench_places`;
    await tx`create table bench_places as select gen_random_uuid() as campaign_id, gen_random_uuid() as line_item_id, a.id as audience_id, a.publisher_id,
      (select account_id from users where email = 'advertiser@example.com') as advertiser_id
      from generate_series(1, ${campaigns}::int), (select id, publisher_id from audiences where status = 'ready' order by id limit 1) a`;
    const content = tx`'traffic', 'display', 'https://shop.example/', array['us'], 'dsp', ${[...channels]}::text[], 1000000000, 100000000, current_date - 365, current_date + 30`;
    await tx`insert into campaigns (id, advertiser_id, name, status, version, launched_at, runs_until, objective, ad_format, landing_url, geolocations, channel_type, channels, total_budget_cents, daily_budget_cents, start_date, end_date)
      select campaign_id, advertiser_id, 'Reported', 'active', 1, now(), current_date + 30, ${content} from bench_places`;
    await tx`insert into campaign_versions (campaign_id, number, sent_at, objective, ad_format, landing_url, geolocations, channel_type, channels, total_budget_cents, daily_budget_cents, start_date, end_date)
      select campaign_id, 1, now() - interval '365 days', ${content} from bench_places`;
    await tx`insert into version_audiences (campaign_id, version, audience_id, publisher_id, cpm_cents) select campaign_id, 1, audience_id, publisher_id, 500 from bench_places`;
    await tx`insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, approval_status, approved_version, commission_rate_bps, sent_at, status_changed_at)
      select line_item_id, campaign_id, publisher_id, 'Reported', 'Bench', 1, 'approved', 1, 7000, now(), now() - interval '365 days' from bench_places`;
    return z
      .array(placeRow)
      .parse(await tx`select campaign_id, line_item_id, publisher_id, audience_id from bench_places`);
  });
}

/** Yields the metrics that one round reports, day by day; both sides ingest them. */
function* figuresOf(places: readonly Place[], round: number) {
  for (let back = 0; back < days; back += 1) {
    const day = new Date(Date.now() - (1 + round * days + back) * 86_400_000).toISOString().slice(0, 10);
    for (const [at, place] of places.entries()) {
      for (const [index, channel] of channels.entries()) {
        const impressions = 1_000 + ((at * 7_919 + index * 31 + back) % 9_000);
        yield { place, day, channel, impressions, clicks: impressions % 97, micros: impressions * 4_250 };
      }
    }
  }
}

function csvTexts(places: readonly Place[], round: number): { text: string; rows: number }[] {
  const lines: string[] = [];
  for (const { place, day, channel, impressions, clicks, micros } of figuresOf(places, round)) {
    const { campaign_id: campaign, audience_id: audience } = place;
    lines.push([campaign, audience, channel, day, impressions, clicks, 1, (micros / 1e6).toFixed(6), "9.5"].join(","));
  }
  const head = "campaign_id,audience_id,channel,date,impressions,clicks,conversions,spend,revenue";
  return Array.from({ length: Math.ceil(lines.length / batch) }, (_, index) => {
    const part = lines.slice(index * batch, (index + 1) * batch);
    return { text: [head, ...part].join("\n"), rows: part.length };
  });
}

function factLines(places: readonly Place[], round: number, reportId: string): string[] {
  const lines: string[] = [];
  for (const { place, day, channel, impressions, clicks, micros } of figuresOf(places, round)) {
    const { line_item_id: item, publisher_id: publisher, audience_id: audience } = place;
    const cells = [
      item,
      publisher,
      day,
      audience,
      channel,
      "bench",
      1,
      impressions,
      clicks,
      1,
      micros,
      9_500_000,
      micros,
    ];
    lines.push([...cells, reportId].join(","));
  }
  return lines;
}

export async function sendReport(
  { server }: BenchWorld,
  { key, text, rows }: { key: string; text: string; rows: number },
): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "text/csv" };
  const response = await fetch(`${server.origin}/api/delivery-reports?source=bench`, {
    method: "POST",
    headers,
    body: text,
  });
  const report: { accepted?: number } = await response.json();
  if (report.accepted !== rows) throw new Error(JSON.stringify(report).slice(0, 500));
}

export function operatorKey(databaseUrl: string): string {
  const env = { ...process.env, DATABASE_URL: databaseUrl, SESSION_SECRET: "only for the bench ".repeat(3) };
  const command = ["commands/run.js", "keys", "create", "--role", "operator"];
  const created = spawnSync(process.execPath, command, { env, encoding: "utf8" });
  if (created.status !== 0) throw new Error(created.stderr);
  return created.stdout.trim();
}
