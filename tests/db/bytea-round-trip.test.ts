import { createHash, randomBytes } from "node:crypto";
import { asc, eq, sql } from "drizzle-orm";
import { customType, integer, pgTable, text } from "drizzle-orm/pg-core";
import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#tests/support/database/database.ts";

/**
 * Tests db/driver-patch.ts: bytes are sent unencoded, and from the third use of a statement on also received so. The
 * owner may create the table below.
 */
const db = useDatabase({ role: "owner" });
const bytea = customType<{ data: Buffer | null }>({ dataType: () => "bytea" });
const things = pgTable("things", {
  id: integer("id").primaryKey(),
  name: text("name"),
  one: bytea("one"),
  other: bytea("other"),
});
const bodies = [0, 1, 5, 31, 32, 255, 256, 257, 1_000, 4_096, 70_000, 1_500_000].map((length) => randomBytes(length));
const hostile = [Buffer.from("\\x00\\"), Buffer.from([0, 255, 92, 39, 0]), Buffer.from("\\xdeadbeef")];
/** Comparing the bytes as text is fast; comparing them as bytes takes minutes. */
const shown = (list: readonly object[]) =>
  list.map((row) =>
    Object.entries(row).map(([key, value]) => [key, Buffer.isBuffer(value) ? value.toString("hex") : value]),
  );
const rows = [...bodies, ...hostile].map((one, id) => ({ id, name: `n${id}`, one, other: id % 3 === 0 ? null : one }));

beforeAll(async () => {
  await db().execute(sql`create table things (id int primary key, name text, one bytea, other bytea)`);
  for (const row of rows) await db().insert(things).values(row);
});

test("bytes are read as they were written, however often and in whatever columns", async () => {
  for (let time = 0; time < 4; time += 1) {
    expect(shown(await db().select().from(things).orderBy(asc(things.id)))).toEqual(shown(rows));
    const raw = sql`select other, id, one, length(one)::int as length from things where id >= ${0} order by id`;
    const expected = rows.map(({ id, one, other }) => ({ other, id, one, length: one.length }));
    expect(shown(await db().execute(raw))).toEqual(shown(expected));
  }
});

test("rows are found by their bytes, concurrently and in transactions", async () => {
  const find = async (where: Pick<ReturnType<typeof db>, "select">, one: Buffer) =>
    (await where.select({ id: things.id }).from(things).where(eq(things.one, one)))[0]?.id;
  expect(await Promise.all(rows.flatMap(({ one }) => [find(db(), one), find(db(), one)]))).toEqual(
    rows.flatMap(({ id }) => [id, id]),
  );
  await db().transaction(async (tx) => {
    expect(await Promise.all(rows.map(({ one }) => find(tx, one)))).toEqual(rows.map(({ id }) => id));
  });
});

test("a statement works again after an error and after its table changed", async () => {
  const read = () => db().select().from(things).where(eq(things.id, 7));
  const insert = (id: number) =>
    db()
      .insert(things)
      .values({ id, name: null, one: randomBytes(9_000), other: null });
  for (let time = 0; time < 3; time += 1) await read();
  await expect(insert(7)).rejects.toThrow();
  await expect(Promise.all([insert(7), insert(8), insert(100)])).rejects.toThrow();
  expect(await read()).toEqual([rows[7]]);
  await db().execute(sql`alter table things alter column name type varchar(20)`);
  expect(await read()).toEqual([rows[7]]);
  await db().execute(sql`alter table things alter column name type bytea using convert_to(name, 'UTF8')`);
  const [changed] = await db().select({ name: sql`name`, one: things.one }).from(things).where(eq(things.id, 7));
  expect(changed).toEqual({ name: Buffer.from("n7"), one: rows[7]?.one });
});

test("megabytes that are sent at once, behind one another, arrive as they are", async () => {
  const large = Array.from({ length: 24 }, (_, index) => randomBytes(1_100_000 + index * 50_000));
  for (let time = 0; time < 2; time += 1) {
    const sent = large.map(async (one, index) => {
      const [row] = await db().execute(sql`select sha256(${one}::bytea) as hash, ${index}::int as index`);
      return row ?? {};
    });
    const hashes = large.map((one, index) => ({ hash: createHash("sha256").update(one).digest(), index }));
    expect(shown(await Promise.all(sent))).toEqual(shown(hashes));
  }
});
