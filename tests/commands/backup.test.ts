import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { asc, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { z } from "zod";
import { deletionLockName } from "#app/domain/audiences/members/stores/deletion-lock.server.ts";
import { creativeStorageKeys } from "#app/domain/creatives/creative-rows.server.ts";
import type { FileStorage } from "#app/storage/file-storage.ts";
import { openFolderStorage } from "#app/storage/folder-storage.server.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import { postgres } from "#db/driver.server.ts";
import { creatives } from "#db/schema/index.ts";
import { insertRowsOfAllTables } from "#tests/db/rows-of-all-tables.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";
import { deferRejection } from "#tests/support/defer-rejection.ts";
import { restoreBackup } from "../../commands/backup/restore-backup.ts";
import { verifyBackup } from "../../commands/backup/verify-backup.ts";
import { writeBackup } from "../../commands/backup/write-backup.ts";
import { commandOf, runCommandIn } from "./run-command.ts";

/** Longer than a command takes to start on a busy machine, for which a transaction waits here. */
const deadlineMs = 60_000;
const db = useDatabase({ demoAt: "2026-11-20T14:30:00Z", deadlineMs });
const folder = mkdtempSync(join(tmpdir(), "endcap-backup-"));
const archive = join(folder, "endcap.tar.gz");
const created: string[] = [];
/**
 * What a killed backup to `archive` left: whether it ended first after all, and whether there is a file of that name.
 */
let killedBackup: { ended: boolean; exists: boolean };
/** What backups that are being written, or were killed, have written so far. */
const unfinished = () => readdirSync(folder).filter((name) => name.endsWith(".unfinished"));
const source = () => ({ ownerUrl: db.ownerUrl(), dataDir: process.env.DATA_DIR ?? "" });

beforeAll(async () => {
  await insertRowsOfAllTables(db());
  const ended = await killOnce(start(source(), "backup", archive), () => unfinished().length > 0);
  killedBackup = { ended, exists: existsSync(archive) };
  if (ended) rmSync(archive);
  // It waits for deletions of objects that its snapshot may name, and holds off the next ones.
  const { backup } = await db().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${deletionLockName}, 0))`);
    const backup = deferRejection(runCommandIn(source(), "backup", archive));
    const waiting = sql`select from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and not granted`;
    await vi.waitFor(async () => expect(await db().execute(waiting)).toHaveLength(1), {
      timeout: 60_000,
      interval: 200,
    });
    return { backup };
  });
  expect(await backup).toMatch(/^\d{2,} tables and \d+ files written to .+\n$/);
});

afterAll(async () => {
  for (const url of created) await dropDatabaseCopy(url);
  rmSync(folder, { recursive: true });
});

/** An empty database and an empty folder for files. */
async function emptyPlace() {
  const ownerUrl = await createDatabaseCopy(inject("clusterUrl"));
  created.push(ownerUrl);
  return { ownerUrl, dataDir: mkdtempSync(join(folder, "data-")) };
}

const nameRow = z.object({ name: z.string() });
const digestRow = z.object({ digest: z.string() });

/** Everything that a restored database must have in common with its source. */
async function contentsOf(ownerUrl: string) {
  const connection = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  const read = async (query: string) =>
    z
      .array(nameRow)
      .parse(await connection.unsafe(query))
      .map(({ name }) => name);
  try {
    const rows: Record<string, string> = {};
    for (const table of await read(
      "select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'graphile_worker', 'drizzle')",
    )) {
      const [row] = await connection.unsafe(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as digest from ${table} t`,
      );
      rows[table] = digestRow.parse(row).digest;
    }
    return {
      rows,
      triggers: await read(
        "select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text as name from pg_trigger where not tgisinternal order by 1",
      ),
      foreignKeys: await read(
        "select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as name from pg_constraint where contype = 'f' order by 1",
      ),
      sequences: await read(
        "select schemaname || '.' || sequencename || ' ' || coalesce(last_value::text, '') as name from pg_sequences where schemaname <> 'drizzle' order by 1",
      ),
    };
  } finally {
    await connection.end();
  }
}

