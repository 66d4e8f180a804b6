import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type BenchWorld, size } from "./support/bench-world.ts";
import { requestsPerSecond } from "./support/load.ts";
import { medianRatio, type Row, times } from "./support/pairs.ts";

const atOnce = 16;
const goal = "≥ 0.3×, then 0.6×";

/** The statements of a pause and a resumption, as a script for pgbench. */
const statements = `
\\set n random(1, ${size})
begin;
select c.id, c.advertiser_id from campaigns c join line_items l on l.campaign_id = c.id join bench_campaigns b on b.id = c.id where b.n = :n for no key update of c;
select l.*, v.end_date from line_items l join campaign_versions v on v.campaign_id = l.campaign_id and v.number = l.sent_version join bench_campaigns b on b.id = l.campaign_id where b.n = :n for no key update of l;
update line_items set publisher_paused_at = case when publisher_paused_at is null then now() end from bench_campaigns b where b.id = campaign_id and b.n = :n;
insert into audit_entries (id, action, entity, entity_id, campaign_id, actor_kind, actor_name, entrypoint, before, after)
  select gen_random_uuid(), 'line_item.paused', 'line_item', id, id, 'publisher', 'bench', 'api', '{"paused_by_publisher": false}', '{"paused_by_publisher": true}' from bench_campaigns where n = :n;
commit;
`;

/** Row 12: pause and play with their audit rows over HTTP, 16 at once, against pgbench with the same statements. */
export async function changes(world: BenchWorld): Promise<Row[]> {
  if (spawnSync("pgbench", ["--version"]).status !== 0) {
    return [{ row: "12", work: "pause and play, 16 at once", reached: "pgbench is not installed", goal }];
  }
  const script = join(mkdtempSync(join(tmpdir(), "endcap-bench-")), "pause.sql");
  writeFileSync(script, statements);
  const targets = z
    .array(z.object({ id: z.string() }))
    .parse(await world.sql`select b.id from bench_campaigns b where n % 10 <> 0 order by n limit 400`);
  const call = (verb: "pause" | "play") => (n: number) => ({
    method: "POST",
    url: `${world.server.origin}/api/campaigns/${targets[n % targets.length]?.id}/${verb}`,
    headers: { cookie: world.cookies.publisher },
  });
  const ratio = await medianRatio({
    before: async () => void (await world.sql`checkpoint`),
    async ours() {
      const paused = await requestsPerSecond(targets.length, atOnce, call("pause"));
      const resumed = await requestsPerSecond(targets.length, atOnce, call("play"));
      return 2 / (1 / paused + 1 / resumed);
    },
    theirs: async () => transactionsPerSecond(world.databaseUrl, script),
  });
  return [
    {
      row: "12",
      work: "pause and play with audit row, 16 at once, against pgbench",
      reached: `${times(ratio)} its rate`,
      goal,
    },
  ];
}

function transactionsPerSecond(databaseUrl: string, script: string): number {
  const args = ["-n", "-c", String(atOnce), "-j", "1", "-t", "50", "-f", script, databaseUrl];
  const ran = spawnSync("pgbench", args, { encoding: "utf8" });
  const found = /tps = ([\d.]+)/.exec(ran.stdout);
  if (!found) throw new Error(ran.stderr);
  return Number(found[1]);
}
