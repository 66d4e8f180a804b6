import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { z } from "zod";
import { projectFile } from "#app/project-file.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { postgres } from "#db/driver.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import * as schema from "#db/schema/index.ts";
import { describeCatalog } from "#tests/support/catalog.ts";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";

const journal = z
  .object({ entries: z.array(z.object({ idx: z.number(), tag: z.string() })).min(1) })
  .parse(JSON.parse(migration("meta/_journal.json"))).entries;

const baselineCatalog = readFileSync(projectFile("tests/db/baseline-catalog.txt"), "utf8");

let url: string;
let sql: Sql;

beforeAll(async () => {
  url = await createDatabaseCopy(inject("clusterUrl"), { migrated: false });
  sql = postgres(url, { max: 1, onnotice: () => undefined });
});

afterAll(() => {
  // drizzle-kit adds functions to every array and text, at which others fail (tests/support/unchanged-process.ts).
  for (const { prototype } of [Array, String]) for (const name in prototype) Reflect.deleteProperty(prototype, name);
});

afterAll(async () => {
  await sql.end();
  await dropDatabaseCopy(url);
});

function migration(file: string): string {
  return readFileSync(projectFile(`db/migrations/${file}`), "utf8");
}

test("the baseline alone creates the recorded catalog", async () => {
  await sql.unsafe(migration("0000_baseline.sql"));
  expect(await describeCatalog(sql)).toBe(baselineCatalog);
});

test.each([
  "alter table users add column nickname text",
  "alter table users alter column picture set not null",
  "alter table users alter column picture set default ''",
  "alter table users alter column picture type varchar(9)",
  "alter table users alter column picture set storage external",
  "alter table users alter column picture set statistics 7",
  "alter table users alter column picture set (n_distinct = 2)",
  'alter table users alter column picture type text collate "C"',
  "alter table users add constraint named check (name <> '') not valid",
  "alter table users drop constraint users_account_id_accounts_id_fk",
  "alter table line_items reset (fillfactor)",
  "alter table users set (toast.autovacuum_enabled = off)",
  "alter table rate_limits set unlogged",
  "alter table users replica identity full",
  "alter table users enable row level security",
  "alter table users disable trigger all",
  "alter table audit_entries disable trigger audit_entries_are_kept",
  "drop trigger audit_entries_are_kept on audit_entries",
  "create policy own on users using (true)",
  "create rule none as on delete to users do instead nothing",
  "create index users_by_name on users (name)",
  "drop index products_search",
  "create statistics named on id, name from users",
  "create view people as select id from users",
  "create type color as enum ('red')",
  "create domain short as text check (length(value) < 9)",
  "create sequence more",
  "alter sequence audience_generations increment 2",
  "create schema other",
  "create extension citext",
  "drop extension btree_gin cascade",
  "create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'",
  "alter function ctr_units(bigint, bigint) volatile",
  "comment on table users is 'people'",
  "comment on column users.name is 'a name'",
  "comment on function refuse_change() is 'refuses'",
  "grant select on users to public",
  "grant select (name) on users to public",
  "revoke execute on function refuse_change() from public",
  "insert into rate_limits (bucket, tokens, refilled_at) values ('a', 1, now())",
])("the comparison finds: %s", async (change) => {
  await sql`begin`;
  try {
    await sql.unsafe(change);
    expect((await describeCatalog(sql)) === baselineCatalog).toBe(false);
  } finally {
    await sql`rollback`;
  }
});

test("a migration that landed is never edited", () => {
  const landed = z
    .record(z.string(), z.string())
    .parse(JSON.parse(readFileSync(projectFile("tests/db/landed-migrations.json"), "utf8")));
  const hashes = journal.map(({ tag }) => [
    tag,
    createHash("sha256")
      .update(migration(`${tag}.sql`))
      .digest("hex"),
  ]);
  // A new migration is added at the end. A difference in an earlier line is an edit, which needs a new migration.
  expect(hashes).toEqual(Object.entries(landed));
});

test("the tables of the schema are those that the migrations create", async () => {
  const newest = journal.at(-1)?.tag.slice(0, 4);
  const snapshot = JSON.parse(migration(`meta/${newest}_snapshot.json`));
  expect(await generateMigration(snapshot, generateDrizzleJson(schema, snapshot.id))).toEqual([]);
  const { users: _, ...withoutUsers } = schema;
  expect(await generateMigration(snapshot, generateDrizzleJson(withoutUsers, snapshot.id))).not.toEqual([]);
});

