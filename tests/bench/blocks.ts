import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { openMembers, readMembers } from "#app/domain/audiences/members/audience-members.server.ts";
import type { BlockStoreKind } from "#app/domain/audiences/members/generation.ts";
import { MemberLookUp } from "#app/domain/audiences/members/member-look-up.server.ts";
import { moveAudiences } from "#app/domain/audiences/move-audiences.server.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import { type AudienceId, idSchema } from "#app/domain/ids.ts";
import type { FileStorage } from "#app/storage/file-storage.ts";
import { openFolderStorage } from "#app/storage/folder-storage.server.ts";
import { openS3Storage } from "#app/storage/s3-storage.server.ts";
import { replaceAudienceStore, replaceFileStorage } from "#app/storage/storage.server.ts";
import { closeDatabase, type Database, openDatabase } from "#db/client.server.ts";
import { audiences } from "#db/schema/index.ts";
import { startS3Server } from "#tests/support/fakes/fake-s3.ts";
import { bytesWritten, file, megabytes } from "./deltas.ts";
import { type BenchWorld, startBenchWorld } from "./support/bench-world.ts";
import { median, medianRatio, type Row, secondsOf, times } from "./support/pairs.ts";
import { upload } from "./upload.ts";

/** The number of people in the audience: `BENCH_PEOPLE` (default 1,000,000). */
const people = Number(process.env.BENCH_PEOPLE ?? 1_000_000);
const perChange = 1_000;
const lookUps = 300;

/**
 * Row 24: an audience in objects beside the same audience in rows. The storage is a folder, and a local server with
 * S3's API.
 */
