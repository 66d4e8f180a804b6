import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sql } from "postgres";
import { postgres } from "#db/driver.server.ts";
import { findEmbeddedDatabaseUrl } from "#db/embedded.server.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";
import { signIn } from "#tests/support/servers/sign-in.ts";

/** The number of campaigns of one publisher: `BENCH_SIZE` (default 100,000); the goals are for a million. */
export const size = Number(process.env.BENCH_SIZE ?? 100_000);

export type BenchWorld = {
  server: AppServer;
  databaseUrl: string;
  sql: Sql;
  /** Signed in as the demo advertiser and as the demo publisher. */
  cookies: { advertiser: string; publisher: string };
  stop: () => Promise<void>;
};

/**
 * The real server on processor 0, PostgreSQL and the load on processor 1, with the demo world and, unless told
 * otherwise, a great many campaigns more for its first publisher.
 */
export async function startBenchWorld({
  campaigns = true,
  environment = {},
}: {
  campaigns?: boolean;
  environment?: Record<string, string>;
} = {}): Promise<BenchWorld> {
  const server = await startAppServer({ environment: { RATE_LIMITS: "off", LOG_LEVEL: "warn", ...environment } });
  pinTo(0, server.serverPid());
  pinTo(1, process.pid);
  pinDatabase(server);
  const databaseUrl = await findEmbeddedDatabaseUrl(server.dataDir);
  if (!databaseUrl) throw new Error("the server's database is not there");
  const sql = postgres(databaseUrl, { max: 4, onnotice: () => undefined });
  // Nothing may be delivered during the measurement.
  await sql`update channel_collections set collected_until = '2999-01-01'`;
  if (campaigns) await insertCampaigns(sql);
  const cookies = { advertiser: await signIn(server, "advertiser"), publisher: await signIn(server, "publisher") };
  const stop = async () => {
    await sql.end();
    await server.stop();
  };
  return { server, databaseUrl, sql, cookies, stop };
}

/** Pins the process to one processor where the system has `taskset`; elsewhere the figures are noisier. */
export function pinTo(processor: number, pid: number | undefined): void {
  if (pid !== undefined) spawnSync("taskset", ["-a", "-cp", String(processor), String(pid)], { stdio: "ignore" });
}

/** Pins PostgreSQL, with the processes of the server's existing connections. */
function pinDatabase({ dataDir }: AppServer): void {
  const postmaster = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0] ?? "";
  const children = spawnSync("pgrep", ["-P", postmaster], { encoding: "utf8" }).stdout ?? "";
  for (const pid of [postmaster, ...children.split("\n")]) if (pid !== "") pinTo(1, Number(pid));
}

async function insertCampaigns(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`create table bench_campaigns as
      select n, uuidv7() as id, format('%s %s %s', (array['Spring', 'Summer', 'Autumn', 'Winter'])[1 + n % 4],
        (array['launch', 'sale', 'clearance', 'loyalty'])[1 + n / 4 % 4], n) as name from generate_series(1, ${size}::int) n`;
    await tx`create temp table bench_actors on commit drop as select
      (select a.id from accounts a join users u on u.account_id = a.id where u.email = 'advertiser@example.com') as advertiser_id,
      (select a.id from accounts a join users u on u.account_id = a.id where u.email = 'publisher@example.com') as publisher_id`;
    const content = tx`'traffic', 'display', 'https://shop.example/', array['us'], 'dsp', array['dv360'], 500000, 10000, current_date, current_date + 30`;
    await tx`insert into campaigns (id, advertiser_id, name, status, version, launched_at, runs_until, objective, ad_format, landing_url, geolocations, channel_type, channels, total_budget_cents, daily_budget_cents, start_date, end_date)
      select id, advertiser_id, name, 'active', 1, now(), current_date + 30, ${content} from bench_campaigns, bench_actors`;
    await tx`insert into campaign_versions (campaign_id, number, sent_at, objective, ad_format, landing_url, geolocations, channel_type, channels, total_budget_cents, daily_budget_cents, start_date, end_date)
      select id, 1, now(), ${content} from bench_campaigns`;
    await tx`insert into version_audiences (campaign_id, version, audience_id, publisher_id, cpm_cents)
      select c.id, 1, a.id, a.publisher_id, 500 from bench_campaigns c, bench_actors
      join lateral (select id, publisher_id from audiences where publisher_id = bench_actors.publisher_id and status = 'ready' order by id limit 1) a on true`;
    await tx`insert into line_items (id, campaign_id, publisher_id, campaign_name, advertiser_name, sent_version, approval_status, approved_version, commission_rate_bps, sent_at)
      select uuidv7(), c.id, publisher_id, c.name, 'Bench', 1, case when n % 10 = 0 then 'pending' else 'approved' end, case when n % 10 <> 0 then 1 end, 7000, now() from bench_campaigns c, bench_actors`;
  });
  await sql`create index on bench_campaigns (n)`;
  await sql.unsafe("vacuum analyze");
  await sql`checkpoint`;
}
