import { rmSync, symlinkSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { creativeStorageKeys } from "#app/domain/creatives/creative-rows.server.ts";
import { deleteCreative } from "#app/domain/creatives/delete-creative.server.ts";
import { getCreative } from "#app/domain/creatives/get-creative.server.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import { parseRange } from "#server/http/parse-range.ts";
import { storedFile, uploadCreativeFiles } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { makeGif, makeJpeg, makeMp4, makePng } from "#tests/support/media-files.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let server: AppServer;
let files: Awaited<ReturnType<typeof getCreative>>[];
beforeAll(async () => {
  world = await createWorld(db());
  const sent = [await makeJpeg(), makePng(), await makeGif(), makeMp4()].map((bytes, index) => ({
    name: `${index}`,
    bytes,
  }));
  const { ids } = await uploadCreativeFiles(world.northwind, sent);
  files = await Promise.all(ids.map((id) => getCreative(world.northwind, id)));
  server = await startAppServer({
    databaseUrl: db.ownerUrl(),
    dataDir: process.env.DATA_DIR,
    environment: { WORKER: "off" },
  });
}, 180_000);
afterAll(async () => {
  await server.kill();
});

const send = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(server.origin + path, { method, headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const video = () => files[3] ?? files[0];

describe("a creative's file", () => {
  test("is served to anyone with its URL, as its type, sandboxed, and cached forever", async () => {
    for (const { id, path, previewPath, type, bytes } of files) {
      for (const [address, kind] of [
        [path, "file"],
        [previewPath, "preview"],
      ] as const) {
        if (address === null) continue;
        const response = await send(address);
        expect(response.status).toBe(200);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          "content-type": kind === "file" ? type : "image/webp",
          "cache-control": "public, max-age=31536000, immutable",
          "accept-ranges": "bytes",
          "x-content-type-options": "nosniff",
          "x-frame-options": "DENY",
          "x-robots-tag": "noindex",
          "content-security-policy": expect.stringMatching(/^default-src 'none'; .*sandbox$/),
          ...(kind === "file" && { "content-length": String(bytes) }),
        });
        expect(response.headers.get("vary")).toBeNull();
        expect(response.headers.get("set-cookie")).toBeNull();
        expect(await bytesOf(response)).toEqual(await storedFile(id, kind));
      }
    }
  });

  test("is served in ranges, or rejected beyond its end", async () => {
    const { path, bytes, id } = video() ?? expect.fail();
    const whole = await storedFile(id);
    for (const [range, start, end] of [
      ["bytes=0-0", 0, 0],
      ["bytes=100-199", 100, 199],
      ["bytes=100-", 100, bytes - 1],
      ["bytes=-10", bytes - 10, bytes - 1],
      [`bytes=5-${bytes * 2}`, 5, bytes - 1],
    ] as const) {
      const response = await send(path, { Range: range });
      expect([response.status, response.headers.get("content-range")]).toEqual([206, `bytes ${start}-${end}/${bytes}`]);
      expect(await bytesOf(response)).toEqual(whole?.subarray(start, end + 1));
    }
    for (const range of [`bytes=${bytes}-`, "bytes=999999999-", "bytes=-0"]) {
      const response = await send(path, { Range: range });
      expect([response.status, response.headers.get("content-range")]).toEqual([416, `bytes */${bytes}`]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
    for (const range of ["bytes=9-5", "bytes=a-b", "lines=1-2", "bytes=-", "bytes=0-1,5-6", "bytes=1-2-3"]) {
      expect((await send(path, { Range: range })).status).toBe(200);
    }
  });

  test("is revalidated by its ETag; a range requires the client's version, or the whole file is sent", async () => {
    const { path, bytes } = video() ?? expect.fail();
    const etag = (await send(path)).headers.get("etag") ?? "";
    expect((await send(path, { "If-None-Match": etag })).status).toBe(304);
    expect((await send(path, { "If-None-Match": '"other"' })).status).toBe(200);
    expect((await send(path, { Range: "bytes=0-9", "If-Range": etag })).status).toBe(206);
    const whole = await send(path, { Range: "bytes=0-9", "If-Range": '"other"' });
    expect([whole.status, (await bytesOf(whole)).length]).toEqual([200, bytes]);
  });

  test("HEAD returns what GET would; other methods are rejected", async () => {
    const { path, bytes, type } = video() ?? expect.fail();
    const head = await send(path, {}, "HEAD");
    expect([head.status, head.headers.get("content-length"), head.headers.get("content-type")]).toEqual([
      200,
      String(bytes),
      type,
    ]);
    const part = await send(path, { Range: "bytes=1-2" }, "HEAD");
    expect([part.status, part.headers.get("content-length")]).toEqual([206, "2"]);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const response = await send(path, {}, method);
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });

  test("exists at no other URL, with no other extension, and not where files cannot be", async () => {
    const { path, id } = files[1] ?? expect.fail();
    const wrong = [
      path.replace(".png", ".jpg"),
      path.replace(".png", ".html"),
      path.replace(".png", ""),
      path.replace("/creatives/", "/creatives/a"),
      path.toUpperCase(),
      `${path}/`,
      `/creatives/${id}.png`,
      `/creatives/${creativeStorageKeys(id).file}`,
      "/creatives/",
      "/creatives/..%2f..%2fsession-secret",
      `/creatives/${"x".repeat(32)}.png`,
      video()?.path.replace(".mp4", ".preview.webp") ?? "",
    ];
    for (const address of wrong) {
      const response = await send(address);
      expect([address, response.status]).toEqual([address, 404]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("is gone with its creative, and is 404 when the storage lost it, whose line in the log names it", async () => {
    const { ids } = await uploadCreativeFiles(world.northwind, [
      { name: "a", bytes: makePng({ seed: 5 }) },
      { name: "b", bytes: makePng({ seed: 6 }) },
    ]);
    const [first, second] = await Promise.all(ids.map((id) => getCreative(world.northwind, id)));
    if (!first || !second) throw new Error("nothing was uploaded");
    expect((await send(first.path)).status).toBe(200);
    await deleteCreative(world.northwind, { id: first.id });
    expect((await send(first.path)).status).toBe(404);
    await (await fileStorage()).delete([creativeStorageKeys(second.id).file]);
    const lost = await send(second.path);
    expect([lost.status, lost.headers.get("cache-control")]).toEqual([404, "no-store"]);
    const line = () => server.output().match(/.*a creative's file is missing.*\n/)?.[0];
    await expect.poll(line, { timeout: 10_000 }).toBeDefined();
    const logged: unknown = JSON.parse(line() ?? "{}");
    expect(logged).toMatchObject({ creativeId: second.id, requestId: lost.headers.get("x-request-id") });
  });

  test("is 503 while the storage fails, which nothing caches", async () => {
    const [id] = (await uploadCreativeFiles(world.northwind, [{ name: "c", bytes: makePng({ seed: 7 }) }])).ids;
    const { path } = await getCreative(world.northwind, id ?? expect.fail());
    const { file: key } = creativeStorageKeys(id ?? expect.fail());
    const stored = join(process.env.DATA_DIR ?? expect.fail(), "files", key);
    // A link to itself cannot be opened, not even by root.
    rmSync(stored);
    symlinkSync(stored, stored);
    for (const range of [undefined, "bytes=0-9"]) {
      const failed = await send(path, range ? { Range: range } : {});
      expect([failed.status, failed.headers.get("cache-control")]).toEqual([503, "no-store"]);
      for (const name of ["etag", "content-range", "accept-ranges"]) expect(failed.headers.get(name)).toBeNull();
      expect(await failed.text()).toContain("temporarily unavailable");
    }
    rmSync(stored);
  });

  test("is never logged by its URL, and a client that disconnects does no harm", async () => {
    const { path } = video() ?? expect.fail();
    await new Promise<void>((resolve) => {
      const clientRequest = request(server.origin + path, (response) => {
        response.once("data", () => {
          clientRequest.destroy();
          resolve();
        });
      });
      clientRequest.end();
    });
    expect((await send(path)).status).toBe(200);
    expect(server.output()).toContain('"path":"/creatives/…"');
    for (const { path: address } of files) expect(server.output()).not.toContain(address.slice(11, 30));
  });
});

test.each<[string | undefined, number, ReturnType<typeof parseRange>]>([
  [undefined, 10, undefined],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes= 1 - 2", 10, { start: 1, end: 2 }],
  ["bytes=99999999999999999999-", 10, "unsatisfiable"],
  ["bytes=1-99999999999999999999", 10, { start: 1, end: 9 }],
  ["bytes=-20", 10, { start: 0, end: 9 }],
  ["bytes=-20", 0, "unsatisfiable"],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=9-5", 10, undefined],
  ["bytes=19-15", 10, undefined],
  ["bytes=1e0-2", 10, undefined],
  ["bytes=--1", 10, undefined],
  ["bytes=0-1,99-", 10, undefined],
  ["lines=99-", 10, undefined],
  ["bytes", 10, undefined],
  ["", 10, undefined],
])("the range %s of %i bytes is %j", (header, bytes, range) => {
  expect(parseRange(header, bytes)).toEqual(range);
});
