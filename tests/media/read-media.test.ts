import type { ChildProcess } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { cleanJpeg } from "#app/media/clean-jpeg.ts";
import { cleanMedia } from "#app/media/clean-media.ts";
import { MediaError } from "#app/media/media.ts";
import { processMedia } from "#app/media/media-reader.server.ts";
import {
  chunk,
  encodePng,
  leakMarker,
  makeGif,
  makeJpeg,
  makeMp4,
  makePng,
  mp4Box,
} from "#tests/support/media-files.ts";

const folder = mkdtempSync(join(tmpdir(), "endcap-media-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(bytes: Buffer) {
  const path = join(folder, randomUUID());
  const files = { input: path, output: `${path}.clean`, preview: `${path}.preview` };
  writeFileSync(path, bytes);
  const about = await processMedia(files);
  return {
    ...about,
    clean: readFileSync(files.output),
    preview: about.previewBytes ? readFileSync(files.preview) : null,
  };
}

async function readRejection(bytes: Buffer): Promise<string> {
  try {
    await read(bytes);
  } catch (error) {
    if (error instanceof MediaError) return error.message;
    throw error;
  }
  return "taken";
}

/** A progressive JPEG whose last scan is repeated until it has so many, with the size that it says it has. */
async function jpegOfScans(count: number, { width, height } = { width: 60, height: 40 }): Promise<Buffer> {
  const jpeg = await sharp(await makeJpeg())
    .jpeg({ progressive: true })
    .toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc2]));
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  const scan = Buffer.from([0xff, 0xda]);
  let scans = 0;
  for (let at = jpeg.indexOf(scan); at >= 0; at = jpeg.indexOf(scan, at + 2)) scans += 1;
  const last = jpeg.subarray(jpeg.lastIndexOf(scan), -2);
  const repeated = Array.from({ length: count - scans }, () => last);
  return Buffer.concat([jpeg.subarray(0, -2), ...repeated, jpeg.subarray(-2)]);
}

const latin = (text: string) => Buffer.from(text, "latin1");
const zip = Buffer.concat([latin("PK\x03\x04"), Buffer.alloc(40), latin("PK\x05\x06"), Buffer.alloc(18)]);

describe("accepted files", () => {
  test("a JPEG keeps its image bit by bit and loses all metadata", async () => {
    const sent = await makeJpeg();
    expect(sent.includes(leakMarker)).toBe(true);
    const { clean, preview, sha256, bytes, ...about } = await read(sent);
    expect(about).toMatchObject({ type: "image/jpeg", width: 60, height: 40, durationMs: null });
    expect([bytes, sha256]).toEqual([clean.length, createHash("sha256").update(clean).digest("hex")]);
    for (const removed of [leakMarker, "Exif", "xmpmeta", "Photoshop"]) expect(clean.includes(removed)).toBe(false);
    const pixelsOf = (file: Buffer) => sharp(file).raw().toBuffer();
    expect((await pixelsOf(clean)).equals(await pixelsOf(sent))).toBe(true);
    expect(await sharp(preview ?? undefined).metadata()).toMatchObject({ format: "webp", width: 60, height: 40 });
  });

  test("a photograph that EXIF rotates is rotated", async () => {
    const { clean, width, height } = await read(await makeJpeg({ orientation: 6 }));
    expect([width, height]).toEqual([40, 60]);
    expect(await sharp(clean).metadata()).toMatchObject({ width: 40, height: 60 });
    expect(clean.includes("Exif") || clean.includes(leakMarker)).toBe(false);
  });

  test("a progressive JPEG with a color profile keeps the profile", async () => {
    const sent = await sharp(await makeJpeg())
      .jpeg({ progressive: true })
      .withIccProfile("p3")
      .toBuffer();
    const { clean } = await read(sent);
    expect((await sharp(clean).metadata()).icc).toBeDefined();
  });

  test("a PNG, with interlacing or few colors too", async () => {
    const { clean, ...about } = await read(makePng());
    expect(about).toMatchObject({ type: "image/png", width: 50, height: 30, durationMs: null });
    for (const removed of [leakMarker, "eXIf", "tEXt", "prVt"]) expect(clean.includes(removed)).toBe(false);
    for (const options of [{ progressive: true }, { palette: true, colours: 4 }]) {
      const sent = await sharp(makePng({ width: 33, height: 21 }))
        .png(options)
        .toBuffer();
      expect(await read(sent)).toMatchObject({ type: "image/png", width: 33, height: 21 });
    }
  });

  test("an animated GIF keeps its frames, their durations and its loop count", async () => {
    const sent = await makeGif();
    expect(sent.includes(leakMarker)).toBe(true);
    const { clean, preview, ...about } = await read(sent);
    expect(about).toMatchObject({ type: "image/gif", width: 24, height: 16, durationMs: 360 });
    expect(clean.includes(leakMarker)).toBe(false);
    expect(await sharp(clean).metadata()).toMatchObject({ pages: 3, delay: [120, 120, 120], loop: 0 });
    expect((await sharp(preview ?? undefined).metadata()).pages).toBeUndefined();
    expect(await read(await makeGif({ frames: 1 }))).toMatchObject({ durationMs: null });
  });

  test("an MP4 keeps its frames; locations, authors, times and other tracks are blanked", async () => {
    const sent = makeMp4();
    const { clean, preview, ...about } = await read(sent);
    expect(about).toMatchObject({ type: "video/mp4", width: 320, height: 180, durationMs: 2_500, previewBytes: null });
    expect(preview).toBeNull();
    expect(clean.length).toBe(sent.length);
    expect(clean.includes(leakMarker)).toBe(false);
    expect(sent.indexOf(leakMarker)).toBeGreaterThan(0);
    const samples = sent.subarray(sent.indexOf("mdat") + 4).subarray(0, 400);
    expect(clean.indexOf(samples)).toBe(sent.indexOf(samples));
    // Cleaning the file a second time changes nothing.
    expect((await read(clean)).clean.equals(clean)).toBe(true);
  });

  test("a video filmed in portrait has its displayed height", async () => {
    expect(await read(makeMp4({ turned: true }))).toMatchObject({ width: 180, height: 320 });
  });
});

