import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { describeError } from "#app/describe-error.ts";
import { useDatabase } from "#tests/support/database/database.ts";

const db = useDatabase();
const marker = "marker-7f3a@example.com";

test("a database error is logged with code and constraint, and without user input", async () => {
  await db.owner().execute(sql`
    create table logged (email text constraint one_email unique); grant all on logged to endcap_server`);
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

test("other errors are logged with message and code", () => {
  const error = Object.assign(new Error("connect failed"), { code: "ECONNREFUSED" });
  expect(describeError(error)).toMatchObject({ name: "Error", code: "ECONNREFUSED", message: "connect failed" });
  expect(describeError("text")).toEqual({ name: "string" });
});

test("the errors that an error wraps are logged by name and code, and without their messages", () => {
  const lookup = Object.assign(new Error(`getaddrinfo ENOTFOUND ${marker}`), { code: "ENOTFOUND" });
  const failed = new Error("sign-in failed", { cause: new TypeError("fetch failed", { cause: lookup }) });
  const described = describeError(failed);
  expect(described).toMatchObject({ message: "sign-in failed", causes: ["TypeError", "Error ENOTFOUND"] });
  expect(JSON.stringify({ ...described, stack: undefined })).not.toContain("marker");
  expect(describeError(lookup)).not.toHaveProperty("causes");
});
