import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const metaFolder = "db/migrations/meta";
const journalFile = `${metaFolder}/_journal.json`;
const hashesFile = "tests/db/landed-migrations.json";

const entrySchema = z.looseObject({ tag: z.string(), when: z.number() });
const journalSchema = z.looseObject({ entries: z.array(entrySchema) });

/**
 * `npm run db:generate [-- --name NAME] [-- --custom]`: has drizzle-kit write a migration, dates it later than the one
 * before it, because a server skips a migration that is older than the last one it ran, and records its hash. Run again
 * after its SQL is edited, it records the new hash. A migration that is committed is never changed. Of the snapshots of
 * the schema only the newest stays: drizzle-kit compares the schema with it, and each has 0.4 MB.
 */
const { status } = spawnSync(
  process.execPath,
  ["node_modules/drizzle-kit/bin.cjs", "generate", ...process.argv.slice(2)],
  { stdio: "inherit" },
);
if (status !== 0) process.exit(status ?? 1);

const committed = new Set(git("ls-tree", "-r", "--name-only", "HEAD", "db/migrations").split("\n"));
const journal = journalSchema.parse(JSON.parse(readFileSync(journalFile, "utf8")));
const hashes = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(hashesFile, "utf8")));

let latest = 0;
for (const entry of journal.entries) {
  const file = `db/migrations/${entry.tag}.sql`;
  if (!committed.has(file)) entry.when = Math.max(entry.when, latest + 1);
  if (!committed.has(file) || !(entry.tag in hashes)) {
    hashes[entry.tag] = createHash("sha256").update(readFileSync(file)).digest("hex");
    console.info(`${entry.tag}: hash recorded`);
  }
  latest = entry.when;
}
writeFileSync(journalFile, JSON.stringify(journal, null, 2));
writeFileSync(hashesFile, `${JSON.stringify(hashes, null, 2)}\n`);
const snapshots = readdirSync(metaFolder).filter((name) => /^\d+_snapshot\.json$/.test(name));
for (const name of snapshots.sort().slice(0, -1)) rmSync(join(metaFolder, name));

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")} failed: ${stderr}`);
  return stdout;
}
