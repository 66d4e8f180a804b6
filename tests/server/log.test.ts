import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { describeError } from "#app/describe-error.ts";
import { useDatabase } from "#tests/support/database.ts";

const db = useDatabase();
const marker = "marker-7f3a@example.com";

test("an error of the database shows code and constraint, and nothing that somebody typed", async () => {
  await db().execute(sql`create table logged (email text constraint one_email unique)`);
  const insert = () => db().execute(sql`insert into logged values (${marker})`);
  await insert();
  const error = await insert().catch((caught: unknown) => caught);
  const inTransaction = await db()
    .transaction((tx) => tx.execute(sql`insert into logged values (${marker})`))
    .catch((caught: unknown) => new Error(`while saving ${marker}`, { cause: caught }));

  for (const caught of [error, inTransaction]) {
    const described = describeError(caught);
    expect(described).toMatchObject({ code: "23505", constraint: "one_email", table: "logged" });
    expect(JSON.stringify(described)).not.toContain("marker");
  }
});

test("another error shows itself, with its code", () => {
  const error = Object.assign(new Error("connect failed"), { code: "ECONNREFUSED" });
  expect(describeError(error)).toMatchObject({ name: "Error", code: "ECONNREFUSED", message: "connect failed" });
  expect(describeError("text")).toEqual({ name: "string" });
});