describe("rejected files, with their messages", () => {
  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ["nothing", () => Buffer.alloc(0), /empty/],
    [
      "an SVG",
      () => latin('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
      /SVG image.*scripts/,
    ],
    ["an SVG behind comments", () => latin("<!-- a --> <svg></svg>"), /SVG image/],
    ["comments alone", () => latin("<!---->".repeat(500)), /file type is not supported/],
    ["a page", () => latin("<!DOCTYPE html><html></html>"), /web page/],
    ["text", () => latin("banner,1\n"), /file type is not supported/],
    ["a PDF", () => latin("%PDF-1.7"), /PDF/],
    ["a ZIP", () => zip, /ZIP/],
    ["a program", () => latin("MZ\x90\0"), /executable file/],
    ["a WebP", async () => sharp(makePng()).webp().toBuffer(), /WebP/],
    ["an AVIF", async () => sharp(makePng()).avif().toBuffer(), /AVIF/],
    ["a TIFF", async () => sharp(makePng()).tiff().toBuffer(), /TIFF/],
    ["a QuickTime film", () => mp4Box("ftyp", latin("qt  \0\0\0\0qt  ")), /QuickTime/],
    [
      "a JPEG of 40 megapixels with 21 scans",
      () => jpegOfScans(21, { width: 8_000, height: 5_000 }),
      /progressive scans/,
    ],
    ["a small JPEG with 101 scans", () => jpegOfScans(101), /progressive scans/],
    ["a JPEG cut off", async () => (await makeJpeg()).subarray(0, -200), /incomplete/],
    ["a PNG cut off", () => makePng().subarray(0, -30), /incomplete/],
    ["a GIF cut off", async () => (await makeGif()).subarray(0, -1), /incomplete/],
    ["an MP4 cut off in its data", () => makeMp4().subarray(0, -200), /incomplete/],
    [
      "an MP4 without its head",
      () => Buffer.concat([mp4Box("ftyp", latin("isom\0\0\0\0isom")), mp4Box("mdat", Buffer.alloc(9))]),
      /incomplete/,
    ],
    [
      "an MP4 whose samples lie behind its end",
      () => makeMp4().fill(0xff, makeMp4().indexOf("stco") + 12, makeMp4().indexOf("stco") + 16),
      /incomplete/,
    ],
    ["an MP4 that shows the same data ten thousand times", () => makeMp4({ repeats: 10_000 }), /damaged/],
    [
      "an MP4 whose sizes of frames are in a table of another form",
      () => Buffer.from(makeMp4().toString("latin1").replaceAll("stsz", "stz2"), "latin1"),
      /no frames/,
    ],
    ["a film in fragments", () => Buffer.concat([makeMp4(), mp4Box("moof")]), /fragmented/],
    [
      "an MP4 with sound alone",
      () => Buffer.from(latin(makeMp4().toString("latin1").replaceAll("vide", "soun"))),
      /no video track/,
    ],
    ["a JPEG with a ZIP behind it", async () => Buffer.concat([await makeJpeg(), zip]), /extra data after the image/],
    ["a PNG with a ZIP behind it", () => Buffer.concat([makePng(), zip]), /extra data after the image/],
    ["a GIF with a ZIP behind it", async () => Buffer.concat([await makeGif(), zip]), /extra data after the image/],
    [
      "an MP4 with something behind it",
      () => Buffer.concat([makeMp4(), Buffer.alloc(50, 0xee)]),
      /extra data|incomplete/,
    ],
    ["a GIF that is a script too", () => latin("GIF89a/*\0\0\0\0\0*/=1;alert(1)//;"), /damaged|incomplete/],
    [
      "a PNG with a page in it",
      () => makePng({ more: [chunk("tEXt", latin("Comment\0<ScRiPt>alert(1)</script>"))] }),
      /contains code/,
    ],
    [
      "a JPEG with PHP behind it",
      async () => Buffer.concat([await makeJpeg(), latin("<?php system($_GET[0]);")]),
      /contains code/,
    ],
    ["a PNG of other bytes than it says", () => makePng().fill(7, 60, 64), /damaged/],
    [
      "a JPEG that is noise",
      () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500, 0x55)]),
      /damaged|incomplete/,
    ],
    ["a picture a million pixels wide", () => encodePng({ width: 1_000_000, height: 1 }), /too large/],
    ["a picture of 2 gigapixels", () => encodePng({ width: 16_000, height: 16_000 }), /too large/],
    ["a picture without pixels", () => encodePng({ width: 0, height: 9 }), /damaged/],
    [
      "a small picture that unpacks to 64 megabytes",
      () => encodePng({ width: 4, height: 4, packed: bomb() }),
      /does not match its size/,
    ],
    [
      "a picture with fewer lines than it says",
      () => encodePng({ width: 4_000, height: 4_000, packed: deflateSync(Buffer.alloc(99)) }),
      /incomplete/,
    ],
    ["an animation of three thousand frames", () => longGif(3_000), /animation is too long/],
  ])("%s", async (_what, make, expected) => {
    expect(await readRejection(await make())).toMatch(expected);
  });

  test("not a video whose frames have the letters of a tag by chance", async () => {
    const chance = (text: string) => {
      const video = makeMp4();
      video.write(text, video.indexOf("mdat") + 4, "latin1");
      return video;
    };
    expect(await readRejection(chance("<hTmL\x01 <?PhP\x02 <htmlx"))).toBe("taken");
    for (const page of ["<html>", "<HTML lang", "<html/", "<?php\n"]) {
      expect(await readRejection(chance(page))).toMatch(/contains code/);
    }
  });

  test("not a JPEG of 40 megapixels with as many scans as any editor writes", async () => {
    const { width, height } = cleanJpeg(await jpegOfScans(20, { width: 8_000, height: 5_000 }));
    expect([width, height]).toEqual([8_000, 5_000]);
  });

  test("a JPEG with truncated image data", async () => {
    const sent = await makeJpeg({ width: 400, height: 400 });
    const broken = Buffer.concat([sent.subarray(0, Math.floor(sent.length / 2)), Buffer.from([0xff, 0xd9])]);
    expect(await readRejection(broken)).toMatch(/damaged/);
  });

  test("the next file is read after a rejected one", async () => {
    expect(await readRejection(Buffer.concat([makePng(), zip]))).toMatch(/extra data/);
    expect(await readRejection(makePng())).toBe("taken");
  });
});

