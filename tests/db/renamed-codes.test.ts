import { readdirSync, readFileSync } from "node:fs";
import { getTableColumns, is, sql as where } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { canonicalEntry } from "#app/domain/audit/chain/audit-chain.ts";
import { readSealedEntries } from "#app/domain/audit/chain/read-sealed-entries.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import type { LedgerPosting } from "#app/domain/billing/ledger/ledger.ts";
import { lockLedgerAccounts } from "#app/domain/billing/ledger/ledger-accounts.server.ts";
import { postToLedger } from "#app/domain/billing/ledger/post-to-ledger.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { type AccountId, type AuditEntryId, newId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { projectFile } from "#app/project-file.server.ts";
import { closeDatabase, type Database, openDatabase } from "#db/client.server.ts";
import { postgres } from "#db/driver.server.ts";
import * as schema from "#db/schema/index.ts";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";

/** A database with rows from before migration 0004, which renamed columns and codes. */
const [account, user, audit] = [newId<AccountId>(), newId(), newId<AuditEntryId>()];
const postings: LedgerPosting[] = [
  {
    event: "payment_reversed",
    eventKey: "payment_reversed/stripe/dp_1/1",
    legs: [
      { account: "cash", amount: asCents(-900) },
      { account: "advertiser_receivable", ownerId: account, amount: asCents(900) },
    ],
  },
  {
    event: "receivable_settled",
    eventKey: "receivable_settled/stripe/dp_1/1",
    legs: [
      { account: "advertiser_receivable", ownerId: account, amount: asCents(-400) },
      { account: "cash", amount: asCents(400) },
    ],
  },
];

let url: string;
let sql: Sql;
let db: Database;
let sealedText: string;

beforeAll(async () => {
  url = await createDatabaseCopy(inject("clusterUrl"), { migrated: false });
  sql = postgres(url, { max: 1, onnotice: () => undefined });
  for (const name of ["0000_baseline", "0001_reach_snapshots", "0002_server_role", "0003_audit_blocks"])
    await run(name);
  await insertRows();
  await run("0004_names");
  for (const name of laterMigrations()) await run(name);
  db = openDatabase({ url });
});

afterAll(async () => {
  await closeDatabase();
  await sql.end();
  await dropDatabaseCopy(url);
});

/** Runs the later migrations too, because the schema compared below is the newest. */
function laterMigrations(): string[] {
  const files = readdirSync(projectFile("db/migrations")).filter((file) => file.endsWith(".sql"));
  return files
    .map((file) => file.replace(/\.sql$/, ""))
    .filter((name) => name > "0005")
    .sort();
}

async function run(migration: string): Promise<void> {
  const text = readFileSync(projectFile(`db/migrations/${migration}.sql`), "utf8");
  // Several statements sent at once are one transaction.
  const statements = text.startsWith("-- outside a transaction") ? text.split("--> statement-breakpoint") : [text];
  for (const statement of statements) await sql.unsafe(statement);
}

async function insertRows(): Promise<void> {
  await sql`insert into accounts (id, type, status, company_name) values (${account}, 'advertiser', 'approved', 'Northwind')`;
  await sql`insert into users (id, account_id, google_subject, email, name) values (${user}, ${account}, 's', 'a@example.com', 'A')`;
  await sql`insert into ledger_accounts (id, kind, owner_id) values (gen_random_uuid(), 'cash', null), (gen_random_uuid(), 'advertiser_receivable', ${account})`;
  // As the previous version posted them: with the old code in the event, its key and the hash of the legs.
  await insertPosting("payment_taken_back", [
    ["cash ", -900],
    [`advertiser_receivable ${account}`, 900],
  ]);
  await insertPosting("debt_paid", [
    [`advertiser_receivable ${account}`, -400],
    ["cash ", 400],
  ]);
  await sql`insert into mail_settings (user_id, delivery, muted) values (${user}, 'at_once', '{payment_taken_back,wallet_low}')`;
  await sql`insert into notifications (id, account_id, event, event_key, facts, subject_id) values (gen_random_uuid(), ${account}, 'payment_taken_back', 'a', '{}', ${account})`;
  for (const [index, state] of ["waiting", "gathering", "kept", "parked"].entries()) {
    await sql`insert into notifications (id, account_id, event, event_key, facts, subject_id) values (gen_random_uuid(), ${account}, 'wallet_low', ${state}, '{}', ${account})`;
    await sql`insert into mails (id, notification_id, user_id, address, state, attempts) select gen_random_uuid(), id, ${user}, 'a@example.com', ${state}, ${index} from notifications where event_key = ${state}`;
  }
  for (const kind of ["needs_more", "checking", "ready", "disabled"]) {
    await sql`insert into accounts (id, type, status, company_name) values (gen_random_uuid(), 'publisher', 'approved', ${kind})`;
    await sql`insert into connected_accounts (publisher_id, reference, state, asked_at, created_at) select id, ${kind}, ${kind}, now(), now() from accounts where company_name = ${kind}`;
  }
  for (const [index, problem] of ["refused", "not_a_shop", "busy", "unreachable"].entries()) {
    await sql`insert into product_stores (id, account_id, kind, shop_url, name, problem, checked_at) values (gen_random_uuid(), ${account}, 'shopify', ${`https://${index}`}, 'S', ${problem}, now())`;
  }
  await sql`insert into audit_entries (id, action, entity, entity_id, actor_kind, actor_name, door) values (${audit}, 'top_up.taken_back', 'top_up', ${account}, 'job', 'finish_top_ups', 'job')`;
  const [row] =
    await sql`select id::text, (extract(epoch from created_at) * 1000)::bigint::text as created_at, action, entity, entity_id::text, campaign_id, owner_id, account_id,
    actor_kind, actor_account_id, actor_user_id, actor_api_key_id, actor_name, door, request_id, before, after from audit_entries where id = ${audit}`;
  sealedText = JSON.stringify(["audit entry 1", ...Object.values(row ?? {})]);
}

