import { sql } from "drizzle-orm";
import { bigint, boolean, date, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { beforeAll, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { columnValue, pgArray, presentValue, queryRows } from "#db/query-rows.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";

type Color = "red" | "blue";

/** Opens the database as the owner, who may create the table below. */
const db = useDatabase({ role: "owner" });
const things = pgTable("things", {
  id: integer("id").primaryKey(),
  color: text("color").$type<Color>(),
  name: text("name").notNull(),
  cents: bigint("cents", { mode: "number" }).notNull(),
  micros: bigint("micros", { mode: "bigint" }).notNull(),
  day: date("day", { mode: "string" }).notNull(),
  at: timestamp("at", { withTimezone: true, mode: "date", precision: 3 }),
  facts: jsonb("facts").$type<{ a: number }>().notNull(),
  words: text("words").array().notNull(),
  used: boolean("used").notNull(),
});
const row = z.object({
  id: columnValue(things.id),
  color: columnValue(things.color),
  name: columnValue(things.name),
  cents: columnValue(things.cents),
  micros: columnValue(things.micros),
  day: columnValue(things.day),
  at: columnValue(things.at),
  facts: columnValue(things.facts),
  words: columnValue(things.words),
  used: columnValue(things.used),
});

beforeAll(async () => {
  await db().execute(sql`create table things (id int primary key, color text, name text not null, cents bigint not null,
    micros bigint not null, day date not null, at timestamptz(3), facts jsonb not null, words text[] not null, used boolean not null)`);
  await db().execute(sql`insert into things values
    (1, 'red', 'one', 12, 9007199254740993, '2026-02-28', '2026-11-20T14:30:00.123Z', '{"a":1}', '{x,"y z"}', true),
    (2, null, 'two', -1, 0, '2028-02-29', null, '{"a":2}', '{}', false)`);
});

test("raw SQL returns the same column values as drizzle's own queries, for every type", async () => {
  const found = await queryRows(db(), row, sql`select * from things order by id`);
  expect(found).toEqual(await db().select().from(things).orderBy(things.id));
  expect(found[0]?.at).toEqual(new Date("2026-11-20T14:30:00.123Z"));
  expect(found[0]?.micros).toBe(9007199254740993n);
});

test("a list is one parameter of a query, whatever it is a list of", async () => {
  const ids = new Set(["01900000-0000-7000-8000-a00000000001", "01900000-0000-7000-8000-a00000000002"]);
  const [found] = await queryRows(
    db(),
    z.object({
      ids: z.array(z.string()),
      days: z.array(z.string()),
      words: z.array(z.string()),
      none: z.array(z.int()),
    }),
    sql`select ${pgArray(ids)}::uuid[]::text[] as ids, ${pgArray(["2028-02-29"])}::date[]::text[] as days,
      ${pgArray(["meta", "dv360"])}::text[] as words, ${pgArray([])}::int[] as none`,
  );
  expect(found).toEqual({ ids: [...ids], days: ["2028-02-29"], words: ["meta", "dv360"], none: [] });
});

test("rows have the types of the table's columns", async () => {
  const [found] = await queryRows(db(), row, sql`select * from things order by id`);
  expectTypeOf(found).toEqualTypeOf<typeof things.$inferSelect | undefined>();
  const present = z.object({ color: presentValue(things.color) });
  expectTypeOf<z.output<typeof present>>().toEqualTypeOf<{ color: Color }>();
  expect(found).toMatchObject({ color: "red" });
});

test.each([
  ["a column that the query does not select", { name: columnValue(things.name) }, sql`select id from things`, "name"],
  ["a nullable column that it does not select", { at: columnValue(things.at) }, sql`select id from things`, "at"],
  ["a null of a column that has none", { name: columnValue(things.name) }, sql`select null as name`, "name"],
  ["a null where a value is said to be", { color: presentValue(things.color) }, sql`select * from things`, "color"],
  ["a null of a decoded column", { cents: columnValue(things.cents) }, sql`select null as cents`, "cents"],
  ["a sum of another type than it is said to have", { sum: z.number() }, sql`select sum(id) from things`, "sum"],
])("%s is an error that names it", async (_, fields, query, name) => {
  await expect(queryRows(db(), z.object(fields), query)).rejects.toThrow(name);
});

test("a column of a missing outer-joined row may be null when the row type says so", async () => {
  const joined = z.object({ name: columnValue(things.name).nullable(), cents: columnValue(things.cents).nullable() });
  const query = sql`select things.name, things.cents from (values (1), (3)) wanted (id) left join things using (id)`;
  expect(await queryRows(db(), joined, query)).toEqual([
    { name: "one", cents: 12 },
    { name: null, cents: null },
  ]);
});
