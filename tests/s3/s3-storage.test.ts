import { CreateMultipartUploadCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, test } from "vitest";
import { openS3Storage } from "#app/storage/s3-storage.server.ts";
import { describeStorage, keysOf, put } from "#tests/storage/storage-contract.ts";
import { createTestBucket, type TestBucket } from "./test-buckets.ts";

describe.each([{ keepsVersions: false }, { keepsVersions: true }])(
  "a bucket, where keepsVersions is $keepsVersions",
  ({ keepsVersions }) => {
    let bucket: TestBucket;
    beforeAll(async () => {
      bucket = await createTestBucket({ keepsVersions });
      return () => bucket.remove();
    });
    const open = () => openS3Storage(bucket.settings);

    describeStorage({
      kind: "its storage",
      open,
      putForeign: (name) =>
        bucket.client.send(new PutObjectCommand({ Bucket: bucket.settings.bucket, Key: `files/${name}` })),
      isBucket: true,
    });

    test("nothing is left of a file whose versions are deleted", async () => {
      const storage = open();
      for (let time = 0; time < 3; time += 1) await put(storage, "own/one", Buffer.from(`time ${time}`));
      await storage.delete(["own/one"]);
      await put(storage, "own/one", Buffer.from("again"));
      await put(storage, "own/one-more", Buffer.from("another"));
      const own = async () => (await bucket.versions()).filter(({ Key }) => Key.startsWith("files/own/"));
      // Four times its bytes and a delete marker.
      expect(await own()).toHaveLength(keepsVersions ? 6 : 2);
      await storage.deleteVersions(["own/one", "own/none"]);
      expect(await storage.get("own/one")).toBeUndefined();
      expect((await own()).map(({ Key }) => Key)).toEqual(["files/own/one-more"]);
    });

    test("a thousand versions of one file and more are deleted", { timeout: 300_000 }, async () => {
      const storage = open();
      for (let time = 0; time < 1_010; time += 10)
        await Promise.all(Array.from({ length: 10 }, () => put(storage, "own/often", Buffer.from(String(time)))));
      await storage.deleteVersions(["own/often"]);
      expect((await bucket.versions()).filter(({ Key }) => Key === "files/own/often")).toEqual([]);
    });

    test("more files than a page has are listed", { timeout: 300_000 }, async () => {
      const storage = open();
      const names = Array.from({ length: 1_010 }, (_, index) => `many/${String(index).padStart(4, "0")}/file`);
      for (let from = 0; from < names.length; from += 10)
        await Promise.all(names.slice(from, from + 10).map((name) => put(storage, name, Buffer.from(name))));
      expect(await keysOf(storage, "many/")).toEqual(names);
    });

    test("unfinished uploads under the prefix are aborted when they are old, on all pages", {
      timeout: 300_000,
    }, async () => {
      const { bucket: Bucket } = bucket.settings;
      const begin = (Key: string) => bucket.client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
      await begin("others/parts");
      for (let from = 0; from < 1_010; from += 10)
        await Promise.all(Array.from({ length: 10 }, (_, index) => begin(`files/parts/${(from + index) % 7}`)));
      expect(await open().deleteUnfinished(new Date(Date.now() - 3_600_000))).toBe(0);
      expect(await open().deleteUnfinished(new Date(Date.now() + 60_000))).toBe(1_010);
      expect((await bucket.uploads()).map(({ Key }) => Key)).toEqual(["others/parts"]);
    });

    test("a wrong secret, key or bucket is an error with the service's code", async () => {
      const { settings } = bucket;
      const { credentials } = settings;
      const failures = [
        [{ credentials: { ...credentials, secretAccessKey: "another" } }, "SignatureDoesNotMatch"],
        [{ credentials: { ...credentials, accessKeyId: "NOBODY" } }, "InvalidAccessKeyId"],
        [{ bucket: `endcap-test-${crypto.randomUUID()}` }, "NoSuchBucket"],
      ] as const;
      for (const [other, code] of failures) {
        const storage = openS3Storage({ ...settings, ...other });
        await expect(storage.check()).rejects.toMatchObject({ name: "StorageError", code });
        await expect(put(storage, "own/wrong", Buffer.from("wrong"))).rejects.toMatchObject({ code });
      }
      await open().check();
    });
  },
);
