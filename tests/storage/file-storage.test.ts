import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFolderStorage } from "#app/storage/folder-storage.server.ts";
import { openS3Storage } from "#app/storage/s3-storage.server.ts";
import { type S3Server, startS3Server } from "#tests/support/fakes/fake-s3.ts";
import { describeStorage, fileType, keysOf, put } from "./storage-contract.ts";

const folder = mkdtempSync(join(tmpdir(), "endcap-storage-"));
let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await s3.stop();
});

describeStorage({
  kind: "a folder",
  open: () => openFolderStorage(join(folder, "deep", "files")),
  putForeign: (name) => writeFileSync(join(folder, "deep", "files", name), ""),
  isBucket: false,
});

describeStorage({
  kind: "S3",
  open: () => openS3Storage(s3.settings),
  putForeign(name) {
    s3.objects.set(`files/${name}`, { body: Buffer.alloc(0), etag: "foreign", type: fileType, modified: new Date() });
  },
  isBucket: true,
});

test("nothing is left of a file whose versions are deleted, whether the bucket keeps versions, or lists them", async () => {
  for (const kind of [{ keepsVersions: true }, {}, { listsUploads: false }]) {
    const server = await startS3Server(kind);
    try {
      const storage = openS3Storage(server.settings);
      for (let time = 0; time < 3; time += 1) await put(storage, "own/one", Buffer.from(`time ${time}`));
      await storage.delete(["own/one"]);
      await put(storage, "own/one", Buffer.from("again"));
      await put(storage, "own/one-more", Buffer.from("another"));
      await storage.deleteVersions(["own/one", "own/none"]);
      expect(await storage.get("own/one")).toBeUndefined();
      expect(server.versions.map(({ key }) => key)).toEqual(["files/own/one-more"]);
    } finally {
      await server.stop();
    }
  }
});

test("a folder's files are accessible to their owner only, and remains of a crash are deleted when they are old", async () => {
  const root = join(folder, "own");
  const storage = openFolderStorage(root);
  await put(storage, "creatives/ab/one", Buffer.from("one"));
  expect(statSync(join(root, "creatives/ab/one")).mode & 0o777).toBe(0o600);
  expect(statSync(root).mode & 0o777).toBe(0o700);
  const left = join(root, ".unfinished/left");
  writeFileSync(left, "half");
  expect(await storage.deleteUnfinished(new Date(Date.now() - 60_000))).toBe(0);
  utimesSync(left, new Date(0), new Date(0));
  expect(await storage.deleteUnfinished(new Date(Date.now() - 60_000))).toBe(1);
  expect(readdirSync(join(root, ".unfinished"))).toEqual([]);
  expect(await keysOf(storage, "creatives/")).toEqual(["creatives/ab/one"]);
});

test("an unwritable folder is an error with the system's message", async () => {
  const file = join(folder, "a-file");
  writeFileSync(file, "");
  const rejected = put(openFolderStorage(join(file, "files")), "creatives/ab/one", Buffer.from("one"));
  await expect(rejected).rejects.toMatchObject({ name: "StorageError", code: "ENOTDIR" });
});

test("S3 gets large files in parts under our prefix, and unfinished uploads are deleted when they are old", async () => {
  const storage = openS3Storage(s3.settings);
  s3.seen.length = 0;
  await put(storage, "parts/large", randomBytes(17 * 1024 * 1024));
  expect(s3.seen.filter((line) => line.includes("partNumber"))).toHaveLength(3);
  expect(s3.objects.get("files/parts/large")?.type).toBe(fileType);
  const begun = new Date(Date.now() - 3_600_000);
  s3.uploads.set("left", { key: "files/parts/left", type: fileType, begun, parts: new Map() });
  s3.uploads.set("foreign", { key: "others/parts", type: fileType, begun, parts: new Map() });
  expect(await storage.deleteUnfinished(new Date(Date.now() - 7_200_000))).toBe(0);
  expect(await storage.deleteUnfinished(new Date(Date.now() - 60_000))).toBe(1);
  expect([...s3.uploads.keys()]).toEqual(["foreign"]);
  s3.uploads.clear();
});

test("old uploads are ended on any page of the list, also where another process ends them at the same time", async () => {
  const storage = openS3Storage(s3.settings);
  for (const [index, begun] of [...Array<Date>(4).fill(new Date()), ...Array<Date>(4).fill(new Date(0))].entries())
    s3.uploads.set(`upload-${index}`, { key: `files/parts/${index}`, type: fileType, begun, parts: new Map() });
  const before = new Date(Date.now() - 60_000);
  await Promise.all([storage.deleteUnfinished(before), storage.deleteUnfinished(before)]);
  expect([...s3.uploads.keys()]).toEqual(["upload-0", "upload-1", "upload-2", "upload-3"]);
  s3.uploads.clear();
});

test("a service that cannot list unfinished uploads has none to delete, and other errors are reported", async () => {
  const other = await startS3Server({ listsUploads: false });
  try {
    const storage = openS3Storage(other.settings);
    expect(await storage.deleteUnfinished(new Date())).toBe(0);
    const wrong = openS3Storage({ ...other.settings, bucket: "another" });
    await expect(wrong.deleteUnfinished(new Date())).rejects.toMatchObject({ code: "NoSuchBucket" });
  } finally {
    await other.stop();
  }
});

test("S3 is retried after a transient failure; a wrong or overlong secret is an error with its message", async () => {
  s3.fail(2);
  await put(openS3Storage(s3.settings), "again/one", Buffer.from("one"));
  expect(s3.objects.get("files/again/one")?.body).toEqual(Buffer.from("one"));
  s3.fail(100);
  await expect(put(openS3Storage(s3.settings), "again/two", Buffer.from("two"))).rejects.toMatchObject({
    code: "SlowDown",
  });
  s3.fail(0);
  const credentials = { accessKeyId: "TESTKEY", secretAccessKey: "another" };
  const wrong = openS3Storage({ ...s3.settings, credentials });
  await expect(put(wrong, "again/three", Buffer.from("three"))).rejects.toMatchObject({
    code: "SignatureDoesNotMatch",
  });
  expect([...s3.objects.keys()].filter((key) => key.startsWith("files/again/"))).toEqual(["files/again/one"]);
});
