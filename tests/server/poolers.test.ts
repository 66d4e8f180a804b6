import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { closeDatabase, database, openDatabase } from "#db/client.server.ts";
import { directConnection, findConnectionTraits, requireDirectConnection } from "#db/connection-traits.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { runCommandWith } from "#tests/commands/run-command.ts";
import { createDatabaseCopy, dropDatabaseCopy, serverUrl } from "#tests/support/database/database-copies.ts";
import { createDemoCopy } from "#tests/support/database/demo-copies.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { failToStart, startAppServer } from "#tests/support/servers/app-server.ts";
import { hasPooler, type Pooler, startPooler } from "#tests/support/servers/pooler.ts";
import { testSecret } from "#tests/support/test-secret.ts";

/** Of fifty requests at once. */
const rounds = faultRuns({ small: 2, all: 20 });
let ownerUrl: string;
beforeAll(async () => {
  ownerUrl = await createDatabaseCopy(inject("clusterUrl"));
});
afterAll(() => dropDatabaseCopy(ownerUrl));

test("without a pooler, connections keep settings and prepared statements", async () => {
  expect(await findConnectionTraits(ownerUrl)).toEqual(directConnection);
  await requireDirectConnection(ownerUrl, "DATABASE_URL");
});

describe.skipIf(!hasPooler)("behind PgBouncer with its default settings (needs pgbouncer)", () => {
  const poolers: Partial<Record<"session" | "transaction", Pooler>> = {};
  const pooled = (mode: "session" | "transaction", url: string) => poolers[mode]?.urlOf(url) ?? "";

  beforeAll(async () => {
    const roles = [ownerUrl, serverUrl(ownerUrl)];
    for (const mode of ["session", "transaction"] as const)
      poolers[mode] = await startPooler(ownerUrl, { mode, roles });
  });
  afterAll(async () => {
    await Promise.all(Object.values(poolers).map((pooler) => pooler.stop()));
  });

  test.each([
    ["session", { keepsSettings: false, keepsStatements: true }],
    ["transaction", { keepsSettings: false, keepsStatements: false }],
  ] as const)("by %s, what a connection keeps is found out", async (mode, traits) => {
    expect(await findConnectionTraits(pooled(mode, ownerUrl))).toEqual(traits);
  });

  test("a pool by transaction is rejected where a session is needed, and where statements must be prepared", async () => {
    const url = pooled("transaction", ownerUrl);
    await expect(requireDirectConnection(url, "DATABASE_OWNER_URL")).rejects.toThrow(/^DATABASE_OWNER_URL: .*DIRECT_/);
    await expect(findConnectionTraits(url, { prepare: true })).rejects.toThrow(/^DATABASE_PREPARE: /);
    await requireDirectConnection(pooled("session", ownerUrl), "DATABASE_URL");
  });

  test.each(["session", "transaction"] as const)(
    "by %s, fifty at once read and write, and each statement ends in time",
    async (mode) => {
      const url = pooled(mode, ownerUrl);
      const db = openDatabase({ url, traits: await findConnectionTraits(url) });
      try {
        const table = sql.raw(`written_${mode}`);
        await db.execute(sql`create table ${table} (id int primary key)`);
        await Promise.all(
          Array.from({ length: 200 }, async (_, id) => {
            await db.transaction(async (tx) => {
              await tx.execute(sql`insert into ${table} values (${id})`);
              await tx.execute(sql`select ${id}::int`);
            });
            const rows = await queryRows(
              db,
              z.object({ id: z.number() }),
              sql`select id from ${table} where id = ${id}`,
            );
            expect(rows).toEqual([{ id }]);
          }),
        );
        const settings = [
          "statement_timeout",
          "lock_timeout",
          "idle_in_transaction_session_timeout",
          "random_page_cost",
          "max_parallel_workers_per_gather",
          "jit",
        ];
        const query = sql.join(
          settings.map((name) => sql`current_setting(${name})`),
          sql` || ' ' || `,
        );
        expect(await queryRows(db, z.object({ set: z.string() }), sql`select ${query} as set`)).toEqual([
          { set: "5s 2s 10s 1 0 off" },
        ]);
        await db.transaction(async (tx) => {
          expect(await queryRows(tx, z.object({ set: z.string() }), sql`select ${query} as set`)).toEqual([
            { set: "5s 2s 10s 1 0 off" },
          ]);
        });
        await expect(database().execute(sql`select pg_sleep(20)`)).rejects.toThrow();
        expect(await queryRows(db, z.object({ one: z.number() }), sql`select 1 as one`)).toEqual([{ one: 1 }]);
      } finally {
        await closeDatabase();
      }
    },
    60_000,
  );

  const environment = () => ({
    RATE_LIMITS: "off",
    LOG_LEVEL: "warn",
    DEMO_DATA: "on",
    SESSION_SECRET: testSecret,
    DATABASE_OWNER_URL: ownerUrl,
  });

  test(
    "the server answers fifty requests at once through a pool by transaction, and its worker runs",
    async () => {
      const DATABASE_OWNER_URL = await createDemoCopy(inject("startedAt"));
      const DIRECT_DATABASE_URL = serverUrl(DATABASE_OWNER_URL);
      const DATABASE_URL = pooled("transaction", DIRECT_DATABASE_URL);
      const server = await startAppServer({
        environment: { ...environment(), DATABASE_URL, DATABASE_OWNER_URL, DIRECT_DATABASE_URL },
      });
      try {
        const paths = [
          "/",
          "/advertiser/test-mode",
          "/publisher/test-mode",
          "/advertiser/test-mode/campaigns",
          "/readyz",
        ];
        const statuses = new Set<number>();
        for (let round = 0; round < rounds; round += 1) {
          const asked = Array.from({ length: 50 }, (_, at) => fetch(server.origin + paths[at % paths.length]));
          for (const response of await Promise.all(asked)) statuses.add(response.status);
        }
        expect([...statuses].filter((status) => ![200, 503].includes(status))).toEqual([]);
        expect(server.output()).not.toMatch(/prepared statement|"level":(50|60)/);
      } finally {
        await server.stop();
        await dropDatabaseCopy(DATABASE_OWNER_URL);
      }
    },
    faultTimeoutMs,
  );

  test("the server does not start on a pool by transaction without a direct URL", async () => {
    const DATABASE_URL = pooled("transaction", serverUrl(ownerUrl));
    const { code, output } = await failToStart({ environment: { ...environment(), DATABASE_URL } });
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/^DATABASE_URL: .*Set DIRECT_DATABASE_URL/),
    });
  }, 60_000);

  test("a command does not migrate through a pool by transaction, where its lock would stay", async () => {
    const url = pooled("transaction", ownerUrl);
    const withoutOwner = { DATABASE_URL: url, DATABASE_OWNER_URL: "" };
    const output = await runCommandWith({ ownerUrl, environment: withoutOwner }, "migrate");
    expect(output).toMatch(/^1: DATABASE_URL: .*Set DIRECT_DATABASE_URL/);
    const owner = await runCommandWith({ ownerUrl, environment: { DATABASE_OWNER_URL: url } }, "migrate");
    expect(owner).toMatch(/^1: DATABASE_OWNER_URL: .*Set DIRECT_DATABASE_URL/);
  }, 60_000);
});
