import { readFileSync } from "node:fs";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { z } from "zod";
import { projectFile } from "#app/project-file.server.ts";
import { postgres } from "#db/driver.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import { serverGrants } from "#db/server-grants.ts";
import { createDatabaseCopy, dropDatabaseCopy, serverUrl } from "#tests/support/database/database-copies.ts";

let ownerUrl: string;
let owner: Sql;
let server: Sql;

/** What each start does. */
const start = () => migrateDatabase({ ownerUrl, serverUrl: serverUrl(ownerUrl), makesRole: true });

beforeAll(async () => {
  ownerUrl = await createDatabaseCopy(inject("clusterUrl"));
  // Run a second time: the copy lacks the settings of the database itself.
  await start();
  owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  server = postgres(serverUrl(ownerUrl), { max: 1, onnotice: () => undefined });
});

afterAll(async () => {
  await Promise.all([owner.end(), server.end()]);
  await dropDatabaseCopy(ownerUrl);
});

const namesOf = async (rows: Promise<unknown>) => z.array(z.object({ name: z.string() })).parse(await rows);

test("each table and view has a grant for the server", async () => {
  const tables = await namesOf(
    owner`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`,
  );
  expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(serverGrants).sort());
});

/** From the least to the most; each includes those before it. */
const levels = ["view", "record", "lockable", "fixed", "free"];
/** The migration that says `-- contract since NNNN` for a grant that was lowered, by table. */
const lowered: Record<string, string> = {};

test("a grant that a landed version has is not lowered while its servers may run", () => {
  const landed = z
    .record(z.string(), z.enum(levels))
    .parse(JSON.parse(readFileSync(projectFile("tests/db/landed-grants.json"), "utf8")));
  const reduced = Object.entries(serverGrants).filter(([table, grant]) => {
    const before = landed[table];
    return before !== undefined && levels.indexOf(grant) < levels.indexOf(before);
  });
  // A start of this version revokes the privileges that servers of the version before still use (docs/decisions/0092).
  expect(reduced.map(([table]) => table)).toEqual(Object.keys(lowered));
  for (const [table, name] of Object.entries(lowered)) {
    const migration = readFileSync(projectFile(`db/migrations/${name}.sql`), "utf8");
    expect(migration).toMatch(new RegExp(`-- contract since \\d{4}\\b.*\\b${table}\\b`));
  }
  const others = Object.entries(serverGrants).filter(([table]) => !(table in lowered));
  expect(landed, "record new and raised grants in landed-grants.json").toMatchObject(Object.fromEntries(others));
});

const records = Object.keys(serverGrants).filter((table) => /record|lockable/.test(serverGrants[table] ?? ""));

test.each(records)("the server can only read and insert the rows of %s", async (table) => {
  await expect(server.unsafe(`select from ${table} limit 1`)).resolves.toEqual([]);
  const [granted] = await owner`
    select string_agg(privilege_type, ' ' order by privilege_type) as all from information_schema.role_table_grants
    where grantee = 'endcap_server' and table_name = ${table}`;
  expect(granted).toEqual({ all: "INSERT SELECT" });
  const [columns] = await owner`
    select string_agg(column_name, ' ') as updatable from information_schema.column_privileges
    where grantee = 'endcap_server' and table_name = ${table} and privilege_type = 'UPDATE'`;
  expect(columns).toEqual({ updatable: serverGrants[table] === "lockable" ? "id" : null });
  for (const attack of [`delete from ${table}`, `truncate ${table} cascade`, `drop table ${table} cascade`]) {
    await expect(server.unsafe(attack), attack).rejects.toMatchObject({ code: "42501" });
  }
  const disabled = server.unsafe(`alter table ${table} disable trigger all; delete from ${table}`);
  await expect(disabled).rejects.toMatchObject({ code: "42501" });
});

