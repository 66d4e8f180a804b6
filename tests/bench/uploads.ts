import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { asFile, type Customers, customers } from "./customers.ts";
import type { BenchWorld } from "./support/bench-world.ts";
import { lookUp } from "./support/look-up.ts";
import { medianRatio, type Row, secondsOf, times } from "./support/pairs.ts";
import { type Uploaded, upload } from "./upload.ts";

/** Rows 1, 2 and 4: customers by the million over HTTP until they count, against `psql \copy` of the raw file. */
export async function* uploads(world: BenchWorld): AsyncGenerator<Row> {
  const idle = memoryOf(world, "VmRSS");
  for (const { row, columns, goal } of [
    { row: "1", columns: 10, goal: "≤ 0.7×" },
    { row: "2", columns: 1, goal: "≤ 2.0×, then 1.0×" },
  ] as const) {
    const file = customers({ columns });
    const work = `upload of ${(file.bytes.length / 1e6).toFixed(0)} MB, ${columns} columns, ${(file.rows / 1e6).toFixed(1)} M rows, against psql \\copy`;
    yield { row, work, reached: await againstCopy(world, file), goal };
  }
  yield* await weigh(world, idle);
}

async function againstCopy(world: BenchWorld, file: Customers): Promise<string> {
  if (spawnSync("psql", ["--version"]).status !== 0) return "psql is not installed";
  const { path, remove } = asFile(file.bytes);
  const table = `create temp table customers (${file.columns.map((name) => `"${name}" text`).join(", ")})`;
  const copy = `\\copy customers from '${path}' with (format csv, header)`;
  const sql = (...commands: string[]) => {
    const flags = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"];
    const run = ["-c", "1", "psql", ...flags, ...commands.flatMap((one) => ["-c", one]), world.databaseUrl];
    const ran = spawnSync("taskset", run, { encoding: "utf8" });
    if (ran.status !== 0) throw new Error(ran.stderr);
    return ran.stdout.trim();
  };
  const { size, rows_read } = await upload(world, file.bytes);
  same(rows_read, Number(sql(table, copy, "select count(*) from customers")));
  same(size, Number(sql(table, copy, peopleInSql)));
  const ratio = await medianRatio({
    before: async () => void (await world.sql`checkpoint`),
    ours: () => secondsOf(() => upload(world, file.bytes)),
    theirs: () => secondsOf(async () => sql(table, copy)),
  });
  remove();
  return `${times(ratio)} its time`;
}

/** The records that Google would count. */
const peopleInSql = `select count(distinct case when e like '%@gmail.com'
    then replace(split_part(split_part(e, '@', 1), '+', 1), '.', '') || '@gmail.com' else e end)
  from (select lower(trim("Email")) e from customers) all_of_them where e ~ '^[^@ ]+@[^@ ]+\\.[^@ ]+$'`;

/** Row 4: the memory and disk space that an upload needs, and what remains afterwards. */
async function weigh(world: BenchWorld, idle: number): Promise<Row[]> {
  const file = customers({ columns: 1 });
  const stored = async () => {
    const [row] = z
      .array(z.object({ bytes: z.string() }))
      .parse(await world.sql`select pg_total_relation_size('audience_blocks')::text as bytes`);
    return Number(row?.bytes);
  };
  // Resets the process's peak memory.
  writeFileSync(`/proc/${world.server.serverPid()}/clear_refs`, "5");
  const before = await stored();
  const uploaded: Uploaded = await upload(world, file.bytes);
  const megabytesPerMillion = ((await stored()) - before) / uploaded.size;
  return [
    {
      row: "4",
      work: `memory over idle while ${(file.rows / 1e6).toFixed(1)} M rows are uploaded`,
      reached: `${(memoryOf(world, "VmHWM") - idle).toFixed(0)} MB`,
      goal: "≤ 256 MB",
    },
    {
      row: "4",
      work: "stored for a million people",
      reached: `${megabytesPerMillion.toFixed(1)} MB`,
      goal: "≤ 36 MB",
    },
    {
      row: "4",
      work: `one look-up among ${(uploaded.size / 1e6).toFixed(1)} M`,
      reached: `${(await lookUp(world, uploaded.audienceId)).medianMs.toFixed(2)} ms`,
      goal: "≤ 1 ms",
    },
  ];
}

/** Returns the process's memory in megabytes, as Linux reports it. */
export function memoryOf({ server }: BenchWorld, what: "VmRSS" | "VmHWM"): number {
  const found = new RegExp(`${what}:\\s*(\\d+) kB`).exec(readFileSync(`/proc/${server.serverPid()}/status`, "utf8"));
  return Number(found?.[1]) / 1_000;
}

function same(ours: number, theirs: number): void {
  if (ours !== theirs) throw new Error(`${ours} is not ${theirs}`);
}
