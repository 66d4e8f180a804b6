import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { type FileStorage, StorageError } from "#app/storage/file-storage.ts";

type StorageKind = {
  kind: string;
  open: () => FileStorage;
  /** Puts an empty file beside the storage's own, as another program does. */
  putForeign: (name: string) => unknown;
  isBucket: boolean;
};

export const fileType = "image/png";
export const put = (storage: FileStorage, key: string, bytes: Buffer) =>
  storage.put(key, Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]), { bytes: bytes.length, type: fileType });
const read = async (storage: FileStorage, key: string, range?: { start: number; end: number }) => {
  const stream = await storage.get(key, range);
  return stream && buffer(stream);
};
export const keysOf = async (storage: FileStorage, prefix: string) => {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys.sort();
};

/** Tests what every kind of storage does. */
export function describeStorage({ kind, open, putForeign, isBucket }: StorageKind): void {
  describe(kind, () => {
    test("returns what was stored, whole and in ranges, and nothing for a missing file", async () => {
      const storage = open();
      const bytes = randomBytes(200_000);
      await put(storage, "creatives/0a/one", bytes);
      expect(await read(storage, "creatives/0a/one")).toEqual(bytes);
      expect(await read(storage, "creatives/0a/one", { start: 5, end: 9 })).toEqual(bytes.subarray(5, 10));
      expect(await read(storage, "creatives/0a/one", { start: 199_999, end: 199_999 })).toEqual(bytes.subarray(-1));
      expect(await storage.get("creatives/0a/other")).toBeUndefined();
      expect(await storage.get("creatives/zz/other")).toBeUndefined();
    });

    test("stores large and empty files", async () => {
      const storage = open();
      // Of two parts in a bucket.
      const large = randomBytes(9 * 1024 * 1024);
      await put(storage, "creatives/0a/large", large);
      expect((await read(storage, "creatives/0a/large"))?.equals(large)).toBe(true);
      await put(storage, "creatives/0a/empty", Buffer.alloc(0));
      expect(await read(storage, "creatives/0a/empty")).toEqual(Buffer.alloc(0));
    });

    test("lists by folder with the time of each, and deletes, also what is absent", async () => {
      const storage = open();
      const names = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `list/${name}${name}/${name}`);
      for (const key of names) await put(storage, key, Buffer.from(key));
      expect(await keysOf(storage, "list/")).toEqual(names);
      expect(await keysOf(storage, "nothing/")).toEqual([]);
      for await (const { storedAt } of storage.list("list/")) {
        expect(Math.abs(storedAt.getTime() - Date.now())).toBeLessThan(60_000);
      }
      await storage.delete([...names.slice(1), "list/none"]);
      await storage.delete(names.slice(1));
      expect(await keysOf(storage, "list/")).toEqual(names.slice(0, 1));
      expect(await storage.get("list/bb/b")).toBeUndefined();
    });

    test("lists no files with other names than keys, which cannot be read or deleted", async () => {
      const storage = open();
      await put(storage, "foreign/aa/own", Buffer.from("own"));
      await putForeign("foreign/.DS_Store");
      await putForeign("foreign/aa/Copy of own");
      // Tools that copy folders into a bucket make an empty object of each.
      if (isBucket) await putForeign("foreign/aa/");
      expect(await keysOf(storage, "foreign/")).toEqual(["foreign/aa/own"]);
    });

    test("keeps nothing of a file that was too short, too long or aborted", async () => {
      const storage = open();
      async function* broken() {
        yield Buffer.alloc(1_000);
        throw new Error("the sender went away");
      }
      const large = Buffer.alloc(9 * 1024 * 1024);
      for (const [body, bytes] of [
        [Readable.from([Buffer.alloc(9)]), 10],
        [Readable.from([Buffer.alloc(11)]), 10],
        [Readable.from([large]), 2 * large.length],
        [Readable.from(broken()), 2_000],
      ] as const) {
        await expect(storage.put("cut/short", body, { bytes, type: fileType })).rejects.toThrow(StorageError);
      }
      expect(await storage.get("cut/short")).toBeUndefined();
      expect(await keysOf(storage, "cut/")).toEqual([]);
      expect(await storage.deleteUnfinished(new Date(Date.now() + 60_000))).toBe(0);
    });

    test.each(["../outside", "/etc/passwd", "a/../b", "", "a//b", "a/", "A", "a.b", "a\\b", "a/\0"])(
      "rejects a key such as %j",
      async (key) => {
        await expect(open().get(key)).rejects.toThrow();
        await expect(put(open(), key, Buffer.from("outside"))).rejects.toThrow();
        await expect(open().delete([key])).rejects.toThrow();
      },
    );
  });
}
