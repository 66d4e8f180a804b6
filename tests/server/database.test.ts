import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import {
  closeDatabase,
  type Database,
  database,
  openDatabase,
  openSecondPool,
  pingDatabase,
  queryLabelOf,
  withDeadline,
} from "#db/client.server.ts";
import { queryRows, sqlValue } from "#db/query-rows.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";

const db = useDatabase();

test("the process has one database connection pool, in UTC, with timeouts and planner settings", async () => {
  await pingDatabase();
  expect(database()).toBe(db());
  const [row] = await queryRows(
    db(),
    z.object({ settings: z.string() }),
    sql`select concat_ws(' ', current_setting('timezone'), current_setting('statement_timeout'),
      current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout'), current_setting('random_page_cost'),
      current_setting('max_parallel_workers_per_gather'), current_setting('jit')) as settings`,
  );
  expect(row?.settings).toBe("UTC 5s 2s 10s 1 0 off");
});

test("work with a longer deadline gets it for its statements, alone and in transactions, and no other work does", async () => {
  const query = sql`select current_setting('statement_timeout') as most`;
  const { db: patient } = withDeadline({ db: db() }, 8_000);
  const alone = await patient.execute(query);
  const inside = await patient.transaction((tx) => tx.execute(query));
  const mapped = await patient
    .select({ most: sqlValue(z.string(), sql`current_setting('statement_timeout')`) })
    .from(sql`(select 1) one`);
  expect([alone[0]?.most, inside[0]?.most, mapped[0]?.most]).toEqual(["8s", "8s", "8s"]);
  const others = await Promise.all(Array.from({ length: 10 }, () => db().execute(query)));
  expect(others.map(([row]) => row?.most)).toEqual(Array(10).fill("5s"));
});

test("a deadline of its own leaves the label, and is one of the label that reads from a replica get", () => {
  const { db: ofJob } = withDeadline({ db: database({ job: "settle" }) }, 8_000);
  expect(queryLabelOf(ofJob)).toEqual({ job: "settle", deadlineMs: 8_000 });
});

test("a query that misses its deadline fails and is canceled, and the pool continues", async () => {
  const started = Date.now();
  const slow = withDeadline({ db: db() }, 1_100).db.execute(sql`select pg_sleep(60)`);
  await expect(slow).rejects.toMatchObject({ cause: { code: "DATABASE_DEADLINE" } });
  expect(Date.now() - started).toBeLessThan(30_000);
  await expect.poll(() => sessionsAt("pg_sleep"), { timeout: 20_000 }).toBe(0);
});

test("a transaction that misses its deadline rolls back", async () => {
  await db.owner().execute(sql`create table kept (id int primary key); grant all on kept to endcap_server`);
  const late = withDeadline({ db: db() }, 300).db.transaction(async (tx) => {
    await tx.execute(sql`insert into kept values (1)`);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await tx.execute(sql`insert into kept values (2)`);
  });
  await expect(late).rejects.toMatchObject({ code: "DATABASE_DEADLINE" });
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await db().execute(sql`select * from kept`)).toEqual([]);
});

test("a nested transaction that fails rolls back alone", async () => {
  await db.owner().execute(sql`create table nested (id int primary key); grant all on nested to endcap_server`);
  await db().transaction(async (tx) => {
    await tx.execute(sql`insert into nested values (1)`);
    await tx.transaction((inner) => inner.execute(sql`insert into nested values (1)`)).catch(() => undefined);
    await tx.execute(sql`insert into nested values (2)`);
  });
  expect(await db().execute(sql`select id from nested order by id`)).toEqual([{ id: 1 }, { id: 2 }]);
});

test("work that goes on after its transaction sends nothing into the one that has its connection then", async () => {
  await db.owner().execute(sql`create table belated (id int); grant all on belated to endcap_server`);
  const pool = openSecondPool({ url: db.url(), max: 1 });
  onTestFinished(pool.close);
  const one = pool.database({});
  const begun: Database[] = [];
  await one.transaction(async (tx) => void begun.push(tx));
  await expect(
    one.transaction(async (tx) => {
      begun.push(tx);
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  await one.transaction(async (tx) => {
    await tx.execute(sql`insert into belated values (1)`);
    for (const over of begun) {
      const late = { name: "TransactionOverError" };
      await expect(over.execute(sql`insert into belated values (2)`)).rejects.toMatchObject({ cause: late });
      await expect(over.transaction((inner) => inner.execute(sql`select 1`))).rejects.toMatchObject(late);
    }
  });
  expect(begun).toHaveLength(2);
  expect(await db().execute(sql`select id from belated`)).toEqual([{ id: 1 }]);
});

test("waiting for a connection has its own limit: of 30 slow transactions at once, those that waited get their full time", async () => {
  const all = await Promise.allSettled(
    Array.from({ length: 30 }, () =>
      withDeadline({ db: db() }, 2_500).db.transaction((tx) => tx.execute(sql`select pg_sleep(1.5)`)),
    ),
  );
  // Ten run at once; ten start after 1.5 seconds and end after 3, or fewer on a busy machine; the others wait in vain.
  const done = all.filter((result) => result.status === "fulfilled").length;
  expect(done).toBeGreaterThan(10);
  expect(done).toBeLessThanOrEqual(20);
  const rejected = all.filter((result) => result.status === "rejected");
  expect(rejected.map(({ reason }) => reason.code)).toEqual(Array(30 - done).fill("DATABASE_BUSY"));
  await pingDatabase();
});

test("responses that are unread while the process is busy are not late, and the pool stays", async () => {
  const incidents: string[] = [];
  await closeDatabase();
  openDatabase({ url: db.url(), deadlineMs: 800, onIncident: (incident) => incidents.push(incident) });
  await Promise.all(Array.from({ length: 10 }, () => pingDatabase()));
  const requests = Promise.allSettled(Array.from({ length: 10 }, () => database().execute(sql`select 1`)));
  await new Promise((resolve) => setImmediate(resolve));
  const until = Date.now() + 1_500;
  while (Date.now() < until);
  expect((await requests).map(({ status }) => status)).toEqual(Array(10).fill("fulfilled"));
  expect(incidents).toEqual([]);
});

async function sessionsAt(text: string): Promise<number> {
  const rows = await db().execute(
    sql`select 1 from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like ${`%${text}%`}`,
  );
  return rows.length;
}
