import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { TransactionSql } from "postgres";
import { z } from "zod";
import { StartupError } from "#app/startup-error.ts";
import type { FileStorage } from "#app/storage/file-storage.ts";
import { distributedQuery, distributedRow } from "#db/distribution/inbox-tables.ts";
import { connect } from "#db/driver.server.ts";
import { type ArchiveEntry, readArchive } from "./archive.ts";
import type { Checksums, Manifest } from "./manifest.ts";
import { listForeignKeys, listMigrations, listPartitions } from "./tables.ts";
import { tableOf, verifyBackup } from "./verify-backup.ts";

type Target = { ownerUrl: string; storage: FileStorage };

/**
 * Restores an archive into an empty database with the same migrations, and its files into the storage: everything or,
 * when it is interrupted, no row. It can be run again then. Throws StartupError for a damaged archive, one of another
 * version, and a database that has accounts.
 */
export async function restoreBackup(path: string, { ownerUrl, storage }: Target): Promise<Checksums> {
  const { manifest, checksums } = await verifyBackup(path);
  const sql = connect(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    await sql.begin(async (tx) => {
      await requireFit(tx, manifest);
      const foreignKeys = await listForeignKeys(tx);
      const tables = manifest.tables.map(({ name }) => name);
      const withTriggers = [...tables, ...(await listPartitions(tx))];
      // Triggers and foreign keys have checked these rows before, and a trigger would count them again.
      for (const { table, name } of foreignKeys) await tx.unsafe(`alter table ${table} drop constraint ${name}`);
      for (const table of withTriggers) await tx.unsafe(`alter table ${table} disable trigger user`);
      await tx.unsafe(`truncate ${tables.join(", ")}`);
      await restoreEntries(tx, path, { manifest, checksums, storage });
      // The archive has what was recorded before it, and not itself.
      await tx`insert into backups (taken_at) values (${manifest.createdAt}) on conflict do nothing`;
      for (const { name, value, isCalled } of manifest.sequences)
        await tx`select setval(${name}, ${value}, ${isCalled})`;
      for (const table of withTriggers) await tx.unsafe(`alter table ${table} enable trigger user`);
      for (const { table, name, definition } of foreignKeys) {
        await tx.unsafe(`alter table ${table} add constraint ${name} ${definition}`);
      }
    });
    await sql`analyze`;
    return checksums;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const countRow = z.object({ accounts: z.coerce.number() });

async function requireFit(tx: TransactionSql, { migrations }: Manifest): Promise<void> {
  const known = await listMigrations(tx);
  if (known.join() !== migrations.join()) {
    throw new StartupError(
      `The backup has ${migrations.length} migrations and this version ${known.length}. Restore it with the version that made it, then upgrade.`,
    );
  }
  const [state] = z.array(distributedRow).parse(await tx.unsafe(distributedQuery));
  if (state?.distributed) {
    throw new StartupError(
      "The database's facts are distributed. Restore into one whose facts are not, then run: npm run distribute",
    );
  }
  await tx`lock table accounts, users in access exclusive mode`;
  const [found] = z
    .array(countRow)
    .parse(await tx`select count(*) as accounts from (select from accounts union all select from users) a`);
  if (found?.accounts !== 0) {
    throw new StartupError(
      "The database has accounts. Restore into an empty database: name one in DATABASE_URL or DATA_DIR.",
    );
  }
}

type Restored = { manifest: Manifest; checksums: Checksums; storage: FileStorage };

async function restoreEntries(tx: TransactionSql, path: string, { manifest, checksums, storage }: Restored) {
  const columns = new Map(manifest.tables.map((table) => [table.name, table.columns]));
  const files = new Map(checksums.files.map((file) => [file.key, file]));
  const entries = readArchive(path);
  let next = await entries.next();
  while (!next.done) {
    const { name, data } = next.value;
    if (name.startsWith("tables/")) {
      const table = tableOf(name);
      const target = await tx.unsafe(`copy ${table} (${columns.get(table)?.join(", ")}) from stdin`).writable();
      await pipeline(Readable.from(entriesOfTable(table)), target);
      continue;
    }
    const file = files.get(name.slice("files/".length));
    if (file) await storage.put(file.key, Readable.from([Buffer.from(data)]), file);
    next = await entries.next();
  }

  async function* entriesOfTable(table: string): AsyncGenerator<Uint8Array> {
    for (; !next.done && isOf(next.value, table); next = await entries.next()) yield next.value.data;
  }
}

function isOf({ name }: ArchiveEntry, table: string): boolean {
  return name.startsWith("tables/") && tableOf(name) === table;
}
