import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { cleanMedia } from "#app/media/clean-media.ts";
import { MediaError } from "#app/media/media.ts";
import { readMedia } from "#app/media/media-reader.server.ts";
import { aGif, aJpeg, anMp4, aPng, box, chunk, marker, pngOf } from "#tests/support/media-files.ts";

const folder = mkdtempSync(join(tmpdir(), "endcap-media-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(bytes: Buffer) {
  const path = join(folder, randomUUID());
  const files = { input: path, output: `${path}.clean`, preview: `${path}.preview` };
  writeFileSync(path, bytes);
  const about = await readMedia(files);
  return {
    ...about,
    clean: readFileSync(files.output),
    preview: about.previewBytes ? readFileSync(files.preview) : null,
  };
}

async function words(bytes: Buffer): Promise<string> {
  try {
    await read(bytes);
  } catch (error) {
    if (error instanceof MediaError) return error.message;
    throw error;
  }
  return "taken";
}

const latin = (text: string) => Buffer.from(text, "latin1");
const zip = Buffer.concat([latin("PK\x03\x04"), Buffer.alloc(40), latin("PK\x05\x06"), Buffer.alloc(18)]);

describe("what is taken", () => {
  test("a JPEG keeps its picture bit by bit and loses everything beside it", async () => {
    const sent = await aJpeg();
    expect(sent.includes(marker)).toBe(true);
    const { clean, preview, sha256, bytes, ...about } = await read(sent);
    expect(about).toMatchObject({ type: "image/jpeg", width: 60, height: 40, durationMs: null });
    expect([bytes, sha256]).toEqual([clean.length, createHash("sha256").update(clean).digest("hex")]);
    for (const gone of [marker, "Exif", "xmpmeta", "Photoshop"]) expect(clean.includes(gone)).toBe(false);
    const pixelsOf = (file: Buffer) => sharp(file).raw().toBuffer();
    expect((await pixelsOf(clean)).equals(await pixelsOf(sent))).toBe(true);
    expect(await sharp(preview ?? undefined).metadata()).toMatchObject({ format: "webp", width: 60, height: 40 });
  });

  test("a photograph that EXIF said to turn is turned", async () => {
    const { clean, width, height } = await read(await aJpeg({ orientation: 6 }));
    expect([width, height]).toEqual([40, 60]);
    expect(await sharp(clean).metadata()).toMatchObject({ width: 40, height: 60 });
    expect(clean.includes("Exif") || clean.includes(marker)).toBe(false);
  });

  test("a progressive JPEG with a colour profile keeps the profile", async () => {
    const sent = await sharp(await aJpeg())
      .jpeg({ progressive: true })
      .withIccProfile("p3")
      .toBuffer();
    const { clean } = await read(sent);
    expect((await sharp(clean).metadata()).icc).toBeDefined();
  });

  test("a PNG, with interlacing or few colours too", async () => {
    const { clean, ...about } = await read(aPng());
    expect(about).toMatchObject({ type: "image/png", width: 50, height: 30, durationMs: null });
    for (const gone of [marker, "eXIf", "tEXt", "prVt"]) expect(clean.includes(gone)).toBe(false);
    for (const options of [{ progressive: true }, { palette: true, colours: 4 }]) {
      const sent = await sharp(aPng({ width: 33, height: 21 }))
        .png(options)
        .toBuffer();
      expect(await read(sent)).toMatchObject({ type: "image/png", width: 33, height: 21 });
    }
  });

  test("an animated GIF keeps its frames, their times and how often it is shown", async () => {
    const sent = await aGif();
    expect(sent.includes(marker)).toBe(true);
    const { clean, preview, ...about } = await read(sent);
    expect(about).toMatchObject({ type: "image/gif", width: 24, height: 16, durationMs: 360 });
    expect(clean.includes(marker)).toBe(false);
    expect(await sharp(clean).metadata()).toMatchObject({ pages: 3, delay: [120, 120, 120], loop: 0 });
    expect((await sharp(preview ?? undefined).metadata()).pages).toBeUndefined();
    expect(await read(await aGif({ frames: 1 }))).toMatchObject({ durationMs: null });
  });

  test("an MP4 keeps its pictures where they are; places, makers, times and other tracks are blank", async () => {
    const sent = anMp4();
    const { clean, preview, ...about } = await read(sent);
    expect(about).toMatchObject({ type: "video/mp4", width: 320, height: 180, durationMs: 2_500, previewBytes: null });
    expect(preview).toBeNull();
    expect(clean.length).toBe(sent.length);
    expect(clean.includes(marker)).toBe(false);
    expect(sent.indexOf(marker)).toBeGreaterThan(0);
    const samples = sent.subarray(sent.indexOf("mdat") + 4).subarray(0, 400);
    expect(clean.indexOf(samples)).toBe(sent.indexOf(samples));
    // What it was made of is the same again: nothing is lost by a second time.
    expect((await read(clean)).clean.equals(clean)).toBe(true);
  });

  test("a film that was held upright is as high as it is shown", async () => {
    expect(await read(anMp4({ turned: true }))).toMatchObject({ width: 180, height: 320 });
  });
});

describe("what is refused, in words", () => {
  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ["nothing", () => Buffer.alloc(0), /empty/],
    [
      "an SVG",
      () => latin('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
      /SVG drawing.*scripts/,
    ],
    ["an SVG behind comments", () => latin("<!-- a --> <svg></svg>"), /SVG drawing/],
    ["a page", () => latin("<!DOCTYPE html><html></html>"), /web page/],
    ["text", () => latin("banner,1\n"), /no JPG, PNG, GIF or MP4/],
    ["a PDF", () => latin("%PDF-1.7"), /PDF/],
    ["a ZIP", () => zip, /ZIP/],
    ["a program", () => latin("MZ\x90\0"), /program/],
    ["a WebP", async () => sharp(aPng()).webp().toBuffer(), /WebP/],
    ["an AVIF", async () => sharp(aPng()).avif().toBuffer(), /AVIF/],
    ["a TIFF", async () => sharp(aPng()).tiff().toBuffer(), /TIFF/],
    ["a QuickTime film", () => box("ftyp", latin("qt  \0\0\0\0qt  ")), /QuickTime/],
    ["a JPEG cut off", async () => (await aJpeg()).subarray(0, -200), /cut off/],
    ["a PNG cut off", () => aPng().subarray(0, -30), /cut off/],
    ["a GIF cut off", async () => (await aGif()).subarray(0, -1), /cut off/],
    ["an MP4 cut off in its data", () => anMp4().subarray(0, -200), /cut off/],
    [
      "an MP4 without its head",
      () => Buffer.concat([box("ftyp", latin("isom\0\0\0\0isom")), box("mdat", Buffer.alloc(9))]),
      /cut off/,
    ],
    [
      "an MP4 whose samples lie behind its end",
      () => anMp4().fill(0xff, anMp4().indexOf("stco") + 12, anMp4().indexOf("stco") + 16),
      /cut off/,
    ],
    ["a film in fragments", () => Buffer.concat([anMp4(), box("moof")]), /fragments/],
    [
      "an MP4 with sound alone",
      () => Buffer.from(latin(anMp4().toString("latin1").replaceAll("vide", "soun"))),
      /no pictures/,
    ],
    ["a JPEG with a ZIP behind it", async () => Buffer.concat([await aJpeg(), zip]), /other data behind/],
    ["a PNG with a ZIP behind it", () => Buffer.concat([aPng(), zip]), /other data behind/],
    ["a GIF with a ZIP behind it", async () => Buffer.concat([await aGif(), zip]), /other data behind/],
    ["an MP4 with something behind it", () => Buffer.concat([anMp4(), Buffer.alloc(50, 0xee)]), /other data|cut off/],
    ["a GIF that is a script too", () => latin("GIF89a/*\0\0\0\0\0*/=1;alert(1)//;"), /damaged|cut off/],
    [
      "a PNG with a page in it",
      () => aPng({ more: [chunk("tEXt", latin("Comment\0<ScRiPt>alert(1)</script>"))] }),
      /web page or a program/,
    ],
    [
      "a JPEG with PHP behind it",
      async () => Buffer.concat([await aJpeg(), latin("<?php system($_GET[0]);")]),
      /web page or a program/,
    ],
    ["a PNG of other bytes than it says", () => aPng().fill(7, 60, 64), /damaged/],
    [
      "a JPEG that is noise",
      () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500, 0x55)]),
      /damaged|cut off/,
    ],
    ["a picture a million pixels wide", () => pngOf({ width: 1_000_000, height: 1 }), /too large/],
    ["a picture of 2 gigapixels", () => pngOf({ width: 16_000, height: 16_000 }), /too large/],
    ["a picture without pixels", () => pngOf({ width: 0, height: 9 }), /damaged/],
    [
      "a small picture that unpacks to 64 megabytes",
      () => pngOf({ width: 4, height: 4, packed: bomb() }),
      /unpacks to more/,
    ],
    [
      "a picture with fewer lines than it says",
      () => pngOf({ width: 4_000, height: 4_000, packed: deflateSync(Buffer.alloc(99)) }),
      /cut off/,
    ],
    ["an animation of three thousand frames", () => longGif(3_000), /animation is too long/],
  ])("%s", async (_what, make, expected) => {
    expect(await words(await make())).toMatch(expected);
  });

  test("in a JPEG, data that breaks off in the middle of the picture", async () => {
    const sent = await aJpeg({ width: 400, height: 400 });
    const broken = Buffer.concat([sent.subarray(0, Math.floor(sent.length / 2)), Buffer.from([0xff, 0xd9])]);
    expect(await words(broken)).toMatch(/damaged/);
  });

  test("the next file is read after one that was refused", async () => {
    expect(await words(Buffer.concat([aPng(), zip]))).toMatch(/other data/);
    expect(await words(aPng())).toBe("taken");
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

test("whatever is done to a file, it is read or refused, and never breaks anything else", async () => {
  const files = [await aJpeg(), aPng(), await aGif(), anMp4()];
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

test("a full disk is no fault of the file", async () => {
  const path = join(folder, "whole");
  writeFileSync(path, aPng());
  const output = join(folder, "no such folder", "clean");
  await expect(readMedia({ input: path, output, preview: `${path}.preview` })).rejects.toMatchObject({
    code: "ENOENT",
  });
  expect(existsSync(output)).toBe(false);
});
