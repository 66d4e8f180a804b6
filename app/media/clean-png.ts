import { crc32, createInflate } from "node:zlib";
import { ByteReader } from "./byte-reader.ts";
import { type CleanMedia, MediaError, mediaErrorMessages, requireFrames, requireSize } from "./media.ts";

/** Chunks that are critical, or of colors, transparency and animations. */
const needed = new Set([
  "IHDR",
  "PLTE",
  "IDAT",
  "IEND",
  "tRNS",
  "gAMA",
  "cHRM",
  "sRGB",
  "iCCP",
  "cICP",
  "sBIT",
  "pHYs",
  "acTL",
  "fcTL",
  "fdAT",
]);
const maxProfileBytes = 4 * 1024 * 1024;
const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

type Header = { width: number; height: number; bits: number; interlaced: boolean };

/**
 * Returns a PNG with only what is needed to draw it: without EXIF, texts, times and private chunks, and with unchanged
 * image data. Throws MediaError.
 */
export async function cleanPng(bytes: Uint8Array): Promise<CleanMedia> {
  const reader = new ByteReader(bytes);
  const parts = [reader.readBytes(8)];
  const pictures: Uint8Array[] = [];
  let header: Header | undefined;
  let animated = false;
  const seen = { frames: 0, framePixels: 0, durationMs: 0 };
  for (let type = ""; type !== "IEND"; ) {
    const from = reader.at;
    const length = reader.u32();
    type = reader.text(4);
    const content = reader.readBytes(length);
    if (reader.u32() !== crc32(bytes.subarray(from + 4, reader.at - 4)))
      throw new MediaError(mediaErrorMessages.damaged);
    if ((type === "IHDR") !== (header === undefined)) throw new MediaError(mediaErrorMessages.damaged);
    if (type === "IHDR") header = headerOf(content);
    else if (type === "IDAT") pictures.push(content);
    else if (type === "acTL") animated = true;
    else if (type === "fcTL") countFrame(content, seen);
    else if (!needed.has(type) && /^[A-Z]/.test(type)) throw new MediaError(mediaErrorMessages.damaged);
    if (needed.has(type) && (type !== "iCCP" || length <= maxProfileBytes)) parts.push(bytes.subarray(from, reader.at));
  }
  if (reader.left > 0) throw new MediaError(mediaErrorMessages.trailingData);
  if (!header) throw new MediaError(mediaErrorMessages.damaged);
  await requireUnpacked(pictures, unpackedBytes(header));
  const { width, height } = header;
  return { type: "image/png", width, height, durationMs: animated ? seen.durationMs : null, parts };
}

function headerOf(content: Uint8Array): Header {
  if (content.length !== 13) throw new MediaError(mediaErrorMessages.damaged);
  const reader = new ByteReader(content);
  const size = { width: reader.u32(), height: reader.u32() };
  requireSize(size);
  const depth = reader.u8();
  const channels = channelsOf[reader.u8()];
  reader.u16();
  const interlaced = reader.u8();
  if (channels === undefined || ![1, 2, 4, 8, 16].includes(depth) || interlaced > 1)
    throw new MediaError(mediaErrorMessages.damaged);
  return { ...size, bits: depth * channels, interlaced: interlaced === 1 };
}

function countFrame(content: Uint8Array, seen: { frames: number; framePixels: number; durationMs: number }): void {
  const reader = new ByteReader(content);
  reader.readBytes(4);
  const frame = { width: reader.u32(), height: reader.u32() };
  requireSize(frame);
  reader.readBytes(8);
  seen.durationMs += Math.round((reader.u16() * 1_000) / (reader.u16() || 100));
  seen.frames += 1;
  seen.framePixels += frame.width * frame.height;
  requireFrames(seen);
}

/** Returns the size in bytes of the unpacked scan lines, each with its filter byte. */
function unpackedBytes({ width, height, bits, interlaced }: Header): number {
  const linesOf = (columns: number, rows: number) => (columns === 0 ? 0 : rows * (1 + Math.ceil((columns * bits) / 8)));
  if (!interlaced) return linesOf(width, height);
  const passes = [
    [0, 8, 0, 8],
    [4, 8, 0, 8],
    [0, 4, 4, 8],
    [2, 4, 0, 4],
    [0, 2, 2, 4],
    [1, 2, 0, 2],
    [0, 1, 1, 2],
  ] as const;
  const stepsIn = (length: number, first: number, step: number) => Math.max(0, Math.ceil((length - first) / step));
  return passes.reduce((sum, [x, dx, y, dy]) => sum + linesOf(stepsIn(width, x, dx), stepsIn(height, y, dy)), 0);
}

/**
 * Inflates the image without storing it, and only up to the expected size: a few kilobytes can inflate to gigabytes.
 */
function requireUnpacked(packed: readonly Uint8Array[], expected: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const inflate = createInflate();
    let unpacked = 0;
    const fail = (message: string) => {
      inflate.destroy();
      reject(new MediaError(message));
    };
    inflate.on("data", (piece: Buffer) => {
      unpacked += piece.length;
      if (unpacked > expected) fail(mediaErrorMessages.decompressionBomb);
    });
    inflate.on("end", () => (unpacked === expected ? resolve() : fail(mediaErrorMessages.truncated)));
    // A truncated stream also emits an error.
    inflate.on("error", (error: NodeJS.ErrnoException) =>
      fail(error.code === "Z_BUF_ERROR" ? mediaErrorMessages.truncated : mediaErrorMessages.damaged),
    );
    for (const piece of packed) inflate.write(piece);
    inflate.end();
  });
}
