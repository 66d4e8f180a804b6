import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { projectFile } from "#app/project-file.server.ts";

const project = mkdtempSync(join(tmpdir(), "generate-migration-"));
afterAll(() => rmSync(project, { recursive: true }));

const landed = "select 1;";
const ahead = Date.UTC(2100, 0, 1);

test("a new migration is dated after the last one, its hash is recorded, its snapshot replaces the one before, and committed ones stay", () => {
  for (const folder of ["db/schema", "db/migrations/meta", "tests/db"]) {
    mkdirSync(join(project, folder), { recursive: true });
  }
  symlinkSync(projectFile("node_modules"), join(project, "node_modules"));
  write("package.json", '{ "type": "module" }');
  write("drizzle.config.ts", read(projectFile("drizzle.config.ts")));
  writeSchema("");
  write("db/migrations/0000_first.sql", landed);
  write("db/migrations/meta/_journal.json", journalOf([{ idx: 0, when: ahead, tag: "0000_first" }]));
  write("tests/db/landed-migrations.json", "{}");
  run("git", "init", "--quiet");
  run("git", "add", "db");
  run("git", "-c", "user.name=t", "-c", "user.email=t@t.test", "commit", "--quiet", "-m", "first");

  generate("--custom", "--name", "second");
  expect(entries()).toMatchObject([
    { tag: "0000_first", when: ahead },
    { tag: "0001_second", when: ahead + 1 },
  ]);
  expect(hashes()).toEqual({ "0000_first": sha256(landed), "0001_second": sha256(sqlOf("0001_second")) });

  write("db/migrations/0000_first.sql", "select 2;");
  write("db/migrations/0001_second.sql", "select 3;");
  writeSchema(', name: text("name")');
  generate("--name", "third");
  expect(entries()).toMatchObject([{ when: ahead }, { when: ahead + 1 }, { tag: "0002_third", when: ahead + 2 }]);
  expect(hashes()).toEqual({
    "0000_first": sha256(landed),
    "0001_second": sha256("select 3;"),
    "0002_third": sha256(sqlOf("0002_third")),
  });
  expect(readdirSync(join(project, "db/migrations/meta")).sort()).toEqual(["0002_snapshot.json", "_journal.json"]);
}, 60_000);

function writeSchema(columns: string): void {
  write(
    "db/schema/index.ts",
    `import { pgTable, text } from "drizzle-orm/pg-core";\nexport const things = pgTable("things", { id: text("id")${columns} });\n`,
  );
}

function journalOf(list: { idx: number; when: number; tag: string }[]): string {
  const all = list.map(({ idx, when, tag }) => ({ idx, version: "7", when, tag, breakpoints: true }));
  return JSON.stringify({ version: "7", dialect: "postgresql", entries: all });
}

function entries(): unknown[] {
  const journal = JSON.parse(read(join(project, "db/migrations/meta/_journal.json")));
  return z.object({ entries: z.array(z.unknown()) }).parse(journal).entries;
}

const hashes = (): unknown => JSON.parse(read(join(project, "tests/db/landed-migrations.json")));
const sqlOf = (tag: string): string => read(join(project, `db/migrations/${tag}.sql`));
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const read = (file: string): string => readFileSync(file, "utf8");
const write = (file: string, text: string): void => writeFileSync(join(project, file), text);
const generate = (...args: string[]): void =>
  run(process.execPath, "--import", "tsx", projectFile("db/generate-migration.ts"), ...args);

function run(command: string, ...args: string[]): void {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd: project, encoding: "utf8" });
  expect(status, `${command} ${args.join(" ")}: ${stdout}${stderr}`).toBe(0);
}
