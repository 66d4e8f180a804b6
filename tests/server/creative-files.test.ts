import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storageKeys } from "#app/domain/creatives/creative-rows.server.ts";
import { deleteCreative } from "#app/domain/creatives/delete-creative.server.ts";
import { getCreative } from "#app/domain/creatives/get-creative.server.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import { readRange } from "#server/byte-range.ts";
import { type AppServer, startAppServer } from "#tests/support/app-server.ts";
import { storedFile, upload } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database.ts";
import { aGif, aJpeg, anMp4, aPng } from "#tests/support/media-files.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let server: AppServer;
let files: Awaited<ReturnType<typeof getCreative>>[];
beforeAll(async () => {
  world = await makeWorld(db());
  const sent = [await aJpeg(), aPng(), await aGif(), anMp4()].map((bytes, index) => ({ name: `${index}`, bytes }));
  const { ids } = await upload(world.northwind, sent);
  files = await Promise.all(ids.map((id) => getCreative(world.northwind, id)));
  server = await startAppServer({ databaseUrl: db.url(), dataDir: process.env.DATA_DIR });
}, 180_000);
afterAll(async () => {
  await server.stop();
});

const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(server.origin + path, { method, headers });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const film = () => files[3] ?? files[0];

describe("a creative's file", () => {
  test("is served to anybody who knows its address, as what it is, alone, and for ever", async () => {
    for (const { id, path, previewPath, type, bytes } of files) {
      for (const [address, kind] of [
        [path, "file"],
        [previewPath, "preview"],
      ] as const) {
        if (address === null) continue;
        const answer = await ask(address);
        expect(answer.status).toBe(200);
        expect(Object.fromEntries(answer.headers)).toMatchObject({
          "content-type": kind === "file" ? type : "image/webp",
          "cache-control": "public, max-age=31536000, immutable",
          "accept-ranges": "bytes",
          "x-content-type-options": "nosniff",
          "x-frame-options": "DENY",
          "x-robots-tag": "noindex",
          "content-security-policy": expect.stringMatching(/^default-src 'none'; .*sandbox$/),
          ...(kind === "file" && { "content-length": String(bytes) }),
        });
        expect(answer.headers.get("vary")).toBeNull();
        expect(answer.headers.get("set-cookie")).toBeNull();
        expect(await bytesOf(answer)).toEqual(await storedFile(id, kind));
      }
    }
  });

  test("comes in parts, or is refused beyond its end", async () => {
    const { path, bytes, id } = film() ?? expect.fail();
    const whole = await storedFile(id);
    for (const [range, start, end] of [
      ["bytes=0-0", 0, 0],
      ["bytes=100-199", 100, 199],
      ["bytes=100-", 100, bytes - 1],
      ["bytes=-10", bytes - 10, bytes - 1],
      [`bytes=5-${bytes * 2}`, 5, bytes - 1],
    ] as const) {
      const answer = await ask(path, { Range: range });
      expect([answer.status, answer.headers.get("content-range")]).toEqual([206, `bytes ${start}-${end}/${bytes}`]);
      expect(await bytesOf(answer)).toEqual(whole?.subarray(start, end + 1));
    }
    for (const range of [`bytes=${bytes}-`, "bytes=999999999-", "bytes=-0"]) {
      const answer = await ask(path, { Range: range });
      expect([answer.status, answer.headers.get("content-range")]).toEqual([416, `bytes */${bytes}`]);
    }
    for (const range of ["bytes=9-5", "bytes=a-b", "lines=1-2", "bytes=-", "bytes=0-1,5-6", "bytes=1-2-3"]) {
      expect((await ask(path, { Range: range })).status).toBe(200);
    }
  });

  test("is known again by its tag; a part is of the file that the other side has, or all is sent", async () => {
    const { path, bytes } = film() ?? expect.fail();
    const etag = (await ask(path)).headers.get("etag") ?? "";
    expect((await ask(path, { "If-None-Match": etag })).status).toBe(304);
    expect((await ask(path, { "If-None-Match": '"other"' })).status).toBe(200);
    expect((await ask(path, { Range: "bytes=0-9", "If-Range": etag })).status).toBe(206);
    const whole = await ask(path, { Range: "bytes=0-9", "If-Range": '"other"' });
    expect([whole.status, (await bytesOf(whole)).length]).toEqual([200, bytes]);
  });

  test("HEAD says what GET would; other methods are refused", async () => {
    const { path, bytes, type } = film() ?? expect.fail();
    const head = await ask(path, {}, "HEAD");
    expect([head.status, head.headers.get("content-length"), head.headers.get("content-type")]).toEqual([
      200,
      String(bytes),
      type,
    ]);
    const part = await ask(path, { Range: "bytes=1-2" }, "HEAD");
    expect([part.status, part.headers.get("content-length")]).toEqual([206, "2"]);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const answer = await ask(path, {}, method);
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });

  test("is at no other address, by no other ending, and not where it cannot be", async () => {
    const { path, id } = files[1] ?? expect.fail();
    const wrong = [
      path.replace(".png", ".jpg"),
      path.replace(".png", ".html"),
      path.replace(".png", ""),
      path.replace("/creatives/", "/creatives/a"),
      path.toUpperCase(),
      `${path}/`,
      `/creatives/${id}.png`,
      `/creatives/${storageKeys(id).file}`,
      "/creatives/",
      "/creatives/..%2f..%2fsession-secret",
      `/creatives/${"x".repeat(32)}.png`,
      film()?.path.replace(".mp4", ".preview.webp") ?? "",
    ];
    for (const address of wrong) {
      const answer = await ask(address);
      expect([address, answer.status]).toEqual([address, 404]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("goes with the creative, and is not found when the storage lost it", async () => {
    const { ids } = await upload(world.northwind, [
      { name: "a", bytes: aPng({ seed: 5 }) },
      { name: "b", bytes: aPng({ seed: 6 }) },
    ]);
    const [first, second] = await Promise.all(ids.map((id) => getCreative(world.northwind, id)));
    if (!first || !second) throw new Error("nothing was uploaded");
    expect((await ask(first.path)).status).toBe(200);
    await deleteCreative(world.northwind, { id: first.id });
    expect((await ask(first.path)).status).toBe(404);
    await (await fileStorage()).delete([storageKeys(second.id).file]);
    const lost = await ask(second.path);
    expect([lost.status, lost.headers.get("cache-control")]).toEqual([404, "no-store"]);
  });

  test("its address is in no log, and a reader that goes away leaves the server well", async () => {
    const { path } = film() ?? expect.fail();
    await new Promise<void>((resolve) => {
      const asked = request(server.origin + path, (answer) => {
        answer.once("data", () => {
          asked.destroy();
          resolve();
        });
      });
      asked.end();
    });
    expect((await ask(path)).status).toBe(200);
    expect(server.output()).toContain('"path":"/creatives/…"');
    for (const { path: address } of files) expect(server.output()).not.toContain(address.slice(11, 30));
  });
});

test.each<[string | undefined, number, ReturnType<typeof readRange>]>([
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
  expect(readRange(header, bytes)).toEqual(range);
});