export async function blocks(world: BenchWorld): Promise<Row[]> {
  const row = (work: string, reached: string, goal = "–"): Row => ({ row: "24", work, reached, goal });
  const uploads = await compareUploads(world);
  const { audienceId } = await upload(world, file(people, 0));
  const id = idSchema<AudienceId>().parse(audienceId);
  const folder = mkdtempSync(join(tmpdir(), "endcap-blocks-"));
  const s3 = await startS3Server();
  const db = openDatabase({ url: world.databaseUrl, max: 2, deadlineMs: 120_000 });
  try {
    const counting = countBytes(openFolderStorage(folder));
    replaceFileStorage(counting.storage);
    const rows = await measure(world, db, id, "rows");
    const moved = await bytesWritten(world, () => secondsOf(() => move(db, id, "objects")));
    const objectBytes = counting.bytes();
    const objects = await measure(world, db, id, "objects");
    const changeBytes = counting.bytes() - objectBytes;
    await move(db, id, "rows");
    replaceFileStorage(openS3Storage(s3.settings));
    await move(db, id, "objects");
    s3.seen.length = 0;
    const overHttp = await lookUpMs(db, id);
    const requests = s3.seen.length / lookUps;
    const back = await secondsOf(() => move(db, id, "rows"));
    return [
      row(`upload of ${people.toLocaleString("en-US")} people into objects, over into rows`, times(uploads.ratio)),
      row(
        "write-ahead log of the upload: rows · objects",
        `${megabytes(uploads.rows)} · ${megabytes(uploads.objects)}`,
      ),
      row(
        "one look-up, median: rows · objects in a folder",
        `${rows.lookUp.toFixed(2)} · ${objects.lookUp.toFixed(2)} ms`,
        "≤ 1 ms (rows)",
      ),
      row(
        "one look-up in objects over HTTP · requests for it",
        `${overHttp.toFixed(2)} ms · ${requests}`,
        "one request",
      ),
      row("reading all members: objects over rows", times(objects.reading / rows.reading)),
      row(
        `a change of ${perChange} people by a call, write-ahead log: rows · objects`,
        `${megabytes(rows.change)} · ${megabytes(objects.change)}`,
        "≤ 1 MB",
      ),
      row("the same, bytes of objects", megabytes(changeBytes), "≤ 1 MB"),
      row("moving the audience to objects · back, verified", `${moved.result.toFixed(1)} · ${back.toFixed(1)} s`),
      row(
        "bytes of its objects · write-ahead log of the move",
        `${megabytes(objectBytes)} · ${megabytes(moved.bytes)}`,
      ),
    ];
  } finally {
    replaceFileStorage(undefined);
    await closeDatabase();
    await s3.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The same upload to a server of each setting, in turn. */
async function compareUploads(world: BenchWorld): Promise<{ ratio: number; rows: number; objects: number }> {
  const other = await startBenchWorld({ campaigns: false, environment: { AUDIENCE_STORE: "objects" } });
  try {
    const sent = file(people, 0);
    const ratio = await medianRatio({
      ours: () => secondsOf(() => upload(other, sent)),
      theirs: () => secondsOf(() => upload(world, sent)),
    });
    const rows = (await bytesWritten(world, () => upload(world, sent))).bytes;
    const objects = (await bytesWritten(other, () => upload(other, sent))).bytes;
    return { ratio, rows, objects };
  } finally {
    await other.stop();
  }
}

async function measure(world: BenchWorld, db: Database, id: AudienceId, store: BlockStoreKind) {
  const reading = median(await repeat(5, () => secondsOf(() => readAll(db, id))));
  const lookUp = await lookUpMs(db, id);
  replaceAudienceStore(store);
  const { bytes: change } = await bytesWritten(world, () => changePeople(db, id, store));
  replaceAudienceStore(undefined);
  return { reading, lookUp, change };
}

async function readAll(db: Database, id: AudienceId): Promise<void> {
  const members = await openMembers(db, id);
  if (!members) throw new Error("there is no such audience");
  for await (const { flags } of readMembers(db, members)) if (flags.length === 0) throw new Error("an empty block");
}

async function lookUpMs(db: Database, id: AudienceId): Promise<number> {
  const opened = await openMembers(db, id);
  if (!opened) throw new Error("there is no such audience");
  let number = 0;
  const durations = await repeat(lookUps, async () => {
    number += Math.floor(people / lookUps);
    const hash = createHash("sha256")
      .update(`person${number - 1}@example.com`)
      .digest()
      .toString("latin1");
    const live = new MemberLookUp(db, opened);
    const seconds = await secondsOf(() => live.load([hash]));
    if (!live.find(hash)) throw new Error("a member was not found");
    return seconds;
  });
  return 1_000 * median(durations);
}

async function changePeople(db: Database, id: AudienceId, store: BlockStoreKind): Promise<void> {
  const [audience] = await db.select().from(audiences).where(eq(audiences.id, id));
  if (!audience) throw new Error("there is no such audience");
  const actor = { kind: "publisher", accountId: audience.publisherId } as const;
  const ctx = { db, actor, clock: () => new Date(), entrypoint: "api", report: console.error } as const;
  const add = Array.from({ length: perChange }, (_, index) => ({ email: `${store}${index}@example.com` }));
  await updateMembers(ctx, { audienceId: id, add, remove: [] });
}

async function move(db: Database, id: AudienceId, store: BlockStoreKind): Promise<void> {
  const actor = { kind: "operator", name: "bench" } as const;
  const ctx = { db, actor, clock: () => new Date(), entrypoint: "command", report: console.error } as const;
  const { left } = await moveAudiences(ctx, { store, ids: [id], onMoved: () => undefined });
  if (left > 0) throw new Error("the audience was not moved");
}

async function repeat(count: number, work: () => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let time = 0; time < count; time += 1) all.push(await work());
  return all;
}

function countBytes(real: FileStorage): { storage: FileStorage; bytes: () => number } {
  let bytes = 0;
  const put: FileStorage["put"] = async (key, body, about) => {
    bytes += about.bytes;
    await real.put(key, body, about);
  };
  return { storage: { ...real, put }, bytes: () => bytes };
}
