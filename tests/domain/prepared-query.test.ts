import { eq, sql, TransactionRollbackError } from "drizzle-orm";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type AccountId, newId, type UserId } from "#app/domain/ids.ts";
import { preparedQuery } from "#app/domain/prepared-query.server.ts";
import { closeDatabase, type Database, database, openDatabase, openSecondPool } from "#db/client.server.ts";
import { sqlValue } from "#db/query-rows.server.ts";
import { accounts, mailSettings, users } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";

const db = useDatabase();
const observed: (string | undefined)[] = [];

beforeAll(async () => {
  await closeDatabase();
  const observeQuery = (text: string, { requestId }: { requestId?: string | undefined }) => {
    if (text.includes('from "accounts"')) observed.push(requestId);
    return { sent: () => undefined, settled: () => undefined };
  };
  openDatabase({ url: db.url(), max: 1, observeQuery });
});

test("requests share the text of a prepared query, and each sends it under its own label", async () => {
  const prepared: Database[] = [];
  const findAccount = preparedQuery((pool) => {
    prepared.push(pool);
    const query = pool.select({ id: accounts.id }).from(accounts);
    return query.where(eq(accounts.id, sql.placeholder("id"))).prepare("find_account");
  });
  const id = crypto.randomUUID();
  // One connection, so that the others wait for a free one.
  await Promise.all(["a", "b", "c"].map((requestId) => findAccount(database({ requestId })).execute({ id })));
  await findAccount(database()).execute({ id });
  expect(observed).toEqual(["a", "b", "c", undefined]);
  expect(prepared).toHaveLength(1);
});

test("a transaction sends a query that was prepared outside, which sees what the transaction wrote", async () => {
  const names = preparedQuery((pool) =>
    pool.select({ name: accounts.companyName }).from(accounts).prepare("names_of_accounts"),
  );
  expect(await names(database()).execute()).toEqual([]);
  await inRolledBackTransaction(async (tx) => {
    await insertAccounts(tx, ["Inside"]);
    expect(await names(tx).execute()).toEqual([{ name: "Inside" }]);
  });
  expect(observed.at(-1)).toBe("tx");
  expect(await names(database()).execute()).toEqual([]);
});

test("rows are the objects that drizzle makes of them, also where a left join finds nothing", async () => {
  const build = (pool: Database) =>
    pool
      .select({
        account: { id: accounts.id, name: accounts.companyName, at: accounts.createdAt, website: accounts.website },
        user: { id: users.id, email: users.email },
        settings: mailSettings,
        length: sqlValue(z.number(), sql`length(${accounts.companyName})`),
        missing: sqlValue(z.number().nullable(), sql`null::int`),
      })
      .from(accounts)
      .leftJoin(users, eq(users.accountId, accounts.id))
      .leftJoin(mailSettings, eq(mailSettings.userId, users.id))
      .orderBy(accounts.companyName);
  const prepared = preparedQuery((pool) => build(pool).prepare("people_of_accounts"));
  await inRolledBackTransaction(async (tx) => {
    const [accountId] = await insertAccounts(tx, ["Staffed", "Alone"]);
    await tx
      .insert(users)
      .values({ id: newId<UserId>(), accountId, googleSubject: "1", email: "a@example.com", name: "A" });
    const rows = await prepared(tx).execute();
    expect(rows).toEqual(await build(tx));
    expect(rows).toMatchObject([
      { account: { name: "Alone", at: expect.any(Date), website: null }, user: null, settings: null, length: 5 },
      { account: { name: "Staffed" }, user: { email: "a@example.com" }, settings: null, missing: null },
    ]);
  });
});

async function insertAccounts(tx: Database, names: string[]): Promise<AccountId[]> {
  const rows = names.map((companyName) => ({ id: newId<AccountId>(), companyName }));
  await tx
    .insert(accounts)
    .values(rows.map((row) => ({ ...row, type: "publisher" as const, status: "pending" as const })));
  return rows.map(({ id }) => id);
}

async function inRolledBackTransaction(work: (tx: Database) => Promise<void>): Promise<void> {
  const running = database({ requestId: "tx" }).transaction(async (tx) => {
    await work(tx);
    tx.rollback();
  });
  await expect(running).rejects.toBeInstanceOf(TransactionRollbackError);
}

test("a labeled database of another pool sends there", async () => {
  const sent: (string | undefined)[] = [];
  const second = openSecondPool({
    url: db.url(),
    max: 1,
    observeQuery: (_text, { requestId }) => {
      sent.push(requestId);
      return { sent: () => undefined, settled: () => undefined };
    },
  });
  onTestFinished(second.close);
  const prepared: Database[] = [];
  const count = preparedQuery((pool) => {
    prepared.push(pool);
    return pool.select({ id: accounts.id }).from(accounts).prepare("all_accounts_elsewhere");
  });
  const before = observed.length;
  await count(second.database({ requestId: "d" })).execute();
  await count(second.database({ requestId: "e" })).execute();
  expect(sent).toEqual(["d", "e"]);
  expect(observed).toHaveLength(before);
  expect(prepared).toHaveLength(1);
});
