import { drizzle } from "drizzle-orm/postgres-js";
import { afterAll, beforeAll, inject } from "vitest";
import { closeDatabase, type Database, openDatabase } from "#db/client.server.ts";
import { postgres } from "#db/driver.server.ts";
import * as schema from "#db/schema/index.ts";
import { type CitusCopyState, createCitusCopy, dropCitusCopy } from "./citus-copies.ts";
import { createDatabaseCopy, dropDatabaseCopy, serverUrl } from "./database-copies.ts";
import { createDemoCopy } from "./demo-copies.ts";
import { checkFactStatements, noteFactStatements } from "./fact-statements.ts";

type TestDatabase = (() => Database) & {
  /** The URL for the role of `db()`. */
  url: () => string;
  /** The URL for the owner of the tables, which a real server migrates with. */
  ownerUrl: () => string;
  /** A second connection, as the owner of the tables: for a setup that triggers or grants forbid. */
  owner: () => Database;
};

type TestDatabaseOptions = {
  /** `owner` for a file that makes tables of its own or breaks the rules of ours throughout. */
  role?: "server" | "owner";
  /**
   * The moment of a demo whose data the database has, as of an ISO 8601 date and time. Without it the database is
   * empty.
   */
  demoAt?: string;
  /** How far the database is prepared in `npm run test:citus`. */
  onCitus?: CitusCopyState;
  /** The deadline of queries and transactions, in milliseconds; a server's by default. */
  deadlineMs?: number;
};

/**
 * Gives the test file a migrated database of its own, opened as the process's (`database()` is it too) by the role that
 * a server has, which owns nothing, so that a missing grant fails a test. Call it once at the top; `db()` is good from
 * the first `beforeAll` after it on. A statement of the product that does not say whose facts it needs fails the file.
 */
export function useDatabase({ role = "server", demoAt, onCitus, ...options }: TestDatabaseOptions = {}): TestDatabase {
  let open: { db: Database; url: string; ownerUrl: string } | undefined;
  let owner: { db: Database; end: () => Promise<void> } | undefined;

  beforeAll(async () => {
    const ownerUrl = await createCopy({ demoAt, onCitus });
    const url = role === "owner" ? ownerUrl : serverUrl(ownerUrl);
    open = { db: openDatabase({ url, observeQuery: noteFactStatements, ...options }), url, ownerUrl };
  });

  afterAll(async () => {
    await owner?.end();
    await closeDatabase();
    if (open) await dropCopy(open.ownerUrl);
    await checkFactStatements();
  });

  function opened() {
    if (!open) throw new Error("The test database is open from beforeAll on");
    return open;
  }
  function openOwner() {
    const sql = postgres(opened().ownerUrl, { max: 2, onnotice: () => undefined });
    return { db: drizzle(sql, { schema }), end: () => sql.end() };
  }
  return Object.assign(() => opened().db, {
    url: () => opened().url,
    ownerUrl: () => opened().ownerUrl,
    owner: () => {
      owner ??= openOwner();
      return owner.db;
    },
  });
}

/** Where `npm run test:citus` has its databases (docs/decisions/0107). */
const citusUrl = process.env.CITUS_URL;

function createCopy({ demoAt, onCitus }: TestDatabaseOptions): Promise<string> {
  if (citusUrl && !demoAt) return createCitusCopy(citusUrl, onCitus);
  return demoAt ? createDemoCopy(demoAt) : createDatabaseCopy(inject("clusterUrl"));
}

function dropCopy(ownerUrl: string): Promise<void> {
  const isCitus = citusUrl && new URL(ownerUrl).host === new URL(citusUrl).host;
  return isCitus ? dropCitusCopy(ownerUrl, citusUrl) : dropDatabaseCopy(ownerUrl);
}
