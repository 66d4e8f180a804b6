import { createDecipheriv } from "node:crypto";
import { fstatSync, readSync } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSpool, openSpool, type SpooledFile } from "#app/sheets/encrypted-spool.server.ts";

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "spool-test-"));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

async function spooled(...chunks: Uint8Array[]): Promise<SpooledFile> {
  const spool = await createSpool(join(directory, "spools"));
  for (const chunk of chunks) await spool.write(chunk);
  return spool.finish();
}

async function bytesOf(file: SpooledFile, ...range: number[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of file.stream(...range)) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe("the encrypted spool", () => {
  it("returns any range of what was written in any pieces", async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.nat(4000), fc.nat(4000), async (chunks, a, b) => {
        const all = Buffer.concat(chunks);
        const file = await spooled(...chunks);
        const from = Math.min(a, all.length);
        const length = Math.min(b, all.length - from);
        expect(file.size).toBe(all.length);
        expect(Buffer.from(await file.read(from, length))).toEqual(all.subarray(from, from + length));
        expect(await bytesOf(file, from, length)).toEqual(all.subarray(from, from + length));
        await file.dispose();
      }),
      { numRuns: 60 },
    );
  });

  it("continues over the end of the counter's bytes, as one stream cipher would", async () => {
    const file = await spooled(new Uint8Array(0));
    const { fd } = file.describe();
    const iv = Buffer.alloc(16, 0xff);
    const key = Buffer.alloc(32, 7);
    await file.dispose();
    expect(() => fstatSync(fd)).toThrow();
    const other = await createSpool(directory);
    const bytes = Buffer.alloc(1024 * 1024 + 5, 9);
    await other.write(bytes);
    const onDisk = await other.finish();
    const raw = Buffer.alloc(bytes.length);
    readSync(onDisk.describe().fd, raw, 0, raw.length, 0);
    const whole = createDecipheriv("aes-256-ctr", key, iv).update(raw);
    const again = openSpool({ ...onDisk.describe(), key, iv });
    for (const at of [0, 1, 15, 16, 17, 4096 + 3, 1024 * 1024]) {
      expect(Buffer.from(await again.read(at, 5))).toEqual(whole.subarray(at, at + 5));
    }
    await onDisk.dispose();
  });

  it("contains nothing readable, has no name and is accessible to its owner only", async () => {
    const marker = Buffer.from("jane.saoirse@example.com,".repeat(4000));
    const file = await spooled(marker);
    const { fd, size } = file.describe();
    const onDisk = Buffer.alloc(size);
    readSync(fd, onDisk, 0, size, 0);
    expect(onDisk.includes("jane")).toBe(false);
    expect(onDisk.includes("example")).toBe(false);
    expect(fstatSync(fd).mode & 0o777).toBe(0o600);
    expect(await readdir(join(directory, "spools"))).toEqual([]);
    expect((await stat(join(directory, "spools"))).mode & 0o777).toBe(0o700);
    await file.dispose();
  });

  it("has another key for every file", async () => {
    const files = await Promise.all([spooled(), spooled()]);
    const [one, two] = files.map((file) => Buffer.from(file.describe().key).toString("hex"));
    expect(one).not.toBe(two);
    for (const file of files) await file.dispose();
  });

  it("is read by a worker with its description", async () => {
    const file = await spooled(Buffer.from("0123456789".repeat(1000)));
    const spoolModule = new URL("../../app/sheets/encrypted-spool.server.ts", import.meta.url).href;
    const code = `
      const { workerData, parentPort } = require("node:worker_threads");
      import("tsx/esm/api")
        .then(({ register }) => register())
        .then(() => import(${JSON.stringify(spoolModule)}))
        .then(({ openSpool }) => openSpool(workerData).read(9_990, 10))
        .then((bytes) => parentPort.postMessage(Buffer.from(bytes).toString()));`;
    const worker = new Worker(code, { eval: true, workerData: file.describe(), execArgv: [] });
    const text = await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
    expect(text).toBe("0123456789");
    await worker.terminate();
    await file.dispose();
  });

  it("rejects ranges outside the file and writes after the end, and can be disposed of twice", async () => {
    const spool = await createSpool(directory);
    await spool.write(Buffer.from("abc"));
    const file = await spool.finish();
    await expect(spool.write(Buffer.from("d"))).rejects.toThrow("no more");
    await expect(spool.finish()).rejects.toThrow("already");
    for (const [offset, length] of [
      [-1, 2],
      [0, 4],
      [4, 0],
      [Number.NaN, 1],
    ] as const) {
      await expect(file.read(offset, length)).rejects.toThrow(RangeError);
    }
    await spool.discard();
    expect(Buffer.from(await file.read(0, 3)).toString()).toBe("abc");
    await file.dispose();
    await file.dispose();
    const givenSpool = await createSpool(directory);
    await givenSpool.discard();
    await givenSpool.discard();
  });
});