function filesOf(dataDir: string): string[] {
  const entries = readdirSync(join(dataDir, "files"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

async function countAccounts(ownerUrl: string): Promise<number> {
  const connection = postgres(ownerUrl, { max: 1 });
  const [row] = await connection`select count(*)::int as count from accounts`;
  await connection.end();
  return z.object({ count: z.number() }).parse(row).count;
}

test("kill -9 during a backup leaves no file with its name, and the next one writes it", () => {
  expect(killedBackup.exists).toBe(killedBackup.ended);
  expect(existsSync(archive)).toBe(true);
});

test("kill -9 during a restore leaves no row; restored, every row, file, sequence, trigger and foreign key is there", async () => {
  const place = await emptyPlace();
  const name = new URL(place.ownerUrl).pathname.slice(1);
  const copying = sql`select from pg_stat_activity where datname = ${name} and query like 'copy %'`;
  const isCopying = async () => (await db.owner().execute(copying)).length > 0;
  const ended = await killOnce(start(place, "restore", archive), isCopying);
  expect((await countAccounts(place.ownerUrl)) > 0).toBe(ended);
  if (!ended) {
    expect(await runCommandIn(place, "restore", archive)).toMatch(/^\d{2,} tables and \d+ files restored from .+\n$/);
  }
  expect(await contentsOf(place.ownerUrl)).toEqual(await contentsOf(db.ownerUrl()));
  expect(filesOf(place.dataDir)).toEqual(filesOf(source().dataDir));
  expect(filesOf(place.dataDir).length).toBeGreaterThan(5);
  expect(readdirSync(join(place.dataDir, "files", "audiences"))).toHaveLength(1);
  expect(await runCommandIn(place, "check-ledger")).toBe("Ledger check passed\n");
  await expect(restore(archive, place)).rejects.toThrow(/^The database has accounts\. Restore into an empty/);
});

test("a restore that generates a new secret says what cannot be read with it", { timeout: 240_000 }, async () => {
  const generated = { DATABASE_URL: "", DATABASE_OWNER_URL: "", SESSION_SECRET: "" };
  const dataDir = mkdtempSync(join(folder, "embedded-"));
  const { program, args, env } = commandOf(db.ownerUrl(), "restore", { ...generated, DATA_DIR: dataDir });
  const { stdout, stderr } = await promisify(execFile)(program, [...args, archive], { env });
  expect(stdout).toMatch(/^\d{2,} tables and \d+ files restored from .+\n$/);
  expect(stderr).toMatch(
    /^Warning: SESSION_SECRET is not set and .+\/session-secret did not exist, .+\nWhat the backup's installation encrypted .+\nBefore a server starts, set .+\n$/,
  );
});

test("a backup is private, and no file is overwritten", async () => {
  expect(statSync(archive).mode & 0o077).toBe(0);
  expect(await runCommandIn(source(), "backup", archive)).toMatch(/^1: .+ exists\. Name another file\.\n$/);
  const backup = { ownerUrl: db.ownerUrl(), storage: await fileStorage(), now: new Date() };
  await expect(writeBackup(join(folder, "no", "such.tar.gz"), backup)).rejects.toThrow(
    /^.+ could not be written \(ENOENT\)$/,
  );
});

test("a backup fails where no creative has a file, as with the settings of another storage, and counts those without one", async () => {
  const backup = { ownerUrl: db.ownerUrl(), now: new Date() };
  const path = join(folder, "other-storage.tar.gz");
  const other = openFolderStorage(join(folder, "other-storage"));
  await expect(writeBackup(path, { ...backup, storage: other })).rejects.toThrow(
    /^None of \d+ creatives has a file in the storage of files\. Set DATA_DIR, or S3_BUCKET and S3_PREFIX, as for the servers\.$/,
  );
  expect(existsSync(path)).toBe(false);

  const real = await fileStorage();
  const [one] = await db().select({ id: creatives.id }).from(creatives).orderBy(asc(creatives.id)).limit(1);
  const { file } = creativeStorageKeys(one?.id ?? expect.fail("no creative"));
  const get: FileStorage["get"] = async (key, range) => (key === file ? undefined : real.get(key, range));
  const { creativesWithoutFile } = await writeBackup(path, { ...backup, storage: { ...real, get } });
  // The one of `insertRowsOfAllTables` has no file either.
  expect(creativesWithoutFile).toBe(2);
  await verifyBackup(path);
});

test("of two backups to one name at a time one writes it whole, and the other fails", async () => {
  const before = unfinished();
  const path = join(folder, "twice.tar.gz");
  const write = async () =>
    writeBackup(path, { ownerUrl: db.ownerUrl(), storage: await fileStorage(), now: new Date() });
  const outcomes = await Promise.allSettled([write(), write()]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  expect(failed?.reason).toMatchObject({ name: "StartupError", message: `${path} exists. Name another file.` });
  await verifyBackup(path);
  expect(unfinished()).toEqual(before);
});

test("a backup that is told to stop leaves no file", { timeout: 120_000 }, async () => {
  const before = unfinished();
  const path = join(folder, "stopped.tar.gz");
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    const backup = start(source(), "backup", path);
    while (unfinished().length === before.length) await sleep(2);
    backup.kill(signal);
    const [exitCode] = await once(backup, "exit");
    // It may have ended just before.
    expect([exitCode, existsSync(path)]).toEqual(existsSync(path) ? [0, true] : [code, false]);
    rmSync(path, { force: true });
    expect(unfinished()).toEqual(before);
  }
});

test("an archive that is incomplete or changed is rejected, and restores nothing", async () => {
  const place = await emptyPlace();
  expect(await runCommandIn(place, "verify-backup", archive)).toMatch(
    /^\d{2,} tables and \d+ files of 20.+ verified\n$/,
  );
  const damaged = join(folder, "damaged.tar.gz");
  writeFileSync(damaged, readFileSync(archive));
  truncateSync(damaged, Math.floor(statSync(archive).size / 2));
  expect(await runCommandIn(place, "verify-backup", damaged)).toMatch(/^1: .+ is not a complete backup: /);
  const bytes = gunzipSync(readFileSync(archive));
  const at = bytes.indexOf("Northwind Outdoors");
  expect(at).toBeGreaterThan(0);
  bytes.write("Southwind", at);
  writeFileSync(damaged, gzipSync(bytes));
  await expect(verifyBackup(damaged)).rejects.toThrow(/^.+ is damaged: the rows of public\.\w+ were changed$/);
  await expect(restore(damaged, place)).rejects.toThrow(/^.+ is damaged/);
  writeFileSync(damaged, "e-mail;phone\n");
  await expect(verifyBackup(damaged)).rejects.toThrow(/^.+ is not a complete backup: /);
  await expect(verifyBackup(join(folder, "none"))).rejects.toThrow(/^.+ does not exist$/);
  expect(await countAccounts(place.ownerUrl)).toBe(0);
});

test("an archive of another version is rejected", async () => {
  const place = await emptyPlace();
  const connection = postgres(place.ownerUrl, { max: 1 });
  await connection`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9e12::bigint)`;
  await connection.end();
  await expect(restore(archive, place)).rejects.toThrow(/^The backup has \d+ migrations and this version \d+\./);
});

/** Restores in this process, where only its refusal matters: each command takes seconds to start. */
async function restore(path: string, { ownerUrl }: { ownerUrl: string }) {
  return restoreBackup(path, { ownerUrl, storage: await fileStorage() });
}

function start(
  { ownerUrl, dataDir }: { ownerUrl: string; dataDir: string },
  command: string,
  path: string,
): ChildProcess {
  const { program, args, env } = commandOf(ownerUrl, command, { DATA_DIR: dataDir });
  return spawn(program, [...args, path], { env, stdio: "ignore" });
}

/** `kill -9` of a command as soon as the condition holds. Returns whether it ended by itself before. */
async function killOnce(child: ChildProcess, isReady: () => boolean | Promise<boolean>): Promise<boolean> {
  while (child.exitCode === null && !(await isReady())) await sleep(5);
  if (child.exitCode === null) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  return child.exitCode !== null;
}
