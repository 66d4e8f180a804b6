import type { Sql } from "postgres";
import { z } from "zod";
import type { Row } from "../support/pairs.ts";
import { secondsOf } from "../support/pairs.ts";
import type { GrowthWorld, Side } from "./world.ts";

const sizeRow = z.object({ name: z.string(), rows: z.number(), bytes: z.number() });
type Size = z.output<typeof sizeRow>;

/** Returns each table's rows and its bytes with indexes; a partitioned table's partitions count as it. */
export async function tableSizes(sql: Sql): Promise<Map<string, Size>> {
  const tables = z.array(z.object({ name: z.string(), bytes: z.number() })).parse(
    await sql`select coalesce(root.relname, t.relname) as name, sum(pg_total_relation_size(t.oid))::float8 as bytes
        from pg_class t left join pg_class root on root.oid = pg_partition_root(t.oid)
        where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace group by 1 order by 1`,
  );
  const sizes = new Map<string, Size>();
  for (const { name, bytes } of tables) {
    const [counted] = await sql`select count(*)::float8 as rows from ${sql(name)}`;
    sizes.set(name, sizeRow.parse({ name, bytes, rows: counted?.rows }));
  }
  return sizes;
}

/**
 * Returns what a campaign takes, by table: the difference of both sides, divided by the campaigns that the larger one
 * has more. Tables of less than 16 bytes a campaign are left out.
 */
export function bytesPerCampaign({
  before,
  after,
  campaigns,
}: {
  before: Map<string, Size>;
  after: Map<string, Size>;
  campaigns: number;
}): Row[] {
  const grown = [...after.values()].flatMap(({ name, bytes, rows }) => {
    const known = before.get(name);
    const more = { bytes: bytes - (known?.bytes ?? 0), rows: rows - (known?.rows ?? 0) };
    return more.bytes / campaigns < 16 || more.rows <= 0 ? [] : [{ name, ...more }];
  });
  const total = grown.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    ...grown
      .sort((one, other) => other.bytes - one.bytes)
      .map(({ name, bytes, rows }) => ({
        row: "13",
        work: `bytes with indexes: ${name}`,
        reached: `${(bytes / rows).toFixed(0)} a row · ${(bytes / campaigns).toFixed(0)} a campaign`,
        goal: "–",
      })),
    {
      row: "13",
      work: "bytes with indexes: all tables",
      reached: `${(total / campaigns).toFixed(0)} a campaign`,
      goal: "–",
    },
  ];
}

/** Returns how fast the history of this side was reported and settled. */
export function writeRates({ writes: { facts, ingestSeconds, settled, settleSeconds } }: Side): Row[] {
  const rate = (count: number, seconds: number) => `${Math.round(count / seconds).toLocaleString("en-US")}/s`;
  return [
    { row: "13", work: "facts ingested, with all sums", reached: rate(facts, ingestSeconds), goal: "–" },
    { row: "13", work: "line-item days settled, with ledger", reached: rate(settled, settleSeconds), goal: "–" },
  ];
}

/** Returns the lines and bytes a second of each export of the larger side that is a text of at least 1,000 lines. */
export async function exportRates({ large, targets, headers }: GrowthWorld): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, caller, isExport, sends } of targets) {
    if (!isExport) continue;
    let text = "";
    const seconds = await secondsOf(async () => {
      const response = await fetch(large.server.origin + (sends[0]?.path ?? ""), { headers: headers[caller] });
      text = await response.text();
    });
    const lines = text.split("\n").length;
    if (lines < 1_000) continue;
    const reached = `${Math.round(lines / seconds).toLocaleString("en-US")} lines/s · ${(text.length / seconds / 1e6).toFixed(1)} MB/s`;
    rows.push({ row: "13", work: `export: ${name}`, reached, goal: "–" });
  }
  return rows;
}
