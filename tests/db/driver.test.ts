import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectFile } from "#app/project-file.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { postgres } from "#db/driver.server.ts";
import { patchedSource } from "#db/driver-patch.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { startAppServer } from "#tests/support/servers/app-server.ts";

const db = useDatabase();
const packageFolder = projectFile("node_modules/postgres");
const files = readdirSync(packageFolder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

/** Returns size and times of every file; writing the same bytes, renaming or changing the mode changes them too. */
function fileStates() {
  return files.map((path) => {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    return { path, ino, size, mtimeMs, ctimeMs };
  });
}

test("a server and a command run without writing into the driver's package", async () => {
  const before = fileStates();
  expect(before.length).toBeGreaterThan(20);
  const server = await startAppServer({ databaseUrl: db.ownerUrl(), environment: { DEMO_DATA: "off", WORKER: "off" } });
  expect((await fetch(server.origin)).status).toBe(200);
  await server.stop();
  const { scripts } = JSON.parse(readFileSync(projectFile("package.json"), "utf8"));
  const [program, ...args] = String(scripts["ledger:check"]).split(" ");
  const command = spawnSync(program ?? "", args, {
    cwd: projectFile("."),
    env: { ...process.env, DATABASE_URL: db.url(), DATABASE_OWNER_URL: db.ownerUrl() },
    encoding: "utf8",
  });
  expect([command.status, command.stderr]).toEqual([0, ""]);
  expect(fileStates()).toEqual(before);
}, 120_000);

test("the installed files get every patch, once", () => {
  const corrected = files
    .filter((path) => path.includes("/cjs/src/"))
    .filter((path) => {
      const source = readFileSync(path, "utf8");
      const text = patchedSource(path, source);
      expect(patchedSource(path, text)).toBe(text);
      return text !== source || source.includes("// patched");
    });
  expect(corrected.map((path) => basename(path)).sort()).toEqual(["bytes.js", "connection.js", "index.js", "queue.js"]);
});

test("a pool reads the types of arrays once, and every connection returns arrays", async () => {
  const statements: string[] = [];
  const sql = postgres(db.url(), { max: 4, debug: (_connection, query) => void statements.push(query) });
  try {
    const read = () => sql`select array[1, 2] as numbers, array['a', 'b, c'] as texts, pg_backend_pid() as pid`;
    await read();
    const rows = (await Promise.all([1, 2, 3, 4].map(read))).flat();
    expect(new Set(rows.map(({ pid }) => pid)).size).toBe(4);
    for (const { numbers, texts } of rows) {
      expect(numbers).toEqual([1, 2]);
      expect(texts).toEqual(["a", "b, c"]);
    }
    const [own] = await (await sql.reserve())`select ${sql.array(["b", "c"])}::text[] as texts`;
    expect(own?.texts).toEqual(["b", "c"]);
    expect(statements.filter((statement) => statement.includes("typarray")).length).toBe(1);
  } finally {
    await sql.end({ timeout: 0 });
  }
});

test("of several idle connections, a query and a transaction get the one that was used last", async () => {
  const sql = postgres(db.url(), { max: 4 });
  const pidOf = async (rows: PromiseLike<{ pid?: number }[]>) => (await rows)[0]?.pid;
  const read = () => pidOf(sql`select pg_backend_pid() as pid`);
  try {
    expect(new Set(await Promise.all([1, 2, 3, 4].map(read))).size).toBe(4);
    const last = await read();
    expect([await read(), await read(), await read()]).toEqual([last, last, last]);
    expect(await sql.begin((transaction) => pidOf(transaction`select pg_backend_pid() as pid`))).toBe(last);
    const reserved = await sql.reserve();
    expect(await pidOf(reserved`select pg_backend_pid() as pid`)).toBe(last);
    const other = await read();
    reserved.release();
    expect(other).not.toBe(last);
    expect(await read()).toBe(last);
    expect(new Set(await Promise.all([1, 2, 3, 4].map(read))).size).toBe(4);
  } finally {
    await sql.end({ timeout: 0 });
  }
});

test("a savepoint is released when its work has ended, whether it failed or not", async () => {
  const statements: string[] = [];
  const sql = postgres(db.url(), { max: 1, debug: (_connection, query) => void statements.push(query) });
  try {
    await sql.begin(async (transaction) => {
      await transaction.savepoint((inner) => inner`select 1`);
      await transaction.savepoint((inner) => inner`select 1 / 0`).catch(() => undefined);
      await transaction.savepoint((outer) => outer.savepoint((inner) => inner`select 2`));
      await transaction`select 3`;
    });
    expect(statements.slice(statements.indexOf("begin ")).map((statement) => statement.trim())).toEqual([
      "begin",
      ...['savepoint "s0"', "select 1", "release savepoint s0"],
      ...['savepoint "s0"', "select 1 / 0", 'rollback to "s0"', "release savepoint s0"],
      ...['savepoint "s0"', 'savepoint "s1"', "select 2", "release savepoint s1", "release savepoint s0"],
      "select 3",
      "commit",
    ]);
  } finally {
    await sql.end({ timeout: 0 });
  }
});

describe("a connection's next query", () => {
  async function onOneConnection(use: (sql: ReturnType<typeof postgres>) => Promise<void>): Promise<void> {
    const sql = postgres(db.url(), { max: 1 });
    try {
      await sql`select 1`;
      await use(sql);
      expect(await sql`select 7 as seven`).toEqual([{ seven: 7 }]);
    } finally {
      await sql.end({ timeout: 0 });
    }
  }

  test("has its own rows only, after one that failed behind its fourth row", async () => {
    await onOneConnection(async (sql) => {
      await expect(sql`select 1 / (5 - i) from generate_series(1, 10) i`).rejects.toThrow("division by zero");
    });
  });

  test("has no error of a connection that PostgreSQL ended", async () => {
    await onOneConnection(async (sql) => {
      await expect(sql`select pg_terminate_backend(pg_backend_pid())`).rejects.toThrow("CONNECTION_CLOSED");
    });
  });

  test("has no rows of one that was ended between its rows", async () => {
    await onOneConnection(async (sql) => {
      const rows = sql`select i, case i when 5 then pg_terminate_backend(pg_backend_pid()) end from generate_series(1, 10) i`;
      await expect(rows).rejects.toThrow("CONNECTION_CLOSED");
    });
  });

  test("has none of a transaction whose query was ended", async () => {
    await onOneConnection(async (sql) => {
      const ended = sql.begin(
        (tx) => tx`select i, pg_terminate_backend(pg_backend_pid()) from generate_series(1, 9) i`,
      );
      await expect(ended).rejects.toThrow("CONNECTION_CLOSED");
    });
  });
});

test("another version of the driver is rejected", () => {
  const path = join(packageFolder, "cjs/src/bytes.js");
  const source = readFileSync(path, "utf8");
  const other = source.replaceAll("Buffer.concat", "Buffer.from");
  expect(other).not.toBe(source);
  expect(() => patchedSource(path, other)).toThrow(StartupError);
  expect(() => patchedSource(path, source + source)).toThrow(/not 3\.4\.9.*npm ci/);
});