test("a database whose migrations this version does not know is left unchanged", async () => {
  const old = await createDatabaseCopy(inject("clusterUrl"), { migrated: false });
  const inside = postgres(old, { max: 1 });
  try {
    await inside`create schema drizzle`;
    await inside`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
    await inside`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of-another-version', 1)`;
    const before = await describeCatalog(inside);
    const pendingMigration = migrateDatabase({ ownerUrl: old });
    await expect(pendingMigration).rejects.toThrow(StartupError);
    await expect(pendingMigration).rejects.toThrow(/cannot upgrade.*DATABASE_URL.*DATA_DIR/);
    expect(await describeCatalog(inside)).toBe(before);
  } finally {
    await inside.end();
    await dropDatabaseCopy(old);
  }
});

test("a database with additional migrations of a newer version still starts", async () => {
  const newer = await createDatabaseCopy(inject("clusterUrl"));
  const inside = postgres(newer, { max: 1 });
  try {
    await inside`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of-a-newer-version', ${Date.now() * 2})`;
    await expect(migrateDatabase({ ownerUrl: newer })).resolves.toBeUndefined();
  } finally {
    await inside.end();
    await dropDatabaseCopy(newer);
  }
});

test("a start that waits for another's migrations says which session they are of", async () => {
  const ownerUrl = await createDatabaseCopy(inject("clusterUrl"));
  const other = postgres(ownerUrl, { max: 1 });
  const said = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  try {
    const [session] = await other`select pg_backend_pid() as pid, pg_advisory_lock(4206660815)`;
    const { pid } = z.object({ pid: z.number() }).parse(session);
    const waiting = migrateDatabase({ ownerUrl });
    await vi.waitFor(() => expect(said).toHaveBeenCalled(), { timeout: 60_000, interval: 200 });
    await other.end();
    await waiting;
    expect(said.mock.calls).toEqual([[`Waiting for another process that migrates the database (session ${pid})`]]);
  } finally {
    said.mockRestore();
    await other.end();
    await dropDatabaseCopy(ownerUrl);
  }
});

test("the queue's tables are migrated before a worker starts, also where there is one role only", async () => {
  const ownerUrl = await createDatabaseCopy(inject("clusterUrl"));
  const inside = postgres(ownerUrl, { max: 1 });
  try {
    // As they were before graphile-worker's migration 18.
    await inside`delete from graphile_worker.migrations where id = 18`;
    await inside`create function graphile_worker.tg_jobs__after_insert() returns trigger language plpgsql as $$ begin return null; end $$`;
    await inside`create trigger _900_after_insert after insert on graphile_worker._private_jobs for each statement execute function graphile_worker.tg_jobs__after_insert()`;
    await migrateDatabase({ ownerUrl });
    expect(await inside`select from graphile_worker.migrations where id = 18`).toHaveLength(1);
    expect(await inside`select to_regproc('graphile_worker.tg_jobs__after_insert') as former`).toEqual([
      { former: null },
    ]);
  } finally {
    await inside.end();
    await dropDatabaseCopy(ownerUrl);
  }
});

test("a role that may not create tables is told so by name", async () => {
  const [{ role } = { role: "" }] = z
    .array(z.object({ role: z.string() }))
    .parse(await sql`select 'reader_' || replace(gen_random_uuid()::text, '-', '') as role`);
  const empty = await createDatabaseCopy(inject("clusterUrl"), { migrated: false });
  try {
    await sql.unsafe(`create role ${role} login password 'secret'`);
    const reader = new URL(empty);
    [reader.username, reader.password] = [role, "secret"];
    const migration = migrateDatabase({ ownerUrl: reader.href });
    await expect(migration).rejects.toThrow(StartupError);
    await expect(migration).rejects.toThrow(
      new RegExp(`the role ${role} cannot migrate the database \\w+ \\(permission denied for .+\\)\\. Make it`),
    );
  } finally {
    await sql.unsafe(`drop role ${role}`);
    await dropDatabaseCopy(empty);
  }
});