test.each([
  "update audit_entries set created_at = now()",
  "update ledger_entries set amount_cents = 0",
  "update ledger_accounts set balance_cents = 1000000",
  "update ledger_transactions set xact_id = 0",
  "delete from transactions",
  "delete from revenue_shares",
  "truncate campaigns cascade",
  "create table mine (id int)",
  "create temporary table mine (id int)",
  "create schema mine",
  "create function mine() returns int language sql as 'select 1'",
  "create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'",
  "alter function apply_ledger_entries() owner to endcap_server",
  "drop trigger audit_entries_are_kept on audit_entries",
  "create trigger mine before insert on audit_entries execute function refuse_change()",
  "set session_replication_role = replica",
  "set role endcap",
  "grant endcap to endcap_server",
  "alter role endcap_server superuser",
  "create role mine",
  "create database mine",
  "create extension dblink",
  "alter system set fsync = off",
  "copy campaigns to program 'cat'",
  "copy campaigns to '/tmp/campaigns'",
  "select pg_read_file('postmaster.pid')",
  "select pg_ls_dir('.')",
  "select lo_import('/etc/passwd')",
  "select * from pg_authid",
  "delete from drizzle.__drizzle_migrations",
  "drop schema graphile_worker cascade",
])("the server's role may not: %s", async (attack) => {
  await expect(server.unsafe(attack)).rejects.toMatchObject({ code: "42501" });
});

test("the server's role owns nothing, and has no access to a new table until it has a grant", async () => {
  const owned = await owner`
    select 1 from pg_shdepend where refobjid = 'endcap_server'::regrole and deptype = 'o'`;
  expect(owned).toEqual([]);
  await owner`create table later (id int)`;
  await expect(server`select from later`).rejects.toMatchObject({ code: "42501" });
  await owner`drop table later`;
});

test("a start takes from the server what this version does not grant, and leaves it what a newer version granted", async () => {
  await owner`create table later (id int)`;
  await owner`grant select on later to endcap_server`;
  await owner`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a newer version', ${Date.now() + 1e10})`;
  await owner`revoke select on campaigns from endcap_server`;
  await start();
  await expect(server`select from later`).resolves.toEqual([]);
  await expect(server`select from campaigns`).resolves.toEqual([]);
  await owner`delete from drizzle.__drizzle_migrations where hash = 'of a newer version'`;
  await start();
  await expect(server`select from later`).rejects.toMatchObject({ code: "42501" });
  await owner`drop table later`;
});

test("the server's role can post a ledger transaction, and its accounts get their balances", async () => {
  const [debit, credit, posted] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  await server.begin(async (tx) => {
    await tx`insert into ledger_accounts (id, kind) values (${debit}, 'cash'), (${credit}, 'platform_fee')`;
    await tx`insert into ledger_transactions (id, event, event_key, legs_hash, posted_at)
      values (${posted}, 'top_up', 'server role', ${"0".repeat(64)}, now())`;
    await tx`insert into ledger_entries (transaction_id, number, account_id, amount_cents)
      values (${posted}, 1, ${debit}, 700), (${posted}, 2, ${credit}, -700)`;
  });
  expect(await server`select balance_cents::int as cents from ledger_accounts order by 1`).toEqual([
    { cents: -700 },
    { cents: 700 },
  ]);
});

test("the server can lock a ledger account's row, but not change it", async () => {
  await expect(server`select from ledger_accounts for no key update`).resolves.toHaveLength(2);
  await expect(server`update ledger_accounts set id = gen_random_uuid()`).rejects.toMatchObject({ code: "23001" });
});

test("a privileged role is rejected as the server's", async () => {
  const same = new URL(ownerUrl);
  same.searchParams.set("application_name", "other");
  const migration = migrateDatabase({ ownerUrl, serverUrl: same.href });
  await expect(migration).rejects.toThrow(
    /^DATABASE_URL: with DATABASE_OWNER_URL, its role endcap must not be the owner/,
  );
});