async function insertPosting(event: string, legs: [string, number][]): Promise<void> {
  const lines = legs.map(([key, cents]) => `${key} ${cents}`).join("\n");
  await sql.begin(async (tx) => {
    const id = newId();
    await tx`insert into ledger_transactions (id, event, event_key, legs_hash, posted_at)
      values (${id}, ${event}, ${`${event}/stripe/dp_1/1`}, encode(sha256(convert_to(${`${event}\n${lines}`}, 'UTF8')), 'hex'), now())`;
    for (const [index, [key, cents]] of legs.entries()) {
      await tx`insert into ledger_entries (transaction_id, number, account_id, amount_cents)
        select ${id}, ${index + 1}, id, ${cents} from ledger_accounts where kind || ' ' || coalesce(owner_id::text, '') = ${key}`;
    }
  });
}

const job = (database: Database): Ctx<JobActor> => ({
  db: database,
  clock: () => new Date(),
  report: () => undefined,
  entrypoint: "job",
  actor: { kind: "job", name: "test" },
});

test("a ledger event posted under its former code is not posted again, and not with other legs", async () => {
  await db.transaction(async (tx) => {
    const ctx = job(tx);
    const accounts = await lockLedgerAccounts(
      ctx,
      postings.flatMap(({ legs }) => legs),
    );
    expect(await postToLedger(ctx, { postings, accounts })).toEqual(new Map());
    const other = postings.map((posting) => ({ ...posting, legs: [...posting.legs].reverse() }));
    await expect(postToLedger(ctx, { postings: other, accounts })).rejects.toThrow("already posted");
  });
  expect(await db.$count(schema.ledgerTransactions)).toBe(2);
  const rules = (await checkLedger(job(db))).map(({ rule }) => rule);
  // The account's own lines for these two did not exist.
  expect(rules).toEqual([
    "advertiser balance differs from the sum of its transactions",
    "reversal differs from its transaction and the ledger",
  ]);
});

test("the ledger is insert-only again", async () => {
  await expect(sql`update ledger_transactions set event = 'top_up'`).rejects.toThrow("never changed");
});

test("stored codes have their new names", async () => {
  const [settings] = await db.select().from(schema.mailSettings);
  expect([settings?.delivery, settings?.muted]).toEqual(["immediate", ["payment_reversed", "wallet_low"]]);
  const events = await db.select({ event: schema.notifications.event }).from(schema.notifications);
  expect(events.filter(({ event }) => event === "payment_reversed")).toHaveLength(1);
  const mails = await db.select({ state: schema.mails.state }).from(schema.mails).orderBy(schema.mails.attempts);
  expect(mails.map(({ state }) => state)).toEqual(["waiting", "awaiting_digest", "suppressed", "failed"]);
  const stores = await db.select().from(schema.productStores).orderBy(schema.productStores.storeUrl);
  expect(stores.map(({ problem }) => problem)).toEqual([
    "invalid_credentials",
    "store_not_found",
    "rate_limited",
    "unreachable",
  ]);
  const states = await db.select().from(schema.connectedAccounts);
  expect(Object.fromEntries(states.map(({ reference, state }) => [reference, state]))).toEqual({
    needs_more: "information_needed",
    checking: "pending_verification",
    ready: "enabled",
    disabled: "disabled",
  });
});

test("an audit entry with its former action still verifies", async () => {
  const [entry] = await readSealedEntries(db, { where: where`entry.id = ${audit}`, limit: 1 });
  expect(entry?.action).toBe("top_up.taken_back");
  expect(entry && canonicalEntry(entry)).toBe(sealedText);
});

test("columns, constraints and indexes have the names of the schema", async () => {
  const tables = Object.values(schema).flatMap((one) => (is(one, PgTable) ? [one] : []));
  const [named, found] = [new Set<string>(), new Set<string>()];
  for (const table of tables) {
    const config = getTableConfig(table);
    for (const { name } of Object.values(getTableColumns(table))) named.add(`${config.name}.${name}`);
    const keys = [...config.primaryKeys, ...config.uniqueConstraints, ...config.foreignKeys].map((one) =>
      one.getName(),
    );
    const own = [...config.checks.map(({ name }) => name), ...config.indexes.map((one) => one.config.name), ...keys];
    for (const name of own) if (name) named.add(name.slice(0, 63));
  }
  const rows = await sql`
    select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'
      and (select relkind <> 'v' and not relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)
    union select conname from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('i', 'I')`;
  for (const { name } of rows) found.add(String(name));
  expect([...named].filter((name) => !found.has(name))).toEqual([]);
  expect([...found].filter((name) => name.includes(".") && !named.has(name))).toEqual([]);
});
