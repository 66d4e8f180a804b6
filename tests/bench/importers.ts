import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { hostOf } from "#db/connection-target.server.ts";
import { asFile, customers } from "./customers.ts";
import type { BenchWorld } from "./support/bench-world.ts";
import { medianRatio, type Row, secondsOf, times } from "./support/pairs.ts";
import { upload } from "./upload.ts";

const references = resolve(import.meta.dirname, "reference/people");

/** Row 3: the upload of row 2 against programs that make a keyed table of the same people from the file on the disk. */
export async function* importers(world: BenchWorld): AsyncGenerator<Row> {
  const file = customers({ columns: 1 });
  const { path, remove } = asFile(file.bytes);
  const naive = mkdtempSync(join(tmpdir(), "endcap-naive-"));
  cpSync(references, naive, { recursive: true });
  const installed = spawnSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: naive, stdio: "ignore" });
  const programs: { work: string; goal: string; command: string[] | undefined }[] = [
    {
      work: "Python's csv, hashlib and COPY",
      goal: "≥ 5×",
      command: runs("python3") && runs("psql") ? ["python3", join(references, "people.py")] : undefined,
    },
    {
      work: "SQL: COPY, a pattern, distinct sha256",
      goal: "≥ 8×",
      command: runs("psql") ? [process.execPath, join(references, "people-in-sql.js")] : undefined,
    },
    {
      work: "Node with csv-parse, createHash, ON CONFLICT",
      goal: "≥ 25×",
      command: installed.status === 0 ? [process.execPath, join(naive, "naive.js")] : undefined,
    },
  ];
  const { size } = await upload(world, file.bytes);
  const env = { ...process.env, DATABASE_HOST: hostOf(new URL(world.databaseUrl)) };
  for (const { work, goal, command } of programs) {
    const row = { row: "3", work: `upload of ${(file.rows / 1e6).toFixed(1)} M rows, against ${work}`, goal };
    if (!command) {
      yield { ...row, reached: "not installed" };
      continue;
    }
    const theirs = () => {
      const ran = spawnSync("taskset", ["-c", "0", ...command, world.databaseUrl, path], { encoding: "utf8", env });
      if (Number(ran.stdout.trim()) !== size) throw new Error(`${ran.stdout} instead of ${size}: ${ran.stderr}`);
    };
    const ratio = await medianRatio({
      before: async () => void (await world.sql`checkpoint`),
      ours: async () => 1 / (await secondsOf(() => upload(world, file.bytes))),
      theirs: async () => 1 / (await secondsOf(async () => theirs())),
    });
    yield { ...row, reached: `${times(ratio)} as fast` };
  }
  remove();
  rmSync(naive, { recursive: true });
}

function runs(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}
