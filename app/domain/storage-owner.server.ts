import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { StorageError } from "#app/storage/file-storage.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { hasAccounts } from "./accounts/has-accounts.server.ts";
import type { Ctx, JobActor } from "./context.ts";

/** Each database marks the storage with an empty file of its name, which a job writes every ten minutes. */
const folder = "owners/";
/** A database whose mark is older than this, in milliseconds, no longer uses the storage. */
const staleMs = 6 * 3_600_000;

/** The storage is also used by a database that was created earlier, whose files this one must not delete. */
class StorageInUse extends Error {
  readonly code = "StorageInUse";

  constructor({ mark, markedAt }: { mark: string; markedAt: Date }) {
    super(
      `Another database uses the storage of files (${mark}, ${markedAt.toISOString()}). Give this one a bucket, a prefix or a folder of its own; if the other is gone for good, delete its mark`,
    );
  }
}

/** Marks the storage as used by this database. One without accounts uses none. Returns the number of marks. */
export async function markStorage(ctx: Ctx<JobActor>): Promise<number> {
  if (!(await hasAccounts(ctx))) return 0;
  const mark = markOf(await readIdentity(ctx.db));
  await (await fileStorage()).put(mark, Readable.from([]), { bytes: 0, type: "text/plain" });
  return 1;
}

/**
 * Throws a StorageError when the storage is also used by a database that was created earlier: this one may be a copy of
 * it, whose rows name the other's files. Nothing may be deleted from the storage then. Times are compared by the
 * storage's clock where this database has marked it.
 */
export async function requireOwnStorage(ctx: Pick<Ctx, "db" | "clock">): Promise<void> {
  const identity = await readIdentity(ctx.db);
  const marks: { mark: string; markedAt: Date }[] = [];
  for await (const { key, storedAt } of (await fileStorage()).list(folder))
    marks.push({ mark: key, markedAt: storedAt });
  const own = marks.find(({ mark }) => mark === markOf(identity));
  const staleBefore = (own?.markedAt ?? ctx.clock()).getTime() - staleMs;
  const earlier = marks.find(({ mark, markedAt }) => isEarlier(mark, identity) && markedAt.getTime() > staleBefore);
  if (earlier) throw new StorageError(new StorageInUse(earlier));
}

/**
 * A cluster's identifier begins with the second of its creation. A restored database is in another cluster or has a
 * later OID.
 */
type Identity = { cluster: bigint; oid: bigint };

const identitySchema = z.object({ cluster: z.string().transform(BigInt), oid: z.string().transform(BigInt) });

async function readIdentity(db: Database): Promise<Identity> {
  const [identity] = await queryRows(
    db,
    identitySchema,
    sql`select system_identifier::text as cluster, pg_database.oid::text as oid
      from pg_control_system(), pg_database where datname = current_database()`,
  );
  if (!identity) throw new Error("the database does not tell its identity");
  return identity;
}

function markOf({ cluster, oid }: Identity): string {
  return `${folder}${cluster}-${oid}`;
}

function isEarlier(mark: string, than: Identity): boolean {
  const [, cluster, oid] = /^owners\/(\d+)-(\d+)$/.exec(mark) ?? [];
  if (cluster === undefined || oid === undefined) return false;
  return BigInt(cluster) === than.cluster ? BigInt(oid) < than.oid : BigInt(cluster) < than.cluster;
}
