import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { StartupError } from "#app/startup-error.ts";
import { postgres } from "#db/driver.server.ts";
import { requireKnownMigrations } from "#db/migration-history.server.ts";
import { readNeededMigrations, runMigrations } from "#db/run-migrations.server.ts";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";

let url: string;
let sql: Sql;
let other: Sql;
let migrationsFolder: string;

beforeEach(async () => {
  url = await createDatabaseCopy(inject("clusterUrl"), { migrated: false });
  const options = { max: 1, onnotice: () => undefined };
  [sql, other] = [postgres(url, options), postgres(url, options)];
  migrationsFolder = mkdtempSync(join(tmpdir(), "endcap-migrations-"));
  mkdirSync(join(migrationsFolder, "meta"));
});
afterEach(async () => {
  await Promise.all([sql.end(), other.end()]);
  await dropDatabaseCopy(url);
  rmSync(migrationsFolder, { recursive: true });
});

function write(...migrations: string[]): void {
  const entries = migrations.map((text, index) => {
    const tag = `${String(index).padStart(4, "0")}_test`;
    writeFileSync(join(migrationsFolder, `${tag}.sql`), text);
    return { idx: index, version: "7", when: index + 1, tag, breakpoints: true };
  });
  writeFileSync(join(migrationsFolder, "meta/_journal.json"), JSON.stringify({ entries }));
}

const run = (retry = { attempts: 40, pauseMs: 50 }) => runMigrations(sql, { migrationsFolder, retry });
const recorded = async () =>
  (await other`select created_at::int as at from drizzle.__drizzle_migrations order by id`).map(({ at }) => at);
const table = "create table people (id int primary key, name text)";

test("pending migrations run once, together: one that fails leaves none of them", async () => {
  write(table, "alter table people add column age int");
  await run();
  await run();
  expect(await recorded()).toEqual([1, 2]);
  write(table, "alter table people add column age int", "create table pets (id int)", "select 1 / 0");
  await expect(run()).rejects.toThrow("division by zero");
  expect(await recorded()).toEqual([1, 2]);
  expect(await other`select to_regclass('pets') is null as gone`).toEqual([{ gone: true }]);
});

test("a migration outside a transaction is recorded after its last statement, and repeats what was interrupted", async () => {
  const index = "create unique index concurrently if not exists people_name on people (name)";
  write(table);
  await run();
  await other`insert into people values (1, 'a'), (2, 'a')`;
  write(table, `-- outside a transaction\n${index}`, "create table pets (id int)");
  await expect(run()).rejects.toThrow(/could not create unique index/);
  expect(await recorded()).toEqual([1]);
  // The index that could not be built is there, and invalid.
  expect(await other`select indisvalid as valid from pg_index where indexrelid = 'people_name'::regclass`).toEqual([
    { valid: false },
  ]);
  await other`delete from people where id = 2`;
  await run();
  expect(await recorded()).toEqual([1, 2, 3]);
  expect(await other`select indisvalid as valid from pg_index where indexrelid = 'people_name'::regclass`).toEqual([
    { valid: true },
  ]);
});

test("a procedure that adds the same row as another session starts again, and what stays double is reported", async () => {
  const fill = "-- outside a transaction\ncall fill()";
  const procedure = `create procedure fill() language plpgsql as $$ begin
    insert into people select 1, 'a' where nextval('calls') < 3 or exists (select from people where id = 2);
  end $$`;
  write(table, "create sequence calls", procedure);
  await run();
  await other`insert into people values (1, 'added beside')`;
  write(table, "create sequence calls", procedure, fill);
  await run();
  expect(await recorded()).toEqual([1, 2, 3, 4]);
  expect(await other`select last_value::int as calls from calls`).toEqual([{ calls: 3 }]);

  await other`insert into people values (2, 'keeps it double')`;
  write(table, "create sequence calls", procedure, fill, fill);
  await expect(run({ attempts: 3, pauseMs: 1 })).rejects.toThrow(/duplicate key/);
  expect(await recorded()).toEqual([1, 2, 3, 4]);
  expect(await other`select last_value::int as calls from calls`).toEqual([{ calls: 6 }]);
});

test("a migration that waits for a table gives way to those behind it, and gives up after its attempts", async () => {
  write(table);
  await run();
  write(table, "alter table people add column age int");
  const holder = postgres(url, { max: 1 });
  let release = () => {};
  let locked = () => {};
  const isLocked = new Promise<void>((done) => {
    locked = done;
  });
  const held = holder.begin(async (tx) => {
    await tx`select count(*) from people`;
    locked();
    await new Promise<void>((done) => {
      release = done;
    });
  });
  await isLocked;
  const failing = run({ attempts: 1, pauseMs: 0 });
  await expect(failing).rejects.toThrow(StartupError);
  expect(await recorded()).toEqual([1]);
  const migrating = run({ attempts: 20, pauseMs: 500 });
  await sleep(300);
  const start = Date.now();
  // Waits behind the migration for its lock timeout at most, while the first session holds the table.
  await other`select count(*) from people`;
  expect(Date.now() - start).toBeLessThan(10_000);
  release();
  await Promise.all([held, migrating]);
  await holder.end();
  expect(await recorded()).toEqual([1, 2]);
});

test("a version that does not know what replaced a removed part is refused, from before it is removed", async () => {
  await expect(requireKnownMigrations(sql)).resolves.toBeUndefined();
  write(
    table,
    "alter table people add column nickname text",
    "-- contract since 0001\nalter table people drop column name",
  );
  await run();
  expect(await readNeededMigrations(sql)).toBe(2);
  await other`delete from drizzle.__drizzle_migrations`;
  // This version knows more migrations than two.
  await expect(requireKnownMigrations(sql)).resolves.toBeUndefined();
  write(table, "select 1", "select 2", "-- contract since 9000\nselect 1 / 0");
  await other`delete from drizzle.__drizzle_migrations`;
  await other`drop table people`;
  await expect(run()).rejects.toThrow("division by zero");
  await expect(requireKnownMigrations(sql)).rejects.toThrow(/migrated by a newer version of Endcap/);
});
