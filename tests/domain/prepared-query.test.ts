import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { preparedQuery } from "#app/domain/prepared-query.server.ts";
import { closeDatabase, type Database, database, openDatabase, openSecondPool } from "#db/client.server.ts";
import { accounts } from "#db/schema/index.ts";
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

test("requests share a prepared query, and each sends it under its own label", async () => {
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
  expect(prepared).toEqual([database()]);
});

test("a transaction prepares a query of its own, which sees what it wrote", async () => {
  const count = preparedQuery((pool) => pool.select({ id: accounts.id }).from(accounts).prepare("all_accounts"));
  await database({ requestId: "tx" }).transaction(async (tx) => {
    expect(await count(tx).execute()).toEqual([]);
  });
  expect(observed.at(-1)).toBe("tx");
});

test("a labeled database of another pool prepares and sends there", async () => {
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
  expect(prepared).not.toContain(database());
});
