import { expect, test } from "vitest";
import { lintFindings } from "./example-project.ts";

const message =
  "Parse what the query returns by a schema (db/query-rows.server.ts): nothing checks the type argument of a query.";

test("a query with a hand-typed row is reported, in drizzle and in the driver", async () => {
  const findings = await lintFindings({
    "app/domain/example.server.ts": `export async function read({ db, client, sql, query }) {
  await db.execute<{ id: string }>(sql\`select id from accounts\`);
  await db.transaction((tx) => tx.execute<{ id: string }>(query));
  await client<{ id: string }[]>\`select id from accounts\`;
  await client.unsafe<{ id: string }[]>("select id from accounts");
  return db.select({ all: sql<number>\`count(*)\` });
}
`,
  });
  expect(findings).toEqual([2, 3, 4, 5, 6].map((line) => `app/domain/example.server.ts:${line} ${message}`));
});

test("a query whose rows are parsed or unused is not reported", async () => {
  const findings = await lintFindings({
    "app/domain/example.server.ts": `export async function read({ db, client, prepared, queryRows, row, sql, sqlValue, z }) {
  await db.execute(sql\`select pg_advisory_xact_lock(1)\`);
  await client\`analyze\`;
  await prepared.execute({ id: 1 });
  await db.select({ all: sqlValue(z.number(), sql\`count(*)::int\`) });
  return queryRows(db, row, sql\`select id from accounts\`);
}
`,
  });
  expect(findings).toEqual([]);
});
