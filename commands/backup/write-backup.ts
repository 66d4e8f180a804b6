import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import { z } from "zod";
import { deletionLockName } from "#app/domain/audiences/members/stores/deletion-lock.server.ts";
import { objectKey } from "#app/domain/audiences/members/stores/object-key.ts";
import { creativeStorageKeys } from "#app/domain/creatives/creative-rows.server.ts";
import { type AudienceId, type AudienceObjectId, type CreativeId, idSchema } from "#app/domain/ids.ts";
import { StartupError } from "#app/startup-error.ts";
import type { FileStorage } from "#app/storage/file-storage.ts";
import { connect } from "#db/driver.server.ts";
import { type ArchiveEntry, writeArchive } from "./archive.ts";
import { type Checksums, entryNames, type Manifest } from "./manifest.ts";
import { listMigrations, listSequences, listTables } from "./tables.ts";

/** The size of an entry of rows, in bytes. */
const pieceBytes = 4 * 1024 * 1024;

type Source = { ownerUrl: string; storage: FileStorage; now: Date };

/** What an archive has, and how many creatives of its snapshot had no file. */
type Written = Checksums & { creativesWithoutFile: number };

/**
 * Writes all rows of one snapshot, and the files that they refer to, to an archive. Other processes may go on. Returns
 * what it has. Throws StartupError when the file exists or cannot be written, and when no creative has a file: the
 * storage is another one then.
 */
export async function writeBackup(path: string, { ownerUrl, storage, now }: Source): Promise<Written> {
  const sql = connect(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    // Before the snapshot, on the only connection: objects of audiences that it names are deleted when they are copied.
    await sql`select pg_advisory_lock_shared(hashtextextended(${deletionLockName}, 0))`;
    return await sql.begin("isolation level repeatable read read only", async (tx) => {
      const written: Written = { tables: {}, files: [], creativesWithoutFile: 0 };
      await writeArchive(path, entriesOf(tx, { storage, now, written }));
      return written;
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

type Contents = { storage: FileStorage; now: Date; written: Written };

async function* entriesOf(tx: TransactionSql, { storage, now, written }: Contents): AsyncGenerator<ArchiveEntry> {
  const tables = await listTables(tx);
  const [migrations, sequences] = [await listMigrations(tx), await listSequences(tx)];
  const manifest: Manifest = { format: 1, createdAt: now.toISOString(), migrations, tables, sequences };
  yield jsonEntry(entryNames.manifest, manifest);
  for (const table of tables) {
    const hash = createHash("sha256");
    yield* rowsOf(tx, table, (piece) => hash.update(piece));
    written.tables[table.name] = hash.digest("hex");
  }
  yield* filesOf(tx, storage, written);
  const { tables: ofRows, files } = written;
  yield jsonEntry(entryNames.checksums, { tables: ofRows, files } satisfies Checksums);
}

async function* rowsOf(
  tx: TransactionSql,
  { name, columns }: Manifest["tables"][number],
  onPiece: (piece: Buffer) => void,
): AsyncGenerator<ArchiveEntry> {
  let pieces: Buffer[] = [];
  let [size, number] = [0, 0];
  const flush = () => {
    const data = Buffer.concat(pieces);
    onPiece(data);
    [pieces, size, number] = [[], 0, number + 1];
    return { name: `tables/${name}/${String(number).padStart(6, "0")}`, data };
  };
  for await (const piece of await tx.unsafe(`copy (select ${columns.join(", ")} from ${name}) to stdout`).readable()) {
    pieces.push(piece);
    size += piece.length;
    if (size >= pieceBytes) yield flush();
  }
  if (size > 0) yield flush();
}

const objectRow = z.object({ audienceId: idSchema<AudienceId>(), objectId: idSchema<AudienceObjectId>() });
const creativeRow = z.object({ id: idSchema<CreativeId>(), type: z.string() });

/** An object of an audience is there until it is copied. A creative that was deleted since the snapshot is left out. */
async function* filesOf(tx: TransactionSql, storage: FileStorage, written: Written): AsyncGenerator<ArchiveEntry> {
  const stored = written.files;
  const rows = z.array(creativeRow).parse(await tx`select id, type from creatives order by id`);
  for (const { id, type } of rows) {
    const keys = creativeStorageKeys(id);
    for (const [key, contentType] of [
      [keys.file, type],
      [keys.preview, "image/webp"],
    ] as const) {
      const entry = await readFile(storage, { key, type: contentType }, stored);
      if (entry) yield entry;
      else if (key === keys.file) written.creativesWithoutFile += 1;
    }
  }
  if (rows.length > 0 && written.creativesWithoutFile === rows.length)
    throw new StartupError(
      `None of ${rows.length} creatives has a file in the storage of files. Set DATA_DIR, or S3_BUCKET and S3_PREFIX, as for the servers.`,
    );
  const objects =
    await tx`select audience_id as "audienceId", object_id as "objectId" from audience_objects order by object_id`;
  for (const { audienceId, objectId } of z.array(objectRow).parse(objects)) {
    const key = objectKey(audienceId, objectId);
    const entry = await readFile(storage, { key, type: "application/octet-stream" }, stored);
    if (!entry)
      throw new StartupError(`The people of the audience ${audienceId} are missing in the storage of files: ${key}`);
    yield entry;
  }
}

async function readFile(
  storage: FileStorage,
  { key, type }: { key: string; type: string },
  stored: Checksums["files"],
): Promise<ArchiveEntry | undefined> {
  const stream = await storage.get(key);
  if (!stream) return undefined;
  const data = Buffer.concat(await stream.toArray());
  stored.push({ key, type, bytes: data.length, sha256: sha256(data) });
  return { name: `files/${key}`, data };
}

export function sha256(data: Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

function jsonEntry(name: string, value: unknown): ArchiveEntry {
  return { name, data: Buffer.from(JSON.stringify(value)) };
}