function bomb() {
  return deflateSync(Buffer.alloc(64 * 1024 * 1024));
}

function longGif(frames: number) {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([
    latin("GIF89a\x01\0\x01\0\x80\0\0"),
    Buffer.alloc(6),
    ...Array(frames).fill(frame),
    latin(";"),
  ]);
}

test("a file is read although the process that read the one before it has ended meanwhile", async () => {
  expect(await readRejection(makePng())).toBe("taken");
  const { child }: { child: ChildProcess } = Reflect.get(globalThis, Symbol.for("endcap.media"));
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await readRejection(makePng())).toBe("taken");
});

test("any changed file is accepted or rejected, and breaks nothing else", async () => {
  const files = [await makeJpeg(), makePng(), await makeGif(), makeMp4()];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
      fc.option(fc.nat()),
      async (file, changes, cut) => {
        const bytes = Buffer.from(file);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        const sent = cut === null ? bytes : bytes.subarray(0, cut % bytes.length);
        try {
          const { parts, width, height } = await cleanMedia(sent);
          expect(Buffer.concat(parts).length).toBeLessThanOrEqual(sent.length + 32);
          expect(width * height).toBeGreaterThan(0);
        } catch (error) {
          if (!(error instanceof MediaError)) throw error;
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a full disk is not an error of the file", async () => {
  const path = join(folder, "whole");
  writeFileSync(path, makePng());
  const output = join(folder, "no such folder", "clean");
  await expect(processMedia({ input: path, output, preview: `${path}.preview` })).rejects.toMatchObject({
    code: "ENOENT",
  });
  expect(existsSync(output)).toBe(false);
});
